/**
 * Opens the socket while the rest of the page still loads, and asks for a board when this browser has none yet.
 * A script of its own; main.js takes over the socket and what was heard.
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

  /** Whether main.js would ask for a random game of the usual rules. */
  const isFirstVisit = () => {
    if (location.pathname !== '/') return false;
    try {
      return !localStorage.getItem('yukon.session') && !localStorage.getItem('yukon.settings');
    } catch {
      return true;
    }
  };

  socket.onopen = () => {
    // hello [1, 1, [], "web"]
    socket.send(Uint8Array.of(0x94, 1, 1, 0x90, 0xa3, 0x77, 0x65, 0x62));
    early.greeted = true;
    if (!isFirstVisit()) return;
    early.request = crypto.getRandomValues(new Uint8Array(16));
    // new [2, request, 0, "C"]
    socket.send(Uint8Array.of(0x94, 2, 0xc4, 16, ...early.request, 0, 0xa1, 0x43));
  };
  socket.onmessage = ({ data }) => early.heard.push(data);
  Object.assign(globalThis, { early });
}
