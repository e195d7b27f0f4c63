import assert from 'node:assert/strict';
import { test } from 'node:test';

import { initialState } from '../../client/js/state.js';
import { update } from '../../client/js/update.js';
import { DRAW, FINISH, PAUSE, RESIGN, RESUME, UNDO, readFlags } from '../../client/js/wire.js';

/** @typedef {import('../../client/js/types.js').State} State */
/** @typedef {import('../../client/js/types.js').Event} Event */
/** @typedef {import('../../client/js/types.js').Effect} Effect */
/** @typedef {import('../../client/js/types.js').Action} Action */
/** @typedef {import('../../client/js/types.js').Game} Game */
/** @typedef {import('../../client/js/types.js').Move} Move */
/** @typedef {import('../../client/js/types.js').ServerMessage} ServerMessage */
/** @typedef {import('../../client/js/types.js').SnapshotMessage} SnapshotMessage */
/** @typedef {import('../../client/js/types.js').EventMessage} EventMessage */

const REQUEST = new Uint8Array(16).fill(7);

/** @param {unknown} value */
function freeze(value) {
  if (value && typeof value === 'object' && !(value instanceof Uint8Array) && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(freeze);
  }
}

/** A client under test: every state is frozen, so a change in place fails. */
class Client {
  constructor() {
    /** @type {State} */
    this.state = initialState();
    /** @type {Effect[]} */
    this.effects = [];
    this.now = 1000;
  }

  /** @param {Event} event */
  take(event) {
    freeze(this.state);
    const result = update(this.state, event);
    this.state = result.state;
    this.effects.push(...result.effects);
    return this;
  }

  /** @param {Action} action */
  act(action) {
    return this.take({ type: 'act', action, now: (this.now += 10), request: REQUEST });
  }

  /** @param {ServerMessage} message */
  hear(message) {
    return this.take({ type: 'message', message, now: (this.now += 10) });
  }

  /** @param {'open' | 'lost' | 'stopped'} status */
  connection(status, code = 0) {
    return this.take({ type: 'connection', status, code, now: (this.now += 10) });
  }

  /** The messages sent since the last question. */
  sent() {
    const messages = this.effects.flatMap((effect) => (effect.type === 'send' ? [effect.message] : []));
    this.effects = this.effects.filter((effect) => effect.type !== 'send');
    return messages;
  }

  /** @returns {Game} */
  get game() {
    assert.ok(this.state.game);
    return this.state.game;
  }

  get shown() {
    return this.game.board.columns.map(({ down, cards }) => `${down}:${cards.join(',')}`);
  }
}

/** @param {string} text "source count target" */
const move = (text) => {
  const [source, count, target] = text.split(' ').map(Number);
  return { source, count, target };
};

/** @param {Partial<SnapshotMessage>} [changes] @returns {SnapshotMessage} */
const snapshot = (changes = {}) => ({
  kind: 'snapshot', session: 's1', version: 4, flags: readFlags(1), score: 15, moves: 4, letter: 'C', code: 'YU1-C-AAAAAAB',
  commitment: null, elapsed: 5000,
  board: {
    columns: [{ down: 0, cards: [12] }, { down: 2, cards: [24, 3, 10] }, { down: 0, cards: [] }, { down: 1, cards: [5, 0] }],
    foundations: [[], [13], [], []], stock: 0, waste: [],
  },
  legal: [move('1 3 0'), move('0 1 2'), move('1 1 3'), move('3 1 16'), move('17 1 3')],
  ranked: 15, origin: 0, counts: false, day: null, ...changes,
});

/** @param {Partial<EventMessage> & {command: Move}} changes @returns {EventMessage} */
const event = (changes) => ({
  kind: 'event', version: 5, flags: readFlags(1), score: 20, moves: 5, legal: [], elapsed: null,
  changes: [{ type: 'move', ...changes.command }], ...changes,
});

/** @param {number} command @param {number | Uint8Array | null} about @param {string} code @returns {ServerMessage} */
const refusal = (command, about, code, again = false) => ({ kind: 'refusal', command, about, code, reason: code, again });

/** A client that shows the snapshot above. @param {Partial<SnapshotMessage>} [changes] */
function playing(changes) {
  const client = new Client();
  client.take({ type: 'start', session: 's1', offer: null, request: REQUEST }).connection('open').hear(snapshot(changes));
  client.sent();
  return client;
}

