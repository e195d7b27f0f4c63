/** How a part that is loaded later comes: its script, also after a failure, and its style sheet. */

/** How often a script did not come, or did not run. @type {Map<string, number>} */
const failures = new Map();

/**
 * The script of a part. Browsers remember an import that failed and do not ask for that address again, so a further try gets another one.
 * @template T
 * @param {string} path below client/js @param {() => Promise<T>} load imports that script
 * @returns {Promise<T>}
 */
export async function loadPart(path, load) {
  const failed = failures.get(path);
  try {
    return await (failed ? import(`${document.documentElement.dataset.assets}js/${path}?${failed}`) : load());
  } catch (error) {
    failures.set(path, (failed ?? 0) + 1);
    throw error;
  }
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
