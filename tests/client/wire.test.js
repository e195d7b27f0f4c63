import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { withChanges } from '../../client/js/board.js';
import { decode, encode } from '../../client/js/msgpack.js';
import { ContractError, DRAW, FINISH, PAUSE, RESIGN, RESUME, UNDO, askSnapshot, command, hello, newGame, open, ping, readChanges, readCode, readLegal, readMessage, turnUp } from '../../client/js/wire.js';

/** @param {...number} bytes */
const bin = (...bytes) => new Uint8Array(bytes);
/** @param {number} source @param {number} count @param {number} target */
const move = (source, count, target) => ({ source, count, target });

const SNAPSHOT = [
  65, 's1', 7, 1 | 4, 25, 9, 'P', null, new Uint8Array(32).fill(0xab), 61_000,
  [bin(2, 12, 40), bin(0)], [bin(0, 1), bin(), bin(), bin()], 20, bin(3, 4), bin(0x02, 0x10, 0x83, 0x19), 25, 2,
];

test('a snapshot is read', () => {
  assert.deepEqual(readMessage(SNAPSHOT), {
    kind: 'snapshot', session: 's1', version: 7,
    flags: { canUndo: true, finishable: false, blocked: true, paused: false, won: false, givenUp: false },
    score: 25, moves: 9, letter: 'P', code: null, commitment: 'ab'.repeat(32), elapsed: 61_000,
    board: { columns: [{ down: 2, cards: [12, 40] }, { down: 0, cards: [] }], foundations: [[0, 1], [], [], []], stock: 20, waste: [3, 4] },
    legal: [move(1, 2, 0), DRAW], ranked: 25, origin: 2, counts: false, day: null, first: false,
  });
  const { counts, day, first } = /** @type {any} */ (readMessage([...SNAPSHOT, false, '2026-11-30', true]));
  assert.deepEqual([counts, day, first], [false, '2026-11-30', true]);
});

test('legal codes: column to column, one card, turning up, finish; unknown ones are passed over', () => {
  assert.deepEqual(readCode((7 << 8) | (9 << 4) | 3), move(9, 7, 3));
  assert.deepEqual(readCode(0x8000 | (6 << 5) | 17), move(6, 1, 17));
  assert.deepEqual(readCode(0x8000 | (24 << 5) | 25), DRAW);
  assert.deepEqual(readCode(0xc003), turnUp(3));
  assert.deepEqual(readCode(0xe000), FINISH);
  assert.equal(readCode(0xf123), null);
  assert.deepEqual(readLegal(bin(0xf1, 0x23, 0xe0, 0x00)), [FINISH]);
  assert.throws(() => readLegal(bin(1)), ContractError);
});

test('changes: a move with what followed, an undo, a draw', () => {
  assert.deepEqual(readChanges(bin(2, 4, 5, 128 + 2, 33, 4, 1, 16)), {
    command: move(2, 4, 5),
    changes: [{ type: 'move', ...move(2, 4, 5) }, { type: 'up', column: 2, card: 33 }, { type: 'move', ...move(4, 1, 16) }],
  });
  assert.deepEqual(readChanges(bin(255, 2, 0, 160 + 2, 5, 4, 2)), {
    command: UNDO,
    changes: [{ type: 'down', column: 2 }, { type: 'move', ...move(5, 4, 2) }],
  });
  assert.deepEqual(readChanges(bin(24, 1, 25, 192, 51)), {
    command: DRAW,
    changes: [{ type: 'move', ...DRAW }, { type: 'waste', card: 51 }],
  });
  for (const wrong of [bin(), bin(1, 2), bin(1, 1, 2, 128), bin(1, 1, 2, 250)]) assert.throws(() => readChanges(wrong), ContractError);
});

test('events, refusals and the small messages are read; trailing fields are ignored', () => {
  const event = readMessage([66, 8, 16, 625, 120, bin(3, 1, 16), bin(), 90_000, 'later']);
  assert.ok(event?.kind === 'event');
  assert.deepEqual([event.version, event.flags.won, event.elapsed, event.command], [8, true, 90_000, move(3, 1, 16)]);
  const running = readMessage([66, 8, 0, 0, 1, bin(3, 1, 16), bin()]);
  assert.ok(running?.kind === 'event' && running.elapsed === null);
  assert.deepEqual(readMessage([67, 4, 7, 'stale', 'The game went on.', false, 1]),
    { kind: 'refusal', command: 4, about: 7, code: 'stale', reason: 'The game went on.', again: false });
  assert.deepEqual(readMessage([67, 2, bin(1, 2), 'bad_code', '', true]),
    { kind: 'refusal', command: 2, about: bin(1, 2), code: 'bad_code', reason: '', again: true });
  assert.deepEqual(readMessage([68, 5, 1_700_000_000_000]), { kind: 'pong', echo: 5, time: 1_700_000_000_000 });
  assert.deepEqual(readMessage([69, 9]), { kind: 'confirmed', version: 9 });
  assert.deepEqual(readMessage([70]), { kind: 'left' });
  assert.deepEqual(readMessage([71, 'name', 'Ann']), { kind: 'notice', code: 'name', text: 'Ann' });
  assert.deepEqual(readMessage([64, 1, 'p1', null, 5, ['x']]),
    { kind: 'welcome', protocol: 1, player: 'p1', name: null, time: 5, capabilities: ['x'] });
});

