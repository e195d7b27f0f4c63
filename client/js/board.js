/** Boards as plain data: what lies where, and a board with a change made. Knows no rule: it does what it is told. */

import { FOUNDATIONS, STOCK, WASTE } from './wire.js';

/** @typedef {import('./types.js').Board} Board */
/** @typedef {import('./types.js').Change} Change */
/** @typedef {import('./types.js').Card} Card */

/** A waste card that the server has not told yet. */
const UNKNOWN = -1;

/** @param {number} pile */
export const isColumn = (pile) => pile < FOUNDATIONS;
/** @param {number} pile */
export const isFoundation = (pile) => pile >= FOUNDATIONS && pile < STOCK;

/** The face-up cards of a pile, deepest first. @param {Board} board @param {number} pile @returns {readonly Card[]} */
export function cardsOf(board, pile) {
  if (isColumn(pile)) return board.columns[pile]?.cards ?? [];
  if (isFoundation(pile)) return board.foundations[pile - FOUNDATIONS] ?? [];
  return pile === WASTE ? board.waste : [];
}

/** The deepest card of a group at the end of a pile, null where there is none. @param {Board} board @param {number} pile @param {number} count */
export function groupCard(board, pile, count) {
  const cards = cardsOf(board, pile);
  const card = cards[cards.length - count];
  return card === undefined || card === UNKNOWN ? null : card;
}

/** Where a face-up card lies: its pile and how many cards its group has. @param {Board} board @param {Card} card */
export function findCard(board, card) {
  const piles = [...board.columns.keys(), ...board.foundations.map((_, index) => index + FOUNDATIONS), WASTE];
  for (const pile of piles) {
    const cards = cardsOf(board, pile);
    const index = cards.indexOf(card);
    if (index >= 0) return { pile, count: cards.length - index };
  }
  return null;
}

/** @param {Board} board @param {number} pile @param {readonly Card[]} cards @returns {Board} */
function withCards(board, pile, cards) {
  if (isColumn(pile)) {
    return { ...board, columns: board.columns.map((column, i) => (i === pile ? { ...column, cards: [...cards] } : column)) };
  }
  if (isFoundation(pile)) {
    return { ...board, foundations: board.foundations.map((old, i) => (i === pile - FOUNDATIONS ? [...cards] : old)) };
  }
  return pile === WASTE ? { ...board, waste: [...cards] } : board;
}

/**
 * The board after a group moved; the same board when it has no such group.
 * @param {Board} board @param {number} source @param {number} count @param {number} target
 * @returns {Board}
 */
export function withMove(board, source, count, target) {
  if (source === STOCK) {
    if (board.stock < count) return board;
    const drawn = { ...board, stock: board.stock - count };
    return withCards(drawn, target, [...cardsOf(board, target), ...Array(count).fill(UNKNOWN)]);
  }
  const cards = cardsOf(board, source);
  if (count < 1 || cards.length < count || source === target) return board;
  const without = withCards(board, source, cards.slice(0, -count));
  if (target === STOCK) return { ...without, stock: board.stock + count };
  return withCards(without, target, [...cardsOf(board, target), ...cards.slice(-count)]);
}

/** @param {Board} board @param {Change} change @returns {Board} */
function withChange(board, change) {
  if (change.type === 'move') return withMove(board, change.source, change.count, change.target);
  if (change.type === 'waste') return withCards(board, WASTE, [...board.waste.slice(0, -1), change.card]);
  const columns = board.columns.map((column, index) => {
    if (index !== change.column) return column;
    return change.type === 'up'
      ? { down: Math.max(0, column.down - 1), cards: [...column.cards, change.card] }
      : { down: column.down + 1, cards: column.cards.slice(0, -1) };
  });
  return { ...board, columns };
}

/** The board after an event's changes, in order. @param {Board} board @param {readonly Change[]} changes */
export const withChanges = (board, changes) => changes.reduce(withChange, board);
