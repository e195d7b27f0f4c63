import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { createKeyboard, nextStop, stopsOf } from '../../client/js/keyboard.js';
import { layOut, places } from '../../client/js/layout.js';
import { FOUNDATIONS } from '../../client/js/wire.js';
import { fakePage, send } from './fakedom.js';

/** @typedef {import('../../client/js/types.js').Board} Board */

/** @type {Board} */
const BOARD = {
  columns: [
    { down: 0, cards: [12] },
    { down: 2, cards: [3, 17, 44] },
    { down: 1, cards: [] },
    { down: 0, cards: [] },
    { down: 0, cards: [20, 21] },
    { down: 0, cards: [30] },
    { down: 0, cards: [31] },
  ],
  foundations: [[0, 1], [], [], []],
  stock: 0,
  waste: [],
};

/** @param {number} width @param {number} height */
function stopsFor(width, height) {
  const layout = layOut({ width, height }, BOARD);
  return stopsOf(layout, places(layout, BOARD), BOARD);
}

/** @param {readonly import('../../client/js/keyboard.js').Stop[]} stops @param {number} pile @param {number} index */
function at(stops, pile, index) {
  const found = stops.find((stop) => stop.pile === pile && stop.index === index);
  assert.ok(found, `${pile}:${index}`);
  return found;
}

test('the keyboard stops at face-up cards, last cards and empty places', () => {
  const stops = stopsFor(360, 520).map(({ pile, index }) => `${pile}:${index}`);
  assert.deepEqual(stops.sort(), ['0:0', '16:1', '17:-1', '18:-1', '19:-1', '1:2', '1:3', '1:4', '2:0', '3:-1', '4:0', '4:1', '5:0', '6:0']);
});

test('up and down stay in a column, left and right leave it', () => {
  const stops = stopsFor(360, 520);
  const middle = at(stops, 1, 3);
  const arrow = (/** @type {'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight'} */ key, from = middle) => {
    const { pile, index } = nextStop(stops, from, key);
    return [pile, index];
  };
  assert.deepEqual(arrow('ArrowUp'), [1, 2]);
  assert.deepEqual(arrow('ArrowDown'), [1, 4]);
  assert.deepEqual(arrow('ArrowLeft'), [0, 0]);
  assert.deepEqual(arrow('ArrowRight'), [2, 0]);
  assert.deepEqual(arrow('ArrowDown', at(stops, 1, 4)), [1, 4], 'the end of a column is the end');
  assert.equal(arrow('ArrowUp', at(stops, 4, 0))[0], FOUNDATIONS + 1, 'foundations lie above');
  assert.equal(arrow('ArrowDown', at(stops, FOUNDATIONS + 1, -1))[0], 4);
});

test('on a wide table foundations lie at the right', () => {
  const stops = stopsFor(1200, 800);
  assert.equal(nextStop(stops, at(stops, 6, 0), 'ArrowRight').pile, FOUNDATIONS);
  assert.equal(nextStop(stops, at(stops, FOUNDATIONS + 1, -1), 'ArrowLeft').pile, 6);
  assert.equal(nextStop(stops, at(stops, FOUNDATIONS, 1), 'ArrowDown').pile, FOUNDATIONS + 1);
});

/** @type {ReturnType<typeof fakePage>} */
let page;
/** @type {unknown[]} */
let acts;
/** @type {string[]} */
let focus;
let asleep = false;
let inTable = true;
let board = BOARD;

beforeEach(() => {
  page = fakePage();
  acts = [];
  focus = [];
  asleep = false;
  inTable = true;
  board = BOARD;
  const layout = () => layOut({ width: 360, height: 520 }, board);
  createKeyboard(/** @type {any} */ ({ contains: () => inTable }), {
    stops: () => stopsOf(layout(), places(layout(), board), board),
    focus: (pile, index) => focus.push(`${pile}:${index}`),
    act: (action) => acts.push(action),
    asleep: () => asleep,
  });
});

/** @param {string} key @param {object} [more] */
const press = (key, more = {}) => send(page.document, 'keydown', { key, altKey: false, metaKey: false, ctrlKey: false, shiftKey: false, repeat: false, ...more });

test('Enter and the space bar tap the card that has the focus', () => {
  press('2');
  press('ArrowUp');
  const event = press('Enter');
  press(' ');
  press('Enter', { shiftKey: true });
  assert.deepEqual(focus, ['1:4', '1:3']);
  assert.deepEqual(acts, [{ type: 'tap', pile: 1, index: 3 }, { type: 'tap', pile: 1, index: 3 }, { type: 'doubleTap', pile: 1, index: 3 }]);
  assert.ok(event.defaultPrevented);
});

test('letters are actions, in either case, and Ctrl+Z is undo', () => {
  for (const key of ['u', 'F', 'd', 'h', 'p', 'n', 'Escape']) press(key);
  press('z', { ctrlKey: true });
  const types = acts.map((action) => /** @type {{type: string}} */ (action).type);
  assert.deepEqual(types, ['undo', 'finish', 'draw', 'showMoves', 'pause', 'panel', 'deselect', 'undo']);
});

test('keys that mean something to the browser are left to it', () => {
  for (const event of [press('r', { ctrlKey: true }), press('d', { metaKey: true }), press('Tab'), press('F5')]) assert.ok(!event.defaultPrevented);
  assert.deepEqual(acts, []);
});

test('a key held down does not draw the whole stock', () => {
  press('d', { repeat: true });
  press('u', { repeat: true });
  assert.deepEqual(acts, [{ type: 'undo' }]);
});

test('while a panel has the keyboard the table has not', () => {
  asleep = true;
  press('u');
  press('ArrowDown');
  assert.deepEqual(acts, []);
  assert.deepEqual(focus, []);
});

test('outside the table Enter belongs to the button that has the focus', () => {
  inTable = false;
  const event = press('Enter');
  assert.ok(!event.defaultPrevented);
  press('ArrowRight');
  assert.equal(focus.length, 1, 'an arrow brings the focus to the table');
});

test('when the cards moved away the cursor stays in its column', () => {
  press('2');
  board = { ...BOARD, columns: BOARD.columns.map((column, i) => (i === 1 ? { down: 1, cards: [3] } : column)) };
  press('Enter');
  assert.deepEqual(acts, [{ type: 'tap', pile: 1, index: 1 }]);
});
