/** How a part that is loaded later comes: its script, also after a failure, and its style sheet. */

/** How often any script did not come, or did not run. */
let failures = 0;
/** Where to look for a script that failed: how often any had by then. @type {Map<string, number>} */
const elsewhere = new Map();

/**
 * The script of a part. Browsers remember an import that failed and do not ask for that address again, so a further try gets another one:
 * in another folder, since a script that it imports itself may be what failed. The server has today's files in any.
 * @template T
 * @param {string} path below client/js @param {() => Promise<T>} load imports that script
 * @returns {Promise<T>}
 */
export async function loadPart(path, load) {
  const folder = elsewhere.get(path);
  try {
    return await (folder ? import(`${document.documentElement.dataset.assets?.slice(0, -1)}-${folder}/js/${path}`) : load());
  } catch (error) {
    elsewhere.set(path, (failures += 1));
    throw error;
  }
}

const LONGEST_WAIT = 60_000;

/** How long to wait before each further try: twice as long every time, a minute at most. @param {number} ms before the first @returns {() => number} */
export function waits(ms) {
  let next = ms;
  return () => {
    const wait = next;
    next = Math.min(2 * wait, LONGEST_WAIT);
    return wait;
  };
}

/**
 * For what is wanted at every turn: what `load` brought, or null; after a failure it is asked for again when some time has passed.
 * @template T
 * @param {() => Promise<T>} load @param {() => void} again is called when it may be wanted once more
 * @returns {() => Promise<T | null>}
 */
export function sparing(load, again) {
  const wait = waits(2_000);
  /** @type {Promise<T | null> | null} */
  let loading = null;
  return () => (loading ??= load().catch(() => {
    setTimeout(() => {
      loading = null;
      again();
    }, wait());
    return null;
  }));
}

/** @type {Map<string, Promise<void>>} */
const asked = new Map();

/** Adds a style sheet of client/css, once; resolves when it is in force. @param {string} name such as rooms.css @returns {Promise<void>} */
export function loadStyle(name) {
  let loading = asked.get(name);
  if (!loading) {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = `${document.documentElement.dataset.assets}css/${name}`;
    loading = new Promise((resolve, reject) => {
      link.onload = () => resolve();
      link.onerror = () => {
        // The network may be back when it is asked for again.
        asked.delete(name);
        link.remove();
        reject(new Error(`${name} could not be loaded`));
      };
    });
    asked.set(name, loading);
    document.head.append(link);
  }
  return loading;
}