test('a first visit deals Classic at once, also when the connection opens later', () => {
  const client = new Client().take({ type: 'start', session: null, offer: null, request: REQUEST });
  assert.deepEqual(client.sent(), []);
  client.connection('open');
  assert.deepEqual(client.sent(), [[2, REQUEST, 0, 'C']]);
  client.hear(snapshot({ version: 0 }));
  assert.equal(client.state.dealing, null);
  assert.ok(client.effects.some((effect) => effect.type === 'saveSession' && effect.session === 's1'));
});

test('a first game that was asked for before is not asked for twice, but again when the connection was lost', () => {
  const client = new Client().take({ type: 'start', session: null, offer: null, request: REQUEST, asked: true }).connection('open');
  assert.deepEqual(client.sent(), []);
  client.connection('lost').connection('open');
  assert.deepEqual(client.sent(), [[2, REQUEST, 0, 'C']]);
  client.hear(snapshot({ version: 0 }));
  client.connection('lost').connection('open');
  assert.deepEqual(client.sent(), [[3, 's1', 0]]);
});

test('a first game that was asked for before and is refused for now is asked for again', () => {
  const client = new Client().take({ type: 'start', session: null, offer: null, request: REQUEST, asked: true }).connection('open');
  client.hear(refusal(2, REQUEST, 'too_fast', true)).take({ type: 'retry', kind: 'dealing', now: 0 });
  assert.deepEqual(client.sent(), [[2, REQUEST, 0, 'C']]);
});

test('a session that goes on is opened although a first game was asked for', () => {
  const client = new Client().take({ type: 'start', session: 's1', offer: null, request: REQUEST, asked: true }).connection('open');
  assert.deepEqual(client.sent(), [[3, 's1', null]]);
});

test('a lost connection sends the same new game again, with the same request', () => {
  const client = new Client().connection('open').take({ type: 'start', session: null, offer: null, request: REQUEST });
  client.connection('lost').connection('open');
  assert.deepEqual(client.sent(), [[2, REQUEST, 0, 'C'], [2, REQUEST, 0, 'C']]);
});

test('a legal move shows at once, is pending, and the event confirms it and brings the card', () => {
  const client = playing().act({ type: 'drop', source: 1, count: 3, target: 0, area: 'tableau' });
  assert.deepEqual(client.shown, ['0:12,24,3,10', '2:', '0:', '1:5,0']);
  assert.deepEqual(client.sent(), [[4, 4, 1, 3, 0]]);
  assert.equal(client.game.score, 15);
  client.hear(event({ command: move('1 3 0'), changes: [{ type: 'move', ...move('1 3 0') }, { type: 'up', column: 1, card: 30 }] }));
  assert.deepEqual(client.shown, ['0:12,24,3,10', '1:30', '0:', '1:5,0']);
  assert.equal(client.game.pending, null);
  assert.equal(client.game.version, 5);
  assert.deepEqual(client.game.lastMove, { source: 1, count: 3, target: 0, at: 1030, undo: false });
});

test('a refused move is rolled back, flies back and says why', () => {
  const client = playing().act({ type: 'drop', source: 1, count: 3, target: 0, area: 'tableau' });
  client.hear(refusal(4, 4, 'wrong_rank'));
  assert.deepEqual(client.shown, ['0:12', '2:24,3,10', '0:', '1:5,0']);
  assert.deepEqual(client.game.board, client.game.confirmed);
  assert.equal(client.state.notice?.key, 'refusal.wrong_rank');
  assert.deepEqual({ ...client.state.refused, id: 0 }, { id: 0, source: 1, count: 3 });
});

test('with interactive rules the server is asked why a drop is refused; the board shows nothing of it', () => {
  const client = playing().act({ type: 'drop', source: 1, count: 2, target: 2, area: 'tableau' });
  assert.deepEqual(client.shown, ['0:12', '2:24,3,10', '0:', '1:5,0']);
  assert.deepEqual(client.sent(), [[4, 4, 1, 2, 2]]);
  client.hear(refusal(4, 4, 'wants_king'));
  assert.equal(client.state.notice?.key, 'refusal.wants_king');
  assert.equal(client.game.pending, null);
});

