import assert from 'node:assert/strict';
import { test } from 'node:test';

import { hasPlayer, loadSession, loadSettings, readSettings, savePlayer, saveSession, saveSettings } from '../../client/js/settings.js';
import { DEFAULTS } from '../../client/js/state.js';
import { codeFrom } from '../../client/js/code.js';

/** A storage in memory. */
function memory() {
  /** @type {Map<string, string>} */
  const items = new Map();
  const storage = {
    getItem: (/** @type {string} */ key) => items.get(key) ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ value) => void items.set(key, value),
    removeItem: (/** @type {string} */ key) => void items.delete(key),
  };
  return { items, storage: () => /** @type {Storage} */ (/** @type {unknown} */ (storage)) };
}

test('settings come back as they were saved', () => {
  const { storage } = memory();
  assert.deepEqual(loadSettings(storage), DEFAULTS);
  const mine = { ...DEFAULTS, autoPlacement: true, theme: /** @type {const} */ ('dark'), lastRuleset: 'A' };
  saveSettings(storage, mine);
  assert.deepEqual(loadSettings(storage), mine);
});

test('what is damaged or unknown is passed over, the rest kept', () => {
  assert.deepEqual(readSettings({ doubleClick: 'no', theme: 'pink', fourColours: true, other: 1 }), { ...DEFAULTS, fourColours: true });
  for (const damaged of [null, 7, 'x', []]) assert.deepEqual(readSettings(damaged), DEFAULTS);
  const { items, storage } = memory();
  items.set('yukon.settings', '{not json');
  assert.deepEqual(loadSettings(storage), DEFAULTS);
});

test('a browser that forbids storage plays without', () => {
  /** @returns {Storage} */
  const forbidden = () => {
    throw new Error('SecurityError');
  };
  assert.deepEqual(loadSettings(forbidden), DEFAULTS);
  assert.equal(loadSession(forbidden), null);
  saveSettings(forbidden, { ...DEFAULTS });
  saveSession(forbidden, 's');
});

test('the last session is remembered and forgotten', () => {
  const { storage } = memory();
  saveSession(storage, 's1');
  assert.equal(loadSession(storage), 's1');
  saveSession(storage, null);
  assert.equal(loadSession(storage), null);
});

test('a browser that has signed in before knows it, until the server does not', () => {
  const { storage } = memory();
  assert.equal(hasPlayer(storage), false);
  savePlayer(storage, 'p1');
  assert.equal(hasPlayer(storage), true);
  savePlayer(storage, null);
  assert.equal(hasPlayer(storage), false);
});

test('a code is found in what was pasted: the code, a link, a path', () => {
  assert.equal(codeFrom('  yu1-c-aaaaaab '), 'yu1-c-aaaaaab');
  assert.equal(codeFrom('https://yukon.example/g/YU1-C-AAAAAAB?x=1#y'), 'YU1-C-AAAAAAB');
  assert.equal(codeFrom('Try this: http://localhost:8000/g/YU1-R-AAAAAAB !'), 'YU1-R-AAAAAAB');
  assert.equal(codeFrom('/g/YU1%2DC%2DAAAAAAB'), 'YU1-C-AAAAAAB');
  assert.equal(codeFrom('/g/%E0%A4%A'), '%E0%A4%A');
  assert.equal(codeFrom('Look at http://localhost:8000/g/YU1-R-AAAAAAB.'), 'YU1-R-AAAAAAB');
  assert.equal(codeFrom('Play \u201cyu1-c-aaaaaab\u201d with me!'), 'yu1-c-aaaaaab');
  // Spaced as it may be, a code is read as a whole: never the half of a longer one.
  for (const code of ['YU1-C-AAAAAAA AAAAAAA AAAAAAA AAAAA', 'yu1 c aaaaaab', 'YU1\u2013C\u2013AAAAAAB', 'hello', 'YU1-C-AAA!']) assert.equal(codeFrom(code), code);
});
