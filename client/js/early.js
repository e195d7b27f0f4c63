/**
 * Before anything is painted: chooses the theme, opens the socket while the rest of the page still loads, and asks for a board
 * when this browser has none yet. A script of its own; main.js takes over the socket and what was heard.
 */

{
  const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/ws?player=new`);
  socket.binaryType = 'arraybuffer';
  const early = {
    socket,
    /** @type {unknown[]} */
    heard: [],
    greeted: false,
    /** @type {Uint8Array | null} */
    request: null,
  };

  /** @param {string} name what this browser remembers by it; null where storage is forbidden */
  const remembered = (name) => {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  };
  const settings = remembered('yukon.settings');
  // main.js reads the settings with more care and has the last word.
  const [, wanted] = /"theme":"(light|dark)"/.exec(settings ?? '') ?? [];
  document.documentElement.dataset.theme = wanted ?? (matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark');

  /** Whether main.js would ask for a random game of the usual rules. */
  const isFirstVisit = location.pathname === '/' && !settings && !remembered('yukon.session');

  socket.onopen = () => {
    // hello [1, 1, [], "web"]
    socket.send(Uint8Array.of(0x94, 1, 1, 0x90, 0xa3, 0x77, 0x65, 0x62));
    early.greeted = true;
    if (!isFirstVisit) return;
    early.request = crypto.getRandomValues(new Uint8Array(16));
    // new [2, request, 0, "C"]
    socket.send(Uint8Array.of(0x94, 2, 0xc4, 16, ...early.request, 0, 0xa1, 0x43));
  };
  socket.onmessage = ({ data }) => early.heard.push(data);
  Object.assign(globalThis, { early });
}
