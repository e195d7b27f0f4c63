/** What update() makes of a connection that breaks, answers late or loses something: no command is lost or doubled. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { event, move, playing, refusal, snapshot } from './playing.js';

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

test('a game stopped for good says so', () => {
  const client = playing().connection('stopped', 4500);
  assert.equal(client.state.connection, 'stopped');
  assert.equal(client.state.stopCode, 4500);
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
