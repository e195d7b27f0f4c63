/** What update() makes of what the player does on the table, and of what the server says to it. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { DRAW, FINISH, PAUSE, RESIGN, RESUME, UNDO, readFlags } from '../../client/js/wire.js';
import { event, move, playing, refusal, snapshot } from './playing.js';

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
  // It does not stay over what is done next.
  client.act({ type: 'lift', pile: 1, count: 1 });
  assert.equal(client.state.notice, null);
});

test('with interactive rules the server is asked why a drop is refused; the board shows nothing of it', () => {
  const client = playing().act({ type: 'drop', source: 1, count: 2, target: 2, area: 'tableau' });
  assert.deepEqual(client.shown, ['0:12', '2:24,3,10', '0:', '1:5,0']);
  assert.deepEqual(client.sent(), [[4, 4, 1, 2, 2]]);
  client.hear(refusal(4, 4, 'wants_king'));
  assert.equal(client.state.notice?.key, 'refusal.wants_king');
  assert.equal(client.game.pending, null);
});

test('a tap on a face-down card says why it stays, where the player wants to know', () => {
  const client = playing().act({ type: 'tap', pile: 1, index: 0 });
  assert.equal(client.state.notice?.key, 'refusal.face_down');
  assert.equal(client.state.selection, null);
  client.take({ type: 'settings', changes: { interactiveRules: false } }).act({ type: 'tap', pile: 1, index: 0 });
  assert.equal(client.state.notice, null);
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

test('a pause takes a game out of the ranking', () => {
  const client = playing({ origin: 2, counts: true });
  assert.equal(client.game.counts, true);
  client.hear(event({ command: PAUSE, changes: [], flags: readFlags(8), elapsed: 4000 }));
  client.hear(event({ version: 6, command: RESUME, changes: [], flags: readFlags(1), elapsed: 4000 }));
  assert.equal(client.game.counts, false);
});
