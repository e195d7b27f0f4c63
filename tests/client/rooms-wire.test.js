import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { decode, encode } from '../../client/js/msgpack.js';
import { ContractError } from '../../client/js/wire.js';
import { askBoard, askEvening, askGhosts, askRoom, change, join, leave, lock, make, readRoomMessage, ready, rematch, remove, start } from '../../client/js/rooms/wire.js';

/** @typedef {{name: string, hex: string}} Golden */

/** @param {string} file @returns {Map<string, Uint8Array>} frames by their name */
function golden(file) {
  /** @type {Golden[]} */
  const all = JSON.parse(readFileSync(new URL(`../contract/${file}.json`, import.meta.url), 'utf8'));
  return new Map(all.map(({ name, hex }) => [name, new Uint8Array(Buffer.from(hex, 'hex'))]));
}
const commands = golden('commands');
const messages = golden('messages');

/** @param {string} name */
function heard(name) {
  const frame = messages.get(name);
  assert.ok(frame, name);
  const message = readRoomMessage(decode(frame));
  assert.ok(message, name);
  return /** @type {any} */ (message);
}

const LONG = Uint8Array.from({ length: 16 }, (_, i) => i);

test('every command of rooms is made as the contract has it', () => {
  const made = {
    'make a room': make(LONG, 'Zoé', { letter: 'C', code: null, limit: 10 }),
    'make a room with a typed code': make(LONG, 'Zoé', { letter: 'C', code: 'yu1 o aaaaaab', limit: 0 }),
    'join by code': join(LONG, 'bcd-fgh', 'Bert', true),
    'watch by id': join(LONG.subarray(0, 8), 'abcdefghijklmnop', null, false),
    ready: ready(true),
    start: start(false),
    'start though some are not ready': start(true),
    'change the settings': change({ letter: 'P', code: null, limit: 30 }),
    'remove a player': remove(15),
    'lock the room': lock(true),
    'leave the room': leave(),
    'rematch with other cards': rematch(1, false),
    'ask for the room': askRoom(),
    'ask for a board': askBoard(1, 0),
    'ask for the evening': askEvening(),
    'race the ghosts': askGhosts(1),
  };
  for (const [name, message] of Object.entries(made)) assert.deepEqual(encode(message), commands.get(name), name);
});

test('the room is read in every state of its race', () => {
  const lobby = heard('room in the lobby');
  assert.deepEqual(
    [lobby.id, lobby.code, lobby.version, lobby.host, lobby.locked, lobby.race, lobby.state, lobby.letter, lobby.game, lobby.limit, lobby.go],
    ['abcdefghijklmnop', 'BCDFGH', 3, 0, false, 1, 0, 'C', null, 10, null],
  );
  assert.match(lobby.commitment, /^[0-9a-f]{64}$/);
  assert.deepEqual(lobby.seats[1], { seat: 1, name: 'Bert', ready: true, connected: true });
  assert.equal(heard('room in the countdown').go, 1_800_000_007_000);
  const running = heard('room while the race runs');
  assert.deepEqual([running.state, running.started, running.ends], [2, 1_800_000_007_000, 1_800_000_607_000]);
  assert.deepEqual(running.lanes, [{ seat: 0, name: 'Zoé' }, { seat: 1, name: 'Bert' }]);
  const finished = heard('room when the race is finished');
  assert.deepEqual([finished.state, finished.ending], [3, 0]);
  assert.match(finished.game, /^YU1-C-/);
});

test('lanes, standings, a board and the evening are read', () => {
  assert.deepEqual(heard('lanes while the race runs').lanes[0], {
    seat: 0, connected: true, stuck: false, won: false, gaveUp: false, left: false, home: 2, down: 19, ranked: 20, moves: 3, ms: null,
  });
  const over = heard('lanes when the race is finished').lanes;
  assert.deepEqual([over[0].won, over[0].ms, over[1].gaveUp, over[1].won], [true, 61_000, true, false]);
  const { rows, commitment, race, ending } = heard('standings');
  assert.deepEqual([race, ending, commitment.length], [1, 0, 64]);
  assert.deepEqual(rows[0], { place: 1, seat: 0, name: 'Zoé', outcome: 0, ms: 61_000, ranked: 700, moves: 120, session: 'abcdefghijklmnop.1-0' });
  const { board } = heard('board');
  assert.deepEqual([board.columns.length, board.foundations.length, board.columns[2].down], [7, 4, 2]);
  const [past] = heard('evening').races;
  assert.deepEqual([past.race, past.places[0].name, past.places[0].outcome, past.places[0].ms], [1, 'Zoé', 'won', 61_000]);
});

test('ghosts are read, before and after', () => {
  assert.deepEqual(heard('ghosts to race'), { kind: 'ghosts', race: 1, session: 'gF5mgyThcnuVWjbg', rows: null });
  const { rows } = heard('ghosts that were raced');
  assert.deepEqual(rows[1], { place: 2, seat: null, name: 'Carl', outcome: 0, ms: 64_000, ranked: 700, moves: 130, session: 'gF5mgyThcnuVWjbg' });
  assert.deepEqual([rows.length, rows[0].seat, rows[2].name], [3, 0, 'Bert']);
  assert.equal(heard('evening').races[0].places[0].player, '0123456789abcdef0123');
});

test('answers and goodbyes are read', () => {
  assert.deepEqual(heard('joined as the maker'), { kind: 'joined', request: LONG, room: 'abcdefghijklmnop', seat: 0, session: null });
  assert.equal(heard('joined as a watcher').seat, null);
  assert.equal(heard('joined while the race runs').session, 'abcdefghijklmnop.1-1');
  assert.deepEqual(heard('done'), { kind: 'done', command: 22, version: 3 });
  for (const reason of ['left', 'removed', 'gone']) assert.deepEqual(heard(`closed: ${reason}`), { kind: 'closed', reason });
});

test('other kinds are nobody\'s here, and what is not as agreed is an error', () => {
  assert.equal(readRoomMessage([65, 's']), null);
  assert.equal(readRoomMessage([99]), null);
  for (const wrong of [[80, 'x'], [81, 1, [[0, 'one']]], [82, 1], [84, 'no bytes'], [86, ['{']], [86, ['{"race":1}']], [86, [7]], [88, 1, 's', [[1]]]]) {
    assert.throws(() => readRoomMessage(wrong), ContractError, JSON.stringify(wrong));
  }
});
