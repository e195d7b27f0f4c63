/** Which page covers the table: follows the address, and loads what draws the pages when one is first wanted. */

import { loadPart, loadStyle } from './lazy.js';

/** @typedef {import('./types.js').State} State */
/** @typedef {import('./types.js').BoardMessage} BoardMessage */

/**
 * What the pages may use of the rest.
 * @typedef {object} Door
 * @property {(action: import('./types.js').Action) => void} act
 * @property {() => State} state
 * @property {(message: unknown[]) => boolean} send over the game's socket; whether it was open
 * @property {(text: string, what: string) => void} copy `what`: a key of copied.*
 * @property {(code: string) => void} race opens the making of a race on these cards
 * @property {(error: unknown) => void} failed tells that a part did not come or cannot run
 * @property {(key: string, tone?: import('./types.js').Notice['tone'], params?: Record<string, string | number>) => void} notice
 *
 * @typedef {Door & {ready: Promise<void>, go: (path: string) => void, replace: (path: string) => void, home: () => string}} Context
 * `ready`: the server knows this player; `go` and `replace` change the address; `home` is the table's own
 *
 * @typedef {object} Pages
 * @property {() => Promise<void>} show what the address says now
 * @property {() => void} hide
 * @property {(message: BoardMessage) => void} heard
 * @property {() => void} connected
 * @property {(state: State) => void} render
 */

/** @param {string} path */
export const isPage = (path) => /^\/(boards|daily|me|transfer|replay\/[^/]+)\/?$/.test(path);

/** A click that asks for nothing but to follow a link of this site, in this window. @param {MouseEvent} event @returns {URL | null} */
export function followed(event) {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const plain = !event.defaultPrevented && !event.button && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  if (!link || !plain || link.target || link.hasAttribute('download') || link.origin !== location.origin) return null;
  return new URL(link.href);
}

/** @param {Door} door @param {(covered: boolean) => void} cover @param {boolean} isKnown whether the server knows this player already */
export function createRouter(door, cover, isKnown) {
  /** @type {Promise<Pages> | null} */
  let loading = null;
  /** @type {Pages | null} */
  let pages = null;
  let covered = false;
  let home = '/';
  let becomeReady = () => {};
  /** @type {Promise<void>} */
  const ready = new Promise((resolve) => (becomeReady = resolve));
  if (isKnown) becomeReady();
  /** @type {Context} */
  const context = { ...door, ready, go, replace, home: () => home };

  /** @param {string} path */
  function go(path) {
    history.pushState(null, '', path);
    follow();
  }

  /** The table's address changes under a page without being seen. @param {string} path */
  function replace(path) {
    const isTable = !isPage(path.split(/[?#]/)[0]);
    if (isTable) home = path;
    if (!isTable || !covered) history.replaceState(null, '', path);
  }

  /** @param {boolean} next */
  function setCovered(next) {
    if (next === covered) return;
    covered = next;
    document.documentElement.toggleAttribute('data-covered', covered);
    cover(covered);
  }

  async function follow() {
    const wanted = isPage(location.pathname);
    if (!wanted) home = location.pathname + location.search;
    setCovered(wanted);
    if (!wanted) return pages?.hide();
    try {
      loading ??= Promise.all([loadPart('pages/pages.js', () => import('./pages/pages.js')), loadStyle('pages.css')])
        .then(([{ createPages }]) => createPages(context));
      pages = await loading;
      if (covered) await pages.show();
    } catch (error) {
      if (!pages) loading = null;
      go(home);
      door.failed(error);
    }
  }

  window.addEventListener('popstate', follow);
  document.addEventListener('click', (event) => {
    const url = followed(event);
    if (!url || (url.pathname !== home && !isPage(url.pathname))) return;
    event.preventDefault();
    go(url.pathname + url.search + url.hash);
  });

  return {
    follow,
    replace,
    /** Back to the table, from whatever page lies over it. */
    uncover: () => void (covered && go(home)),
    /** @param {BoardMessage} message */
    heard: (message) => pages?.heard(message),
    connected() {
      becomeReady();
      pages?.connected();
    },
    /** @param {State} state */
    render: (state) => pages?.render(state),
  };
}
