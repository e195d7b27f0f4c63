/** What a tap, a drop or a lifted group means: look-ups in the legal moves that the server sent, no rule of the game. */

import { DRAW, FOUNDATIONS, SPECIAL, STOCK, WASTE, sameMove, turnUp } from './wire.js';
import { cardsOf, isColumn, isFoundation } from './board.js';

/** @typedef {import('./types.js').Board} Board */
/** @typedef {import('./types.js').Move} Move */
/** @typedef {import('./types.js').Game} Game */
/** @typedef {import('./types.js').Settings} Settings */
/** @typedef {{pile: number, count: number}} Group */

/**
 * What an action comes to: a move that is legal, a try that is not (the server can say why), a search for a place that has
 * to wait, a new selection, or nothing.
 * @typedef {{type: 'move', move: Move} | {type: 'refuse', move: Move | null} | {type: 'select', group: Group | null}} Choice
 */

/** The legal moves of the shown board are not known: a command is under way that changes it. @param {Game} game */
export function isBlind({ pending, queue, asked }) {
  return asked || queue.length > 0 || (pending !== null && (pending.shown || pending.move.source === SPECIAL));
}

/** The legal moves of the board that is shown; none as long as they are not known. @param {Game} game @returns {readonly Move[]} */
export const legalNow = (game) => (isBlind(game) ? [] : game.legal);

/** @param {readonly Move[]} legal @param {number} source @param {number} count @returns {number[]} piles that take the group */
export const targetsFor = (legal, source, count) =>
  legal.filter((move) => move.source === source && move.count === count).map((move) => move.target);

/** @param {readonly Move[]} legal @param {Move} wanted */
export const isLegal = (legal, wanted) => legal.some((move) => sameMove(move, wanted));

/** Every group that has somewhere to go, for showing what can move. @param {readonly Move[]} legal @returns {Group[]} */
export function movableGroups(legal) {
  /** @type {Map<string, Group>} */
  const groups = new Map();
  for (const { source, count } of legal) {
    if (source <= WASTE) groups.set(`${source}:${count}`, { pile: source, count });
  }
  return [...groups.values()];
}

/** How many cards a tap on `index` (from the deepest, face-down ones included) takes along; 0 for a face-down or no card. @param {Board} board @param {number} pile @param {number} index */
export function groupSize(board, pile, index) {
  const cards = cardsOf(board, pile).length;
  const down = isColumn(pile) ? board.columns[pile].down : 0;
  if (index < down || index >= down + cards) return 0;
  // Only the uppermost card of a foundation or of the waste can be taken.
  return isColumn(pile) ? down + cards - index : 1;
}

/** The foundation that takes the last card of a pile, null if none does. @param {readonly Move[]} legal @param {number} pile */
export function foundationFor(legal, pile) {
  if (isFoundation(pile)) return null;
  return targetsFor(legal, pile, 1).find(isFoundation) ?? null;
}

/**
 * Where a group goes by itself: the longest column that takes it (of equal ones the leftmost), then an empty column.
 * @param {readonly Move[]} legal @param {Board} board @param {number} source @param {number} count
 * @returns {number | null}
 */
export function bestPlacement(legal, board, source, count) {
  const length = (/** @type {number} */ pile) => board.columns[pile].down + board.columns[pile].cards.length;
  const columns = targetsFor(legal, source, count).filter((pile) => isColumn(pile) && pile in board.columns);
  columns.sort((a, b) => length(b) - length(a) || a - b);
  return columns[0] ?? null;
}

/** The foundation a card would go to, for asking why it may not: the first of its suit. @param {Board} board @param {number} card */
export const ownFoundation = (board, card) => FOUNDATIONS + (Math.floor(card / 13) % 4) * (board.foundations.length > 4 ? 2 : 1);

/** @param {number} source @param {number} count @param {number} target @returns {Choice} */
const play = (source, count, target) => ({ type: 'move', move: { source, count, target } });

/**
 * A tap: the last card goes to its foundation where it may; else a selected group is placed here; else the group is selected.
 * @param {readonly Move[]} legal @param {Board} board @param {Group | null} selected @param {number} pile @param {number} index
 * @returns {Choice}
 */
export function tapChoice(legal, board, selected, pile, index) {
  if (pile === STOCK) return isLegal(legal, DRAW) ? { type: 'move', move: DRAW } : { type: 'refuse', move: DRAW };
  if (isColumn(pile) && isLegal(legal, turnUp(pile)) && index === board.columns[pile].down - 1) {
    return { type: 'move', move: turnUp(pile) };
  }
  const count = groupSize(board, pile, index);
  if (selected && selected.pile !== pile) {
    const own = isFoundation(pile) && selected.count === 1 ? foundationFor(legal, selected.pile) : null;
    const wanted = { source: selected.pile, count: selected.count, target: own ?? pile };
    if (isLegal(legal, wanted)) return { type: 'move', move: wanted };
    const home = count === 1 ? foundationFor(legal, pile) : null;
    if (home !== null) return play(pile, 1, home);
    return pile === WASTE ? { type: 'select', group: count ? { pile, count } : null } : { type: 'refuse', move: wanted };
  }
  if (count === 1) {
    const home = foundationFor(legal, pile);
    if (home !== null) return play(pile, 1, home);
  }
  if (!count || (selected && selected.count === count)) return { type: 'select', group: null };
  return { type: 'select', group: { pile, count } };
}

/**
 * Two quick taps on a face-up card: it looks for a place on the tableau.
 * @param {readonly Move[]} legal @param {Board} board @param {number} pile @param {number} index
 * @returns {Choice}
 */
export function doubleTapChoice(legal, board, pile, index) {
  const count = groupSize(board, pile, index);
  if (!count) return { type: 'select', group: null };
  const target = bestPlacement(legal, board, pile, count);
  return target === null ? { type: 'refuse', move: null } : play(pile, count, target);
}

/**
 * A group dropped: on a pile, or anywhere on the foundations, or (with auto-placement) anywhere on the tableau.
 * @param {readonly Move[]} legal @param {Board} board
 * @param {{source: number, count: number, target: number | null, area: 'tableau' | 'foundations' | null}} drop
 * @param {boolean} autoPlacement
 * @returns {Choice}
 */
export function dropChoice(legal, board, { source, count, target, area }, autoPlacement) {
  /** @type {Choice} */
  const nothing = { type: 'select', group: null };
  if (target === source) return nothing;
  if (area === 'foundations' || (target !== null && isFoundation(target))) {
    if (isFoundation(source)) return nothing;
    const home = count === 1 ? foundationFor(legal, source) : null;
    if (home !== null) return play(source, 1, home);
    const card = cardsOf(board, source).at(-1);
    return card === undefined ? nothing : { type: 'refuse', move: { source, count, target: ownFoundation(board, card) } };
  }
  const wanted = target !== null && isColumn(target) ? { source, count, target } : null;
  if (wanted && isLegal(legal, wanted)) return { type: 'move', move: wanted };
  if (autoPlacement && (area === 'tableau' || wanted)) {
    const best = bestPlacement(legal, board, source, count);
    if (best !== null) return play(source, count, best);
  }
  return wanted ? { type: 'refuse', move: wanted } : nothing;
}