test('without interactive rules a refused drop only flies back', () => {
  const client = playing().take({ type: 'settings', changes: { interactiveRules: false } });
  client.act({ type: 'drop', source: 1, count: 2, target: 2, area: 'tableau' });
  assert.deepEqual(client.sent(), []);
  assert.equal(client.state.notice, null);
  assert.equal(client.state.refused?.source, 1);
});

test('cards dropped on their own column or nowhere: nothing happens', () => {
  const client = playing();
  client.act({ type: 'drop', source: 1, count: 2, target: 1, area: 'tableau' });
  client.act({ type: 'drop', source: 1, count: 2, target: null, area: null });
  assert.deepEqual(client.sent(), []);
  assert.equal(client.state.notice, null);
});

test('one command under way: the next waits, shown, and goes when its turn comes', () => {
  const client = playing().act({ type: 'drop', source: 0, count: 1, target: 2, area: 'tableau' });
  client.act({ type: 'drop', source: 1, count: 3, target: 2, area: 'tableau' });
  assert.deepEqual(client.sent(), [[4, 4, 0, 1, 2]]);
  assert.deepEqual(client.shown, ['0:', '2:', '0:12,24,3,10', '1:5,0']);
  client.hear(event({ command: move('0 1 2'), legal: [move('1 3 2')] }));
  assert.deepEqual(client.sent(), [[4, 5, 1, 3, 2]]);
  assert.deepEqual(client.shown, ['0:', '2:', '0:12,24,3,10', '1:5,0']);
});

test('what waits and turns out illegal flies back, with all that waits behind it, and the reason is asked', () => {
  const client = playing().act({ type: 'drop', source: 0, count: 1, target: 2, area: 'tableau' });
  client.act({ type: 'drop', source: 1, count: 2, target: 0, area: 'tableau' });
  client.act({ type: 'drop', source: 3, count: 1, target: 0, area: 'tableau' });
  client.sent();
  client.hear(event({ command: move('0 1 2'), legal: [move('1 3 2')] }));
  assert.deepEqual(client.sent(), [[4, 5, 1, 2, 0]]);
  assert.deepEqual(client.game.queue, []);
  assert.deepEqual(client.game.board, client.game.confirmed);
  client.hear(refusal(4, 5, 'wants_king'));
  assert.equal(client.state.notice?.key, 'refusal.wants_king');
});

test('a refused command drops what waits behind it', () => {
  const client = playing().act({ type: 'drop', source: 0, count: 1, target: 2, area: 'tableau' });
  client.act({ type: 'undo' });
  client.sent();
  client.hear(refusal(4, 4, 'wants_king'));
  assert.deepEqual(client.game.queue, []);
  assert.deepEqual(client.sent(), []);
});

test('a waiting group is found by its card when others left by themselves', () => {
  const client = playing().act({ type: 'drop', source: 0, count: 1, target: 2, area: 'tableau' });
  client.act({ type: 'drop', source: 3, count: 2, target: 0, area: 'tableau' });
  client.sent();
  client.hear(event({
    command: move('0 1 2'),
    changes: [{ type: 'move', ...move('0 1 2') }, { type: 'move', ...move('3 1 16') }],
    legal: [move('3 1 0')],
  }));
  assert.deepEqual(client.sent(), [[4, 5, 3, 1, 0]]);
});

test('taps and double taps wait too, and are decided by the legal moves that arrive', () => {
  const client = playing().act({ type: 'drop', source: 0, count: 1, target: 2, area: 'tableau' });
  client.act({ type: 'tap', pile: 3, index: 2 });
  client.act({ type: 'doubleTap', pile: 1, index: 2 });
  client.sent();
  client.hear(event({ command: move('0 1 2'), legal: [move('3 1 16'), move('1 3 2')] }));
  assert.deepEqual(client.sent(), [[4, 5, 3, 1, 16]]);
  client.hear(event({ version: 6, command: move('3 1 16'), legal: [move('1 3 2')] }));
  assert.deepEqual(client.sent(), [[4, 6, 1, 3, 2]]);
});

