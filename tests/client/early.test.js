import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createContext, runInContext } from 'node:vm';

import { decode } from '../../client/js/msgpack.js';
import { hello, newGame } from '../../client/js/wire.js';

const SOURCE = readFileSync(new URL('../../client/js/early.js', import.meta.url), 'utf8');

/** Runs early.js on a page. @param {string} pathname @param {Record<string, string> | null} items what is stored; null: storage is forbidden @param {boolean} [day] what the system prefers */
function run(pathname, items, day = false) {
  const dataset = { theme: '' };
  const socket = {
    url: '',
    /** @type {unknown[]} */
    sent: [],
    onopen: () => {},
    /** @param {{data: unknown}} _event */
    onmessage(_event) {},
    /** @param {Uint8Array} data */
    send(data) {
      socket.sent.push(decode(Uint8Array.from(data)));
    },
  };
  const page = createContext({
    WebSocket: function open(/** @type {string} */ url) {
      socket.url = url;
      return socket;
    },
    Uint8Array,
    crypto,
    location: { origin: 'https://yukon.example', pathname },
    document: { documentElement: { dataset } },
    matchMedia: () => ({ matches: day }),
    get localStorage() {
      if (!items) throw new Error('SecurityError');
      return { getItem: (/** @type {string} */ key) => items[key] ?? null };
    },
  });
  runInContext(SOURCE, page);
  return { socket, early: page.early, dataset };
}

test('it opens the socket that makes a player, and says hello as the client does', () => {
  const { socket, early } = run('/g/YU1-C-AAAAAAB', {});
  assert.equal(socket.url, 'wss://yukon.example/ws?player=new');
  assert.equal(early.greeted, false);
  socket.onopen();
  assert.deepEqual(socket.sent, [hello()]);
  assert.equal(early.greeted, true);
  assert.equal(early.request, null);
});

test('a first visit asks for a random game of Classic', () => {
  for (const items of [{}, null]) {
    const { socket, early } = run('/', items);
    socket.onopen();
    assert.equal(early.request.length, 16);
    assert.deepEqual(socket.sent, [hello(), newGame(early.request, 0, 'C')]);
  }
});

test('whoever was here before, or comes for something else, asks for no game', () => {
  for (const [path, items] of /** @type {[string, Record<string, string>][]} */ ([
    ['/', { 'yukon.session': 's' }], ['/', { 'yukon.settings': '{}' }], ['/r/ABC', {}], ['/g/YU1-C-AAAAAAB', {}],
  ])) {
    const { socket } = run(path, items);
    socket.onopen();
    assert.deepEqual(socket.sent, [hello()]);
  }
});

test('what is heard is kept in order', () => {
  const { socket, early } = run('/', {});
  socket.onmessage({ data: 'a' });
  socket.onmessage({ data: 'b' });
  assert.deepEqual([...early.heard], ['a', 'b']);
});

test('the theme is the chosen one, else the one that the system prefers', () => {
  const chosen = (/** @type {string} */ theme) => ({ 'yukon.settings': JSON.stringify({ theme, doubleClick: true }) });
  for (const day of [true, false]) {
    const system = day ? 'light' : 'dark';
    assert.equal(run('/', {}, day).dataset.theme, system);
    assert.equal(run('/', null, day).dataset.theme, system);
    assert.equal(run('/', chosen('system'), day).dataset.theme, system);
    assert.equal(run('/', chosen('light'), day).dataset.theme, 'light');
    assert.equal(run('/', chosen('dark'), day).dataset.theme, 'dark');
  }
});
