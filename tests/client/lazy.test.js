import assert from 'node:assert/strict';
import { test } from 'node:test';

import { loadPart } from '../../client/js/lazy.js';

test('a script that failed is asked for at another address each time, until it comes', async () => {
  const dataset = { assets: 'data:text/javascript,throw new Error("not yet");//' };
  Object.assign(globalThis, { document: { documentElement: { dataset } } });
  const load = () => Promise.reject(new Error('lost'));
  await assert.rejects(loadPart('part.js', load), /lost/);
  await assert.rejects(loadPart('part.js', load), /not yet/);
  dataset.assets = 'data:text/javascript,export const address = import.meta.url;//';
  assert.match((await loadPart('part.js', /** @type {() => Promise<any>} */ (load))).address, /js\/part\.js\?2$/);
  assert.equal(await loadPart('other.js', () => Promise.resolve('came')), 'came');
});