test('undo, finish, pause and giving up are pending without a guess', () => {
  const client = playing().act({ type: 'undo' });
  assert.deepEqual(client.sent(), [[5, 4]]);
  assert.deepEqual(client.game.board, client.game.confirmed);
  client.hear(event({ command: UNDO, flags: readFlags(2), changes: [{ type: 'down', column: 3 }, { type: 'move', ...move('0 1 3') }] }));
  assert.deepEqual(client.shown, ['0:', '2:24,3,10', '0:', '2:5,12']);
  assert.equal(client.game.lastMove?.undo, true);
  client.act({ type: 'undo' });
  assert.deepEqual(client.sent(), []);
  client.act({ type: 'finish' });
  assert.deepEqual(client.sent(), [[6, 5]]);
});

test('a pause stops the clock, and nothing but going on is sent', () => {
  const client = playing().act({ type: 'pause' });
  assert.deepEqual(client.sent(), [[7, 4]]);
  client.hear(event({ command: move('255 3 0'), flags: readFlags(8), changes: [], elapsed: 5500 }));
  assert.deepEqual(client.game.elapsed, { ms: 5500, at: 1040, running: false });
  client.act({ type: 'drop', source: 0, count: 1, target: 2, area: 'tableau' }).act({ type: 'undo' });
  assert.deepEqual(client.sent(), []);
  client.act({ type: 'resume' });
  assert.deepEqual(client.sent(), [[8, 5]]);
});

test('a win opens the result and asks for the sealed code', () => {
  const client = playing({ code: null, commitment: 'ab' }).act({ type: 'tap', pile: 3, index: 2 });
  client.sent();
  client.hear(event({ command: move('3 1 16'), flags: readFlags(16), elapsed: 90_000 }));
  assert.equal(client.state.panel, 'win');
  assert.equal(client.game.elapsed.running, false);
  assert.deepEqual(client.sent(), [[11]]);
  client.hear(snapshot({ version: 5, flags: readFlags(16), code: 'YU1-C-AAAAAAB' }));
  assert.equal(client.game.code, 'YU1-C-AAAAAAB');
  assert.equal(client.state.panel, 'win');
});

test('giving up ends the game', () => {
  const client = playing().act({ type: 'resign' });
  assert.deepEqual(client.sent(), [[9, 4]]);
  client.hear(event({ command: RESIGN, flags: readFlags(32), changes: [], elapsed: 1 }));
  assert.equal(client.state.panel, 'new');
  client.act({ type: 'drop', source: 0, count: 1, target: 2, area: 'tableau' });
  assert.deepEqual(client.sent(), []);
});

test('a lost connection: the board stays, the pending command goes out again right after the session', () => {
  const client = playing().act({ type: 'drop', source: 0, count: 1, target: 2, area: 'tableau' });
  client.connection('lost');
  assert.deepEqual(client.shown, ['0:', '2:24,3,10', '0:12', '1:5,0']);
  client.sent();
  client.connection('open');
  assert.deepEqual(client.sent(), [[3, 's1', 4], [4, 4, 0, 1, 2]]);
  client.hear(snapshot());
  assert.deepEqual(client.shown, ['0:', '2:24,3,10', '0:12', '1:5,0']);
  client.hear(event({ command: move('0 1 2') }));
  assert.equal(client.game.version, 5);
  assert.deepEqual(client.sent(), []);
});

test('a command that had arrived before the connection was lost is confirmed, not doubled', () => {
  const client = playing().act({ type: 'drop', source: 0, count: 1, target: 2, area: 'tableau' });
  client.connection('lost').connection('open');
  client.sent();
  const columns = [{ down: 0, cards: [] }, { down: 2, cards: [24, 3, 10] }, { down: 0, cards: [12] }, { down: 1, cards: [5, 0] }];
  client.hear(snapshot({ version: 5, board: { columns, foundations: [[], [13], [], []], stock: 0, waste: [] } }));
  assert.deepEqual(client.shown, ['0:', '2:24,3,10', '0:12', '1:5,0']);
  assert.equal(client.game.pending?.version, 4);
  client.hear({ kind: 'confirmed', version: 5 });
  assert.equal(client.game.pending, null);
  assert.deepEqual(client.sent(), []);
});

test('confirmed before the snapshot: a snapshot is asked for', () => {
  const client = playing().act({ type: 'drop', source: 0, count: 1, target: 2, area: 'tableau' });
  client.sent();
  client.hear({ kind: 'confirmed', version: 5 });
  assert.deepEqual(client.sent(), [[11]]);
});