test('unknown kinds are ignored, a known kind that is not as agreed is an error', () => {
  assert.equal(readMessage([200, 'new']), null);
  assert.throws(() => readMessage('text'), ContractError);
  assert.throws(() => readMessage([]), ContractError);
  assert.throws(() => readMessage([66, 'eight']), ContractError);
  assert.throws(() => readMessage(SNAPSHOT.slice(0, 12)), ContractError);
});

test('commands have the kinds of the contract', () => {
  assert.deepEqual(command(move(1, 3, 2), 7), [4, 7, 1, 3, 2]);
  assert.deepEqual(command(DRAW, 7), [4, 7, 24, 1, 25]);
  assert.deepEqual([UNDO, FINISH, PAUSE, RESUME, RESIGN].map((special) => command(special, 7)), [[5, 7], [6, 7], [7, 7], [8, 7], [9, 7]]);
  assert.deepEqual(command(turnUp(3), 7), [10, 7, 3]);
  assert.deepEqual(hello(), [1, 1, [], 'web']);
  assert.deepEqual(newGame(bin(1), 1, 'YU1'), [2, bin(1), 1, 'YU1']);
  assert.deepEqual(open('s', null), [3, 's', null]);
});

/** @typedef {{name: string, hex: string, message: any}} Golden */

/** The golden messages of the contract. @param {string} name @returns {Golden[]} */
const golden = (name) => JSON.parse(readFileSync(new URL(`../contract/${name}.json`, import.meta.url), 'utf8'));
/** JSON with {"bin": hex} as bytes. @param {any} value @returns {any} */
const meant = (value) => {
  if (Array.isArray(value)) return value.map(meant);
  if (value && typeof value === 'object') {
    return 'bin' in value ? new Uint8Array(Buffer.from(value.bin, 'hex')) : new Map(Object.entries(value).map(([key, item]) => [key, meant(item)]));
  }
  return value;
};

for (const file of ['commands', 'messages']) {
  for (const { name, hex, message } of golden(file)) {
    test(`golden ${file}: ${name}`, () => {
      const bytes = new Uint8Array(Buffer.from(hex, 'hex'));
      assert.deepEqual(decode(bytes), meant(message));
      assert.equal(Buffer.from(encode(meant(message))).toString('hex'), hex);
    });
  }
}

test('every golden message of the kinds that this client knows is read', () => {
  const known = golden('messages').filter(({ message }) => message[0] >= 64 && message[0] <= 71);
  assert.ok(known.length >= 15);
  const kinds = new Set(known.map(({ name, message }) => {
    const read = readMessage(meant(message));
    assert.ok(read, name);
    return read.kind;
  }));
  assert.deepEqual([...kinds].sort(), ['confirmed', 'event', 'left', 'notice', 'pong', 'refusal', 'snapshot', 'welcome']);
});

test('this client writes the golden commands of the kinds that it sends', () => {
  let compared = 0;
  for (const { name, message } of golden('commands')) {
    const [kind, ...fields] = meant(message);
    /** @type {Record<number, () => unknown[]>} */
    const made = {
      2: () => newGame(fields[0], fields[1], fields[2]),
      3: () => open(fields[0], fields[1]),
      4: () => command(move(fields[1], fields[2], fields[3]), fields[0]),
      5: () => command(UNDO, fields[0]),
      6: () => command(FINISH, fields[0]),
      7: () => command(PAUSE, fields[0]),
      8: () => command(RESUME, fields[0]),
      9: () => command(RESIGN, fields[0]),
      10: () => command(turnUp(fields[1]), fields[0]),
      11: askSnapshot,
      13: () => ping(fields[0]),
    };
    if (!(kind in made)) continue;
    assert.deepEqual(made[kind](), meant(message), name);
    compared += 1;
  }
  assert.ok(compared >= 11);
});

test('a golden move turns its card up, and its golden undo gives the golden deal again', () => {
  const named = (/** @type {string} */ name) => readMessage(meant(golden('messages').find((one) => one.name === name)?.message));
  const deal = named('snapshot after the deal');
  const moved = named('event of a move that turns a card up');
  const undone = named('event of its undo');
  assert.ok(deal?.kind === 'snapshot' && moved?.kind === 'event' && undone?.kind === 'event');
  const after = withChanges(deal.board, moved.changes);
  const seen = after.columns.flatMap(({ cards }) => cards);
  assert.equal(seen.length, new Set(seen).size);
  assert.equal(seen.length, deal.board.columns.flatMap(({ cards }) => cards).length + 1);
  assert.deepEqual(withChanges(after, undone.changes), deal.board);
});
