import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { createDrag } from '../../client/js/drag.js';
import { FakeElement, fakePage, send } from './fakedom.js';

/** @type {ReturnType<typeof fakePage>} */
let page;
/** @type {FakeElement} */
let root;
/** @type {unknown[][]} */
let log;
let now = 0;
let liftable = true;
/** The table: below 100 lies card `a` of column 0, else nothing. @type {(x: number, y: number) => {pile: number, index: number} | null} */
let find;
/** @type {ReturnType<typeof createDrag>} */
let drag;

beforeEach(() => {
  page = fakePage();
  root = new FakeElement();
  log = [];
  now = 1000;
  liftable = true;
  find = (x) => (x < 100 ? { pile: 0, index: 2 } : null);
  drag = createDrag(/** @type {any} */ (root), {
    find: (x, y) => find(x, y),
    name: (pile, index) => `${pile}:${index}`,
    lift: (pile, index, x, y) => {
      log.push(['lift', pile, index, x, y]);
      return liftable;
    },
    carry: (x, y) => log.push(['carry', x, y]),
    drop: (x, y) => log.push(['drop', x, y]),
    cancel: () => log.push(['cancel']),
    tap: (found, double) => log.push([double ? 'double' : 'tap', found && found.index]),
    now: () => now,
  });
});

/** @param {string} type @param {number} x @param {number} y @param {object} [more] */
const pointer = (type, x, y, more = {}) =>
  send(root, `pointer${type}`, { pointerId: 1, isPrimary: true, button: 0, buttons: 1, pointerType: 'mouse', clientX: x, clientY: y, ...more });
const names = () => log.map(([name]) => name);

test('a press and release is a tap, a press that wanders is a drag', () => {
  pointer('down', 10, 10);
  pointer('move', 12, 11);
  pointer('up', 12, 11);
  assert.deepEqual(log, [['tap', 2]]);
  pointer('down', 10, 10);
  pointer('move', 20, 10);
  pointer('move', 60, 40);
  pointer('up', 70, 50);
  assert.deepEqual(log.slice(1), [['lift', 0, 2, 10, 10], ['carry', 20, 10], ['carry', 60, 40], ['drop', 70, 50]]);
});

test('a finger may tremble more than a mouse', () => {
  pointer('down', 10, 10, { pointerType: 'touch' });
  pointer('move', 17, 10, { pointerType: 'touch' });
  pointer('up', 17, 10, { pointerType: 'touch' });
  assert.deepEqual(names(), ['tap']);
});

test('positions are the table\'s own', () => {
  root.left = 50;
  root.top = 20;
  pointer('down', 60, 30);
  pointer('move', 90, 30);
  assert.deepEqual(log, [['lift', 0, 2, 10, 10], ['carry', 40, 10]]);
  root.left = 0;
  send(page.window, 'resize');
  pointer('up', 90, 30);
  assert.deepEqual(log.at(-1), ['drop', 90, 10], 'also after a resize in mid-drag');
});

test('the system takes a touch away: the cards go back', () => {
  for (const event of ['pointercancel', 'lostpointercapture']) {
    log = [];
    pointer('down', 10, 10);
    pointer('move', 40, 40);
    send(root, event, { pointerId: 1 });
    pointer('move', 60, 60);
    pointer('up', 60, 60);
    assert.deepEqual(names(), ['lift', 'carry', 'cancel'], event);
  }
});

test('the window loses the focus or is hidden: the cards go back', () => {
  pointer('down', 10, 10);
  pointer('move', 40, 40);
  send(page.window, 'blur');
  assert.deepEqual(names(), ['lift', 'carry', 'cancel']);
  pointer('down', 10, 10);
  pointer('move', 40, 40);
  page.document.hidden = true;
  send(page.document, 'visibilitychange');
  assert.equal(names().at(-1), 'cancel');
});

test('a second finger changes nothing', () => {
  pointer('down', 10, 10);
  pointer('move', 40, 40);
  pointer('down', 20, 20, { pointerId: 2, isPrimary: false });
  pointer('move', 90, 90, { pointerId: 2 });
  pointer('up', 90, 90, { pointerId: 2 });
  send(root, 'pointercancel', { pointerId: 2 });
  pointer('up', 50, 50);
  assert.deepEqual(log, [['lift', 0, 2, 10, 10], ['carry', 40, 40], ['drop', 50, 50]]);
});

test('a mouse button let go outside the window ends the drag', () => {
  pointer('down', 10, 10);
  pointer('move', 40, 40);
  pointer('move', 50, 50, { buttons: 0 });
  assert.deepEqual(names(), ['lift', 'carry', 'cancel']);
});

test('other buttons do nothing', () => {
  pointer('down', 10, 10, { button: 2 });
  pointer('up', 10, 10);
  assert.deepEqual(log, []);
});

test('cards that cannot be lifted are neither carried nor tapped', () => {
  liftable = false;
  pointer('down', 10, 10);
  pointer('move', 40, 40);
  pointer('up', 40, 40);
  assert.deepEqual(names(), ['lift']);
});

test('cards taken out of the hand by the game are not dropped', () => {
  pointer('down', 10, 10);
  pointer('move', 40, 40);
  drag.forget();
  pointer('move', 50, 50);
  pointer('up', 50, 50);
  assert.deepEqual(names(), ['lift', 'carry']);
});

test('two quick taps on a card are a double tap, two slow ones are not', () => {
  const tap = () => {
    pointer('down', 10, 10);
    pointer('up', 10, 10);
  };
  tap();
  now += 200;
  tap();
  now += 200;
  tap();
  assert.deepEqual(names(), ['tap', 'double', 'tap'], 'a third tap begins anew');
  now += 600;
  tap();
  assert.equal(names().at(-1), 'tap');
});

test('a quick tap on what has only just come to lie there is not meant', () => {
  pointer('down', 10, 10);
  pointer('up', 10, 10);
  find = () => ({ pile: 0, index: 1 });
  now += 150;
  pointer('down', 10, 10);
  pointer('up', 10, 10);
  assert.deepEqual(names(), ['tap']);
  now += 300;
  pointer('down', 10, 10);
  pointer('up', 10, 10);
  assert.deepEqual(names(), ['tap', 'tap']);
});

test('a tap on nothing says so', () => {
  pointer('down', 200, 10);
  pointer('up', 200, 10);
  assert.deepEqual(log, [['tap', null]]);
});