test('moves made while the connection is lost go out when it is back', () => {
  const client = playing().connection('lost').act({ type: 'drop', source: 0, count: 1, target: 2, area: 'tableau' });
  client.act({ type: 'drop', source: 1, count: 3, target: 2, area: 'tableau' });
  assert.deepEqual(client.sent(), []);
  client.connection('open');
  assert.deepEqual(client.sent(), [[3, 's1', 4], [4, 4, 0, 1, 2]]);
  client.hear(snapshot()).hear(event({ command: move('0 1 2'), legal: [move('1 3 2')] }));
  assert.deepEqual(client.sent(), [[4, 5, 1, 3, 2]]);
});

test('a question for a reason does not outlive its connection', () => {
  const client = playing().act({ type: 'drop', source: 1, count: 2, target: 2, area: 'tableau' });
  client.connection('lost').connection('open');
  client.sent();
  assert.equal(client.game.pending, null);
});

test('a server that restarted may know less: its snapshot wins, and what was pending is decided there', () => {
  const client = playing().act({ type: 'drop', source: 0, count: 1, target: 2, area: 'tableau' });
  client.connection('lost').connection('open').hear(snapshot({ version: 2, score: 5 }));
  assert.equal(client.game.version, 2);
  assert.deepEqual(client.shown, ['0:12', '2:24,3,10', '0:', '1:5,0']);
  client.hear(refusal(4, 4, 'stale')).hear(snapshot({ version: 2, score: 5 }));
  assert.equal(client.game.pending, null);
  client.sent();
  client.act({ type: 'drop', source: 0, count: 1, target: 2, area: 'tableau' });
  assert.deepEqual(client.sent(), [[4, 2, 0, 1, 2]]);
});

test('another tab moved: its event shows here, and our stale command gives way to the snapshot', () => {
  const client = playing().act({ type: 'drop', source: 0, count: 1, target: 2, area: 'tableau' });
  client.hear(event({ command: move('3 1 16') }));
  assert.deepEqual(client.shown, ['0:12', '2:24,3,10', '0:', '1:5']);
  client.hear(refusal(4, 4, 'stale'));
  assert.equal(client.game.pending, null);
  assert.equal(client.state.notice?.key, 'refusal.stale');
  client.hear(snapshot({ version: 5 }));
  assert.equal(client.game.asked, false);
});

test('both tabs made the same move: the event serves both, the late confirmation changes nothing', () => {
  const client = playing().act({ type: 'drop', source: 0, count: 1, target: 2, area: 'tableau' });
  client.hear(event({ command: move('0 1 2'), legal: [move('3 1 16')] }));
  client.act({ type: 'tap', pile: 3, index: 2 });
  client.sent();
  client.hear({ kind: 'confirmed', version: 5 });
  assert.equal(client.game.pending?.version, 5);
  assert.deepEqual(client.sent(), []);
});

test('a gap asks for one snapshot; meanwhile what the player does waits', () => {
  const client = playing().hear(event({ version: 7, command: move('0 1 2') })).hear(event({ version: 8, command: move('2 1 0') }));
  assert.deepEqual(client.sent(), [[11]]);
  client.act({ type: 'drop', source: 0, count: 1, target: 2, area: 'tableau' });
  assert.deepEqual(client.sent(), []);
  client.hear(snapshot({ version: 8 }));
  assert.deepEqual(client.sent(), [[4, 8, 0, 1, 2]]);
});

test('unavailable keeps the command pending and tries again', () => {
  const client = playing().act({ type: 'drop', source: 0, count: 1, target: 2, area: 'tableau' });
  client.sent();
  for (const code of ['unavailable', 'too_fast']) {
    client.effects = [];
    client.hear(refusal(4, 4, code, true));
    assert.deepEqual(client.effects, [{ type: 'retry', kind: 'pending' }]);
    assert.deepEqual(client.shown, ['0:', '2:24,3,10', '0:12', '1:5,0']);
    client.take({ type: 'retry', kind: 'pending', now: 1 }).take({ type: 'retry', kind: 'pending', now: 1 });
    assert.deepEqual(client.sent(), [[4, 4, 0, 1, 2]]);
  }
});

