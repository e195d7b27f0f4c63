/** What update() makes of a server that has another client than this one, and of parts that fail. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { isNewer } from '../../client/js/state.js';
import { readFlags } from '../../client/js/wire.js';
import { Client, REQUEST, event, move, playing } from './playing.js';

/** @typedef {import('../../client/js/types.js').ServerMessage} ServerMessage */

/** The server at the door. @param {...string} capabilities @returns {ServerMessage} */
const welcome = (...capabilities) => ({ kind: 'welcome', protocol: 1, player: 'p', name: null, time: 0, capabilities: ['rooms', ...capabilities] });

/** A page by its hash, in the middle of a game, whose first connection was to a server with `first`. @param {string | null} client */
function pageOf(client, first = client ?? '') {
  const page = playing();
  page.state = { ...page.state, client };
  return page.hear(welcome(`client:${first}`));
}

/** The connection is lost, and comes again. @param {Client} page @param {...string} capabilities */
const again = (page, ...capabilities) => page.connection('lost').connection('open').hear(welcome(...capabilities));

test('a server with another client is told until it is put away, and that client no more', () => {
  const page = pageOf('old').hear(welcome('client:new'));
  assert.equal(isNewer(page.state), true);
  assert.equal(isNewer(page.connection('lost').state), false);
  assert.equal(isNewer(page.connection('open').hear(welcome('client:new')).state), true);
  assert.equal(isNewer(page.act({ type: 'later' }).state), false);
  assert.equal(isNewer(again(page, 'client:new').state), false);
  assert.equal(isNewer(again(page, 'client:old').state), false);
  assert.equal(isNewer(again(page, 'client:new').state), false);
  assert.equal(isNewer(again(page, 'client:newest').state), true);
  assert.equal(isNewer(again(page, 'client:old').state), false);
});

test('a page that just came says nothing of a server with another client, until that lasts', () => {
  const page = pageOf('new', 'old');
  assert.equal(isNewer(page.state), false);
  assert.equal(isNewer(again(page, 'client:new').state), false);
  const other = pageOf('new', 'old');
  assert.equal(isNewer(again(other, 'client:old').state), true);
  assert.equal(isNewer(pageOf('new', 'old').take({ type: 'failed' }).state), true);
});

test('nothing is compared where one of the two has no hash', () => {
  assert.equal(isNewer(pageOf(null).hear(welcome('client:new')).state), false);
  assert.equal(isNewer(pageOf('old').hear(welcome()).state), false);
  assert.equal(isNewer(pageOf('old').hear(welcome('client:old')).state), false);
});

test('a newer version waits while there is something better to do', () => {
  const page = pageOf('old').hear(welcome('client:new')).hear(event({ command: move('1 1 3'), flags: readFlags(3) }));
  assert.equal(isNewer(page.state), false);
  page.hear(event({ version: 6, command: move('1 1 3'), flags: readFlags(5) }));
  assert.equal(isNewer(page.state), true);
  const lost = { letter: 'C', name: 'Classic', sentence: '', columns: 7, foundations: 4, decks: 1, lost: true };
  assert.equal(isNewer(page.take({ type: 'rules', rulesets: [lost] }).state), false);
  assert.equal(isNewer(page.take({ type: 'cover', covered: true, request: REQUEST }).state), true);
});

test('a part that fails is told in the usual words where the server has this very client', () => {
  const page = pageOf('old').hear(welcome('client:old')).act({ type: 'panel', panel: 'new' });
  page.take({ type: 'failed', panel: 'new' });
  assert.deepEqual([page.state.panel, page.state.notice?.key, isNewer(page.state)], [null, 'notice.page_failed', false]);
  page.act({ type: 'panel', panel: 'menu' }).take({ type: 'failed' });
  assert.equal(page.state.panel, 'menu');
});

test('a part that fails brings back the word of a newer version, and nothing else', () => {
  const page = pageOf('old').hear(welcome('client:new')).act({ type: 'later' }).act({ type: 'panel', panel: 'menu' });
  page.take({ type: 'failed' });
  assert.deepEqual([page.state.panel, page.state.notice, isNewer(page.state)], [null, null, true]);
  // Until it is put away once more.
  assert.equal(isNewer(again(page, 'client:new').state), true);
  assert.equal(isNewer(again(page.act({ type: 'later' }), 'client:new').state), false);
});

test('where that word has to wait, a part that fails is told all the same', () => {
  const page = pageOf('old').hear(welcome('client:new')).connection('lost').take({ type: 'failed', panel: 'new' });
  assert.equal(page.state.notice?.key, 'notice.page_failed');
});

test('an offered deal stays offered when its panel fails', () => {
  const page = new Client();
  page.take({ type: 'start', session: null, offer: 'YU1-C-AAAAAAB', request: REQUEST }).connection('open').take({ type: 'failed', panel: 'offer' });
  assert.deepEqual([page.state.panel, page.state.offer, page.state.notice?.key], ['offer', 'YU1-C-AAAAAAB', 'notice.page_failed']);
});

test('an offered deal comes back when another panel fails, and a result stays wanted when its own does', () => {
  const page = new Client();
  page.take({ type: 'start', session: null, offer: 'YU1-C-AAAAAAB', request: REQUEST }).connection('open').act({ type: 'panel', panel: 'menu' });
  assert.equal(page.take({ type: 'failed', panel: 'menu' }).state.panel, 'offer');
  const won = pageOf('old').hear(event({ command: move('1 1 3'), flags: readFlags(16) }));
  assert.equal(won.state.panel, 'win');
  assert.equal(won.take({ type: 'failed', panel: 'win' }).state.panel, 'win');
});
