/** What update() makes of a server that has another client than this one, and of parts that fail. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { isNewer } from '../../client/js/state.js';
import { readFlags } from '../../client/js/wire.js';
import { Client, REQUEST, event, move, playing } from './playing.js';

/** @typedef {import('../../client/js/types.js').ServerMessage} ServerMessage */

/** The server at the door. @param {...string} capabilities @returns {ServerMessage} */
const welcome = (...capabilities) => ({ kind: 'welcome', protocol: 1, player: 'p', name: null, time: 0, capabilities: ['rooms', ...capabilities] });

/** A page by its hash, in the middle of a game. @param {string | null} client */
function pageOf(client) {
  const page = playing();
  page.state = { ...page.state, client };
  return page;
}

test('a server with another client is told until it is put away, and again at the next connection', () => {
  const page = pageOf('old').hear(welcome('client:new'));
  assert.equal(isNewer(page.state), true);
  assert.equal(isNewer(page.connection('lost').state), false);
  page.connection('open').hear(welcome('client:new')).act({ type: 'later' });
  assert.equal(isNewer(page.state), false);
  assert.equal(isNewer(page.connection('lost').connection('open').state), false);
  assert.equal(isNewer(page.hear(welcome('client:new')).state), true);
  assert.equal(isNewer(page.connection('lost').connection('open').hear(welcome('client:old')).state), false);
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
