/** Which game update() deals or opens: at a first visit, from a link, over a page, instead of another. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readFlags } from '../../client/js/wire.js';
import { Client, REQUEST, event, move, playing, refusal, snapshot } from './playing.js';

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
  // Where nothing was played on the cards that are gone, others are dealt.
  const untouched = playing({ version: 0, letter: 'R' }).connection('lost').connection('open').hear(refusal(3, 0, 'no_such_session'));
  assert.ok(untouched.effects.some((effect) => effect.type === 'deal' && effect.letter === 'R'));
  assert.equal(untouched.state.notice, null);
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
  client.hear(snapshot({ origin: 3, counts: true, day: '2026-11-30', first: true }));
  assert.deepEqual([client.game.counts, client.game.day, client.game.first], [true, '2026-11-30', true]);
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

test('the deal of the day that is on the table already is dealt by going on with it', () => {
  const client = playing({ origin: 3, counts: true, day: '2026-11-30' }).act({ type: 'panel', panel: 'new' }).act({ type: 'new', origin: 3, text: 'C' });
  assert.deepEqual(client.sent(), [[2, REQUEST, 3, 'C']]);
  client.hear(snapshot({ origin: 3, counts: true, day: '2026-11-30' }));
  assert.deepEqual([client.state.dealing, client.state.panel], [null, null]);
  assert.deepEqual(client.act({ type: 'new', origin: 0, text: 'R' }).sent(), [[2, REQUEST, 0, 'R']]);
});
