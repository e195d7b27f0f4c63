import assert from 'node:assert/strict';
import { test } from 'node:test';

import { bestPlacement, doubleTapChoice, dropChoice, foundationFor, groupSize, movableGroups, tapChoice, targetsFor } from '../../client/js/choices.js';
import { DRAW, FINISH, turnUp } from '../../client/js/wire.js';

/** @typedef {import('../../client/js/types.js').Board} Board */

/** @param {string} text "source count target, …" */
const moves = (text) => text.split(', ').map((part) => {
  const [source, count, target] = part.split(' ').map(Number);
  return { source, count, target };
});
/** @param {string} text */
const move = (text) => moves(text)[0];

/** @type {Board} */
const board = {
  columns: [
    { down: 0, cards: [12, 20] }, { down: 3, cards: [24, 3] }, { down: 0, cards: [] }, { down: 1, cards: [5, 0, 33, 7] },
    { down: 2, cards: [] }, { down: 0, cards: [] },
  ],
  foundations: [[], [13], [], []],
  stock: 3,
  waste: [40, 41],
};

test('targets and foundations are looked up', () => {
  const legal = moves('1 2 0, 1 2 3, 1 1 17, 17 1 3, 25 1 18');
  assert.deepEqual(targetsFor(legal, 1, 2), [0, 3]);
  assert.equal(foundationFor(legal, 1), 17);
  assert.equal(foundationFor(legal, 25), 18);
  assert.equal(foundationFor(legal, 0), null);
  assert.equal(foundationFor(legal, 17), null);
});

test('what can move: each group once, special commands not', () => {
  assert.deepEqual(movableGroups([...moves('1 2 0, 1 2 3, 24 1 25'), FINISH, turnUp(4)]), [{ pile: 1, count: 2 }, { pile: 24, count: 1 }]);
});

test('a tapped card takes along what lies on it; face-down cards are not taken', () => {
  assert.equal(groupSize(board, 1, 3), 2);
  assert.equal(groupSize(board, 1, 4), 1);
  assert.equal(groupSize(board, 1, 2), 0);
  assert.equal(groupSize(board, 1, 5), 0);
  assert.equal(groupSize(board, 2, -1), 0);
  assert.equal(groupSize(board, 25, 0), 1);
  assert.equal(groupSize(board, 24, 0), 0);
});

test('a group goes to the longest column that takes it, of equal ones the leftmost, then to an empty one', () => {
  assert.equal(bestPlacement(moves('0 1 2, 0 1 1, 0 1 3'), board, 0, 1), 1);
  assert.equal(bestPlacement(moves('0 1 5, 0 1 2, 0 1 4'), board, 0, 1), 4);
  assert.equal(bestPlacement(moves('0 1 5, 0 1 2'), board, 0, 1), 2);
  assert.equal(bestPlacement(moves('0 1 16'), board, 0, 1), null);
});

test('one tap on a last card sends it home where that is legal, otherwise selects', () => {
  assert.deepEqual(tapChoice(moves('3 1 16, 3 1 1'), board, null, 3, 4), { type: 'move', move: move('3 1 16') });
  assert.deepEqual(tapChoice(moves('3 1 1'), board, null, 3, 4), { type: 'select', group: { pile: 3, count: 1 } });
  assert.deepEqual(tapChoice(moves('25 1 16'), board, null, 25, 1), { type: 'move', move: move('25 1 16') });
});

test('a tap on a covered card selects its group, even when its last card could go home', () => {
  assert.deepEqual(tapChoice(moves('3 1 16'), board, null, 3, 2), { type: 'select', group: { pile: 3, count: 3 } });
});

test('with a selection a tap on a column places it there', () => {
  const selected = { pile: 1, count: 2 };
  assert.deepEqual(tapChoice(moves('1 2 3, 3 1 16'), board, selected, 3, 4), { type: 'move', move: move('1 2 3') });
  assert.deepEqual(tapChoice(moves('1 2 2'), board, selected, 2, -1), { type: 'move', move: move('1 2 2') });
  assert.deepEqual(tapChoice(moves('3 1 16'), board, selected, 3, 4), { type: 'move', move: move('3 1 16') });
  assert.deepEqual(tapChoice([], board, selected, 3, 4), { type: 'refuse', move: move('1 2 3') });
  assert.deepEqual(tapChoice([], board, selected, 1, 3), { type: 'select', group: null });
  assert.deepEqual(tapChoice([], board, selected, 1, 4), { type: 'select', group: { pile: 1, count: 1 } });
});

