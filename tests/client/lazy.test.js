import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { mock, test } from 'node:test';

import { loadPart, sparing, waits } from '../../client/js/lazy.js';

const turns = async () => {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
};

test('a script that failed is looked for in another folder each time, until it comes', async () => {
  // A slash more, since what is put together goes on in a comment.
  const dataset = { assets: 'data:text/javascript,throw new Error("not yet");///' };
  Object.assign(globalThis, { document: { documentElement: { dataset } } });
  const load = () => Promise.reject(new Error('lost'));
  await assert.rejects(loadPart('part.js', load), /lost/);
  await assert.rejects(loadPart('part.js', load), /not yet/);
  await assert.rejects(loadPart('other.js', load), /lost/);
  dataset.assets = 'data:text/javascript,export const address = import.meta.url;///';
  const come = async (/** @type {string} */ path) => (await loadPart(path, /** @type {() => Promise<any>} */ (load))).address;
  assert.match(await come('part.js'), /-2\/js\/part\.js$/);
  // No folder in which a script that both import may have failed.
  assert.match(await come('other.js'), /-3\/js\/other\.js$/);
  assert.match(await come('part.js'), /-2\/js\/part\.js$/);
  assert.equal(await loadPart('third.js', () => Promise.resolve('came')), 'came');
});

test('a further try waits twice as long each time, a minute at most', () => {
  const wait = waits(4_000);
  assert.deepEqual(Array.from({ length: 6 }, wait), [4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
});

test('what is wanted at every turn is asked for sparingly after a failure, and then once', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  let asked = 0;
  let again = 0;
  /** @type {() => Promise<string>} */
  let load = () => Promise.reject(new Error('broken'));
  const part = sparing(() => {
    asked += 1;
    return load();
  }, () => (again += 1));
  /** @type {number[]} */
  const seen = [];
  for (const ms of [0, 1_999, 1, 3_999, 1]) {
    mock.timers.tick(ms);
    for (let draw = 0; draw < 3; draw += 1) assert.equal(await part(), null);
    await turns();
    seen.push(asked);
  }
  assert.deepEqual([seen, again], [[1, 1, 2, 2, 3], 2]);
  load = () => Promise.resolve('came');
  mock.timers.tick(8_000);
  mock.timers.reset();
  assert.deepEqual([await part(), await part(), asked, again], ['came', 'came', 4, 3]);
});

test('every part that somebody waits for can be had after a failure', () => {
  const client = new URL('../../client/js/', import.meta.url);
  const names = readdirSync(client, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
  /** @type {string[]} */
  const bare = [];
  for (const name of names) {
    const source = readFileSync(new URL(name, client), 'utf8').replaceAll(/\/\*\*[\s\S]*?\*\//g, '');
    for (const [, path, relative] of source.matchAll(/(?:loadPart\('([^']+)', \(\) => )?import\('([^']+)'\)/g)) {
      const meant = new URL(relative, new URL(name, client)).href.slice(client.href.length);
      if (path !== meant) bare.push(meant);
    }
  }
  // The land comes or does not.
  assert.deepEqual(bare, ['contours.js']);
});