test('no session on this socket: it is opened again and the command follows', () => {
  const client = playing().act({ type: 'drop', source: 0, count: 1, target: 2, area: 'tableau' });
  client.sent();
  client.hear(refusal(4, 4, 'no_session'));
  assert.deepEqual(client.sent(), [[3, 's1', 4]]);
  client.hear(snapshot());
  assert.deepEqual(client.sent(), [[4, 4, 0, 1, 2]]);
});

test('a snapshot asked for on a socket that shows no session: the session is opened again', () => {
  const client = playing().hear(event({ version: 7, command: move('0 1 2') }));
  client.sent();
  client.hear(refusal(11, null, 'no_session'));
  assert.deepEqual(client.sent(), [[3, 's1', 4]]);
  client.hear(refusal(3, 4, 'no_such_session'));
  assert.deepEqual(client.sent(), []);
  assert.equal(client.state.notice?.key, 'notice.game_gone');
});

test('a snapshot that got lost with its connection stays awaited: nothing is sent that is made on an old board', () => {
  const client = playing().hear(event({ version: 7, command: move('0 1 2') })).connection('lost');
  client.act({ type: 'drop', source: 0, count: 1, target: 2, area: 'tableau' });
  client.sent();
  client.connection('open');
  assert.deepEqual(client.sent(), [[3, 's1', 4]]);
  client.hear(snapshot({ version: 7 }));
  assert.deepEqual(client.sent(), [[4, 7, 0, 1, 2]]);
});

test('a command that waits for another try outlives a snapshot, with all that waits behind it', () => {
  const client = playing().act({ type: 'drop', source: 0, count: 1, target: 2, area: 'tableau' });
  client.act({ type: 'drop', source: 1, count: 3, target: 2, area: 'tableau' });
  client.hear(refusal(4, 4, 'unavailable', true));
  client.sent();
  const columns = [{ down: 0, cards: [] }, { down: 2, cards: [24, 3, 10] }, { down: 0, cards: [12] }, { down: 1, cards: [5, 0] }];
  client.hear(snapshot({ version: 5, board: { columns, foundations: [[], [13], [], []], stock: 0, waste: [] }, legal: [move('1 3 2')] }));
  assert.deepEqual(client.sent(), [[4, 4, 0, 1, 2]]);
  client.hear({ kind: 'confirmed', version: 5 });
  assert.deepEqual(client.sent(), [[4, 5, 1, 3, 2]]);
});

test('a draw shows an unknown card until the event names it', () => {
  const board = { columns: [{ down: 0, cards: [1] }], foundations: [[], [], [], []], stock: 2, waste: [9] };
  const client = playing({ board, legal: [DRAW] }).act({ type: 'draw' });
  assert.deepEqual(client.game.board.waste, [9, -1]);
  assert.equal(client.game.board.stock, 1);
  client.act({ type: 'draw' });
  assert.deepEqual(client.game.board.waste, [9, -1, -1]);
  client.hear(event({ command: DRAW, changes: [{ type: 'move', ...DRAW }, { type: 'waste', card: 33 }], legal: [DRAW] }));
  assert.deepEqual(client.game.board.waste, [9, 33, -1]);
  assert.deepEqual(client.sent(), [[4, 4, 24, 1, 25], [4, 5, 24, 1, 25]]);
});

test('a finish brings all its cards with one event', () => {
  const client = playing({ flags: readFlags(3) }).act({ type: 'finish' });
  client.hear(event({ command: FINISH, flags: readFlags(16), changes: [{ type: 'move', ...move('3 1 16') }, { type: 'move', ...move('3 1 17') }], elapsed: 1 }));
  assert.deepEqual(client.game.board.foundations, [[0], [13, 5], [], []]);
});

test('taps select, place, change their mind and deselect', () => {
  const client = playing().act({ type: 'tap', pile: 1, index: 2 });
  assert.deepEqual(client.state.selection, { pile: 1, count: 3 });
  client.act({ type: 'tap', pile: 1, index: 2 });
  assert.equal(client.state.selection, null);
  client.act({ type: 'tap', pile: 1, index: 0 });
  assert.equal(client.state.selection, null);
  client.act({ type: 'tap', pile: 1, index: 3 }).act({ type: 'tap', pile: 0, index: 0 });
  assert.deepEqual(client.sent(), [[4, 4, 1, 2, 0]]);
  assert.deepEqual(client.state.selection, { pile: 0, count: 1 });
  client.hear(refusal(4, 4, 'wrong_rank'));
  client.act({ type: 'tap', pile: 2, index: -1 });
  assert.deepEqual(client.sent(), [[4, 4, 0, 1, 2]]);
  assert.equal(client.state.selection, null);
});

