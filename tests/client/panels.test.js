import assert from 'node:assert/strict';
import { mock, test } from 'node:test';

import { initialState } from '../../client/js/state.js';
import { fakePage } from './fakedom.js';
import { playing } from './playing.js';

/** @typedef {import('../../client/js/types.js').State} State */
/** @typedef {import('../../client/js/panels.js').Makers} Makers */

fakePage();
Object.assign(globalThis, {
  matchMedia: () => ({ matches: false }), requestAnimationFrame: () => 0,
  window: { setTimeout: (/** @type {() => void} */ work, /** @type {number} */ ms) => setTimeout(work, ms) },
});
const { createPanels } = await import('../../client/js/panels.js');

/** What panels.js sees of a dialog. */
class FakeDialog {
  open = false;
  /** @type {any} */
  element = { showModal: () => (this.open = true), close: () => (this.open = false) };
  render() {}
}

/** The panels, with a part that comes or fails as `next` says, and what is told of it. */
class World {
  asked = 0;
  dialog = new FakeDialog();
  /** @type {string[]} */
  told = [];
  state = initialState();
  /** @type {() => Promise<{MAKERS: Makers}>} */
  next = () => Promise.resolve({ MAKERS: { new: () => this.dialog } });

  constructor() {
    const root = /** @type {any} */ ({ append() {} });
    const context = /** @type {any} */ ({ failed: (/** @type {Error} */ { message }, /** @type {string} */ name) => this.told.push(`${name}: ${message}`) });
    this.panels = createPanels(root, context, () => {
      this.asked += 1;
      return this.next();
    });
    this.state.connection = 'open';
  }

  /** Draws, and lets what was asked for come. @param {Partial<State>} [changes] */
  async show(changes) {
    this.state = { ...this.state, ...changes };
    this.panels.render(this.state);
    await turns();
  }

  /** Lets time pass, and what was asked for come. @param {number} ms */
  async pass(ms) {
    mock.timers.tick(ms);
    await turns();
  }
}

const turns = async () => {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
};

const broken = () => Promise.reject(new Error('broken'));

test('a panel opens when its part has come', async () => {
  const here = new World();
  await here.show({ panel: 'new' });
  assert.deepEqual([here.asked, here.dialog.open, here.told], [1, true, []]);
});

test('a part that fails is told once and asked for again only when the player does', async () => {
  const here = new World();
  const { next } = here;
  here.next = broken;
  await here.show({ panel: 'new' });
  await here.show({ panel: 'new' });
  assert.deepEqual([here.asked, here.told], [1, ['new: broken']]);
  await here.show({ panel: null });
  await here.show({ panel: 'new' });
  assert.deepEqual([here.asked, here.told.length], [2, 2]);
  here.next = next;
  await here.show({ panel: null });
  await here.show({ panel: 'new' });
  assert.deepEqual([here.asked, here.dialog.open], [3, true]);
});

test('while there is no connection it is tried again and again, and nothing is told', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const here = new World();
  const { next } = here;
  here.next = broken;
  await here.show({ connection: 'lost', panel: 'new' });
  here.next = next;
  mock.timers.tick(2000);
  mock.timers.reset();
  await here.show();
  assert.deepEqual([here.asked, here.dialog.open, here.told], [2, true, []]);
});

test('what nobody waits for fails without a word to the player', async () => {
  const here = new World();
  const said = mock.method(console, 'error', () => {});
  here.next = broken;
  await here.show();
  await Promise.race([here.panels.prepare(), here.show()]);
  assert.deepEqual([here.told, said.mock.callCount()], [[], 1]);
  said.mock.restore();
});

test('a panel that cannot be made is told, too, and keeps none of the others shut', async () => {
  const here = new World();
  const make = () => {
    throw new Error('of another version');
  };
  here.next = () => Promise.resolve({ MAKERS: { new: make, menu: () => here.dialog } });
  await here.show({ panel: 'new' });
  await here.show({ panel: 'new' });
  assert.deepEqual(here.told, ['new: of another version']);
  await here.show({ panel: 'menu' });
  assert.equal(here.dialog.open, true);
});

/** A game as it stands with these flags. @param {Partial<import('../../client/js/types.js').Flags>} flags */
function gameWith(flags) {
  const { game } = playing();
  return { ...game, flags: { ...game.flags, ...flags } };
}

const UNASKED = /** @type {const} */ ([
  ['offer', { panel: 'offer' }], ['pause', { game: gameWith({ paused: true }) }], ['win', { panel: 'win', game: gameWith({ won: true }) }],
]);
for (const [name, state] of UNASKED) {
  test(`${name}, which nobody asked for, is tried again ever less often, and told once`, async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const said = mock.method(console, 'error', () => {});
    const here = new World();
    here.next = broken;
    await here.show(state);
    const asked = [here.asked];
    for (const ms of [1_999, 1, 3_999, 1]) {
      await here.pass(ms);
      await here.show();
      asked.push(here.asked);
    }
    assert.deepEqual([asked, here.told], [[1, 1, 2, 2, 3], [`${name}: broken`]]);
    here.next = () => Promise.resolve({ MAKERS: { [name]: () => here.dialog } });
    await here.pass(8_000);
    assert.deepEqual([here.asked, here.dialog.open], [4, true]);
    said.mock.restore();
    mock.timers.reset();
  });
}

test('a failure while a win is celebrated says nothing, and the result comes after it', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const said = mock.method(console, 'error', () => {});
  const here = new World();
  await here.show({ game: gameWith({}) });
  let fail = () => {};
  here.next = () => new Promise((_, reject) => (fail = () => reject(new Error('broken'))));
  const prepared = here.panels.prepare();
  await here.show({ panel: 'win', game: gameWith({ won: true }) });
  fail();
  await turns();
  assert.deepEqual([here.told, said.mock.callCount()], [[], 1]);
  here.next = () => Promise.resolve({ MAKERS: { win: () => here.dialog } });
  await here.pass(1_600);
  assert.equal(here.dialog.open, true);
  said.mock.restore();
  mock.timers.reset();
  void prepared;
});