test('a selected card tapped onto any foundation goes to its own', () => {
  assert.deepEqual(tapChoice(moves('0 1 17'), board, { pile: 0, count: 1 }, 16, -1), { type: 'move', move: move('0 1 17') });
});

test('the stock is drawn, a face-down last card is turned where that is legal', () => {
  assert.deepEqual(tapChoice([DRAW], board, null, 24, 0), { type: 'move', move: DRAW });
  assert.deepEqual(tapChoice([], board, null, 24, 0), { type: 'refuse', move: DRAW });
  assert.deepEqual(tapChoice([turnUp(4)], board, null, 4, 1), { type: 'move', move: turnUp(4) });
  assert.deepEqual(tapChoice([], board, null, 4, 1), { type: 'select', group: null });
});

test('a double tap finds a place on the tableau, never on a foundation', () => {
  assert.deepEqual(doubleTapChoice(moves('1 2 16, 1 2 0, 1 2 3'), board, 1, 3), { type: 'move', move: move('1 2 3') });
  assert.deepEqual(doubleTapChoice(moves('1 2 16'), board, 1, 3), { type: 'refuse', move: null });
  assert.deepEqual(doubleTapChoice([], board, 1, 0), { type: 'select', group: null });
});

/** @param {string} legal @param {[number, number]} group @param {number | null} target @param {'tableau' | 'foundations' | null} area */
const drop = (legal, [source, count], target, area, auto = false) =>
  dropChoice(legal ? moves(legal) : [], board, { source, count, target, area }, auto);
const nothing = { type: 'select', group: null };

test('a drop on its own column or nowhere is nothing, with auto-placement too', () => {
  for (const auto of [false, true]) {
    assert.deepEqual(drop('1 2 3', [1, 2], 1, 'tableau', auto), nothing);
    assert.deepEqual(drop('1 2 3', [1, 2], null, null, auto), nothing);
  }
});

test('a drop on a column that takes it, and on one that does not', () => {
  assert.deepEqual(drop('1 2 3', [1, 2], 3, 'tableau'), { type: 'move', move: move('1 2 3') });
  assert.deepEqual(drop('1 2 3', [1, 2], 0, 'tableau'), { type: 'refuse', move: move('1 2 0') });
});

test('auto-placement picks the column; without it a drop between columns is nothing', () => {
  assert.deepEqual(drop('1 2 0, 1 2 3', [1, 2], null, 'tableau', true), { type: 'move', move: move('1 2 3') });
  assert.deepEqual(drop('1 2 0, 1 2 3', [1, 2], 5, 'tableau', true), { type: 'move', move: move('1 2 3') });
  assert.deepEqual(drop('1 2 0, 1 2 3', [1, 2], 0, 'tableau', true), { type: 'move', move: move('1 2 0') });
  assert.deepEqual(drop('1 2 0', [1, 2], null, 'tableau'), nothing);
  assert.deepEqual(drop('', [1, 2], 5, 'tableau', true), { type: 'refuse', move: move('1 2 5') });
});

test('a card dropped anywhere on the foundations goes to its own', () => {
  assert.deepEqual(drop('0 1 17', [0, 1], 16, 'foundations'), { type: 'move', move: move('0 1 17') });
  assert.deepEqual(drop('0 1 17', [0, 1], null, 'foundations'), { type: 'move', move: move('0 1 17') });
});

test('a card that its foundation does not take, and a group, ask why', () => {
  assert.deepEqual(drop('', [0, 1], 16, 'foundations'), { type: 'refuse', move: move('0 1 17') });
  assert.deepEqual(drop('3 1 16', [3, 3], 16, 'foundations'), { type: 'refuse', move: move('3 3 16') });
  assert.deepEqual(drop('', [17, 1], 18, 'foundations'), nothing);
});