test('a selection ends when its cards go elsewhere', () => {
  const client = playing().act({ type: 'tap', pile: 1, index: 4 });
  client.hear(event({ command: move('3 1 16') }));
  assert.deepEqual(client.state.selection, { pile: 1, count: 1 });
  client.hear(event({ version: 6, command: move('1 1 3') }));
  assert.equal(client.state.selection, null);
});

test('with double click off the second tap only ends the selection', () => {
  const client = playing().act({ type: 'tap', pile: 1, index: 2 }).take({ type: 'settings', changes: { doubleClick: false } });
  client.act({ type: 'doubleTap', pile: 1, index: 2 });
  assert.deepEqual(client.sent(), []);
  assert.equal(client.state.selection, null);
});

test('a link offers its deal and changes nothing until the button is pressed', () => {
  const client = new Client().connection('open').take({ type: 'start', session: null, offer: 'YU1-R-AAAAAAB', request: REQUEST });
  assert.deepEqual(client.sent(), []);
  assert.equal(client.state.panel, 'offer');
  client.act({ type: 'new', origin: 1, text: 'YU1-R-AAAAAAB' });
  assert.deepEqual(client.sent(), [[2, REQUEST, 1, 'YU1-R-AAAAAAB']]);
  client.hear(snapshot({ letter: 'R', origin: 1 }));
  assert.equal(client.state.panel, null);
  assert.equal(client.state.offer, null);
  assert.equal(client.state.settings.lastRuleset, 'R');
  assert.ok(client.effects.some((effect) => effect.type === 'address' && effect.path === '/'));
});

test('who does not take a link\'s deal gets a board all the same', () => {
  const client = new Client().connection('open').take({ type: 'start', session: null, offer: 'YU1-R-AAAAAAB', request: REQUEST });
  client.act({ type: 'panel', panel: null });
  assert.deepEqual(client.sent(), [[2, REQUEST, 0, 'C']]);
  assert.ok(client.effects.some((effect) => effect.type === 'address' && effect.path === '/'));
  client.act({ type: 'panel', panel: 'menu' }).act({ type: 'panel', panel: null });
  assert.deepEqual(client.sent(), []);
});

test('the last game goes on behind the offer of a link', () => {
  const client = new Client().connection('open').take({ type: 'start', session: 's1', offer: 'YU1-R-AAAAAAB', request: REQUEST });
  assert.deepEqual(client.sent(), [[3, 's1', null]]);
  client.hear(snapshot());
  assert.equal(client.state.panel, 'offer');
  assert.equal(client.game.session, 's1');
});

test('a code that cannot be read leaves the panel open and says so', () => {
  const client = playing().act({ type: 'panel', panel: 'new' }).act({ type: 'new', origin: 1, text: 'hm' });
  client.hear(refusal(2, REQUEST, 'bad_code'));
  assert.equal(client.state.dealing, null);
  assert.equal(client.state.panel, 'new');
  assert.equal(client.state.notice?.key, 'refusal.bad_code');
  assert.equal(client.state.notice?.params.reason, 'bad_code');
});

test('a last session that is gone gives a new game at the first opening, and a choice in mid-game', () => {
  const client = new Client().connection('open').take({ type: 'start', session: 'old', offer: null, request: REQUEST });
  client.hear(refusal(3, null, 'no_such_session'));
  assert.ok(client.effects.some((effect) => effect.type === 'deal' && effect.letter === 'C'));
  assert.ok(client.effects.some((effect) => effect.type === 'saveSession' && effect.session === null));
  const other = playing().connection('lost').connection('open').hear(refusal(3, 4, 'no_such_session'));
  assert.equal(other.state.panel, 'new');
  assert.deepEqual(other.game.legal, []);
});

test('a game stopped for good says so', () => {
  const client = playing().connection('stopped', 4500);
  assert.equal(client.state.connection, 'stopped');
  assert.equal(client.state.stopCode, 4500);
});

test('under a page no game is dealt for want of one, but when the table is seen again', () => {
  const client = new Client().take({ type: 'cover', covered: true, request: REQUEST });
  client.take({ type: 'start', session: null, offer: null, request: REQUEST }).connection('open');
  assert.deepEqual(client.sent(), []);
  client.take({ type: 'cover', covered: false, request: REQUEST });
  assert.deepEqual(client.sent(), [[2, REQUEST, 0, 'C']]);
});

test('what is asked for on a page is dealt, and nothing beside it', () => {
  const client = new Client().take({ type: 'cover', covered: true, request: REQUEST });
  client.take({ type: 'start', session: null, offer: null, request: REQUEST }).connection('open');
  client.act({ type: 'new', origin: 3, text: 'T' }).take({ type: 'cover', covered: false, request: REQUEST });
  assert.deepEqual(client.sent(), [[2, REQUEST, 3, 'T']]);
  client.hear(snapshot({ origin: 3, counts: true, day: '2026-11-30' }));
  assert.deepEqual([client.game.counts, client.game.day], [true, '2026-11-30']);
});

test('a page closes what was open over the table; a result waits until it is seen again', () => {
  const client = playing().act({ type: 'panel', panel: 'menu' }).take({ type: 'cover', covered: true, request: REQUEST });
  assert.equal(client.state.panel, null);
  const over = playing().hear(event({ command: move('3 1 16'), flags: readFlags(16) })).take({ type: 'cover', covered: true, request: REQUEST });
  assert.equal(over.state.panel, 'win');
});

test('another game is opened instead of the one on the table', () => {
  const client = playing().act({ type: 'open', session: 's2' });
  assert.deepEqual(client.sent(), [[3, 's2', null]]);
  client.hear(snapshot({ session: 's2', version: 9 }));
  assert.deepEqual([client.game.session, client.game.version, client.state.opening], ['s2', 9, null]);
  assert.deepEqual(client.act({ type: 'open', session: 's2' }).sent(), []);
});

test('another game that is opened without a connection is opened when there is one', () => {
  const client = playing().connection('lost').act({ type: 'open', session: 's2' });
  assert.deepEqual(client.connection('open').sent(), [[3, 's2', null]]);
});

test('where the other game is gone, the one on the table goes on', () => {
  const client = playing().act({ type: 'open', session: 's2' });
  client.sent();
  client.hear(refusal(3, null, 'no_such_session'));
  assert.equal(client.state.notice?.key, 'refusal.no_such_session');
  assert.deepEqual(client.sent(), [[3, 's1', 4]]);
  client.hear(snapshot());
  assert.deepEqual([client.game.session, client.state.panel], ['s1', null]);
});

test('a pause takes a game out of the ranking', () => {
  const client = playing({ origin: 2, counts: true });
  assert.equal(client.game.counts, true);
  client.hear(event({ command: PAUSE, changes: [], flags: readFlags(8), elapsed: 4000 }));
  client.hear(event({ version: 6, command: RESUME, changes: [], flags: readFlags(1), elapsed: 4000 }));
  assert.equal(client.game.counts, false);
});

test('a server that restarts is said with the connection, once, until it is back', () => {
  const client = playing();
  client.hear({ kind: 'notice', code: 'stopping', text: null });
  assert.equal(client.state.notice, null);
  client.connection('lost');
  assert.ok(client.state.stopping);
  client.connection('open');
  assert.equal(client.state.stopping, false);
});

test('the deal of the day that is on the table already is dealt by going on with it', () => {
  const client = playing({ origin: 3, counts: true, day: '2026-11-30' }).act({ type: 'panel', panel: 'new' }).act({ type: 'new', origin: 3, text: 'C' });
  assert.deepEqual(client.sent(), [[2, REQUEST, 3, 'C']]);
  client.hear(snapshot({ origin: 3, counts: true, day: '2026-11-30' }));
  assert.deepEqual([client.state.dealing, client.state.panel], [null, null]);
  assert.deepEqual(client.act({ type: 'new', origin: 0, text: 'R' }).sent(), [[2, REQUEST, 0, 'R']]);
});
