/** Thin lines over the cards: where a group may go, what is selected, what moved last. Nodes are kept by their name. */

import { isColumn } from './board.js';
import { movableGroups, targetsFor } from './choices.js';
import { h } from './dom.js';
import { placeOf } from './layout.js';
import { FOUNDATIONS, WASTE } from './wire.js';

/** @typedef {import('./types.js').State} State */
/** @typedef {import('./types.js').Move} Move */
/** @typedef {import('./layout.js').Layout} Layout */
/** @typedef {import('./layout.js').Place} Place */
/** @typedef {import('./layout.js').Rect} Rect */
/** @typedef {{name: string, kind: string, rect: Rect}} Mark */

/** @param {HTMLElement} root */
export function createMarks(root) {
  /** @type {Map<string, {element: HTMLElement, kind: string, box: string}>} */
  const shown = new Map();

  /** @param {readonly Mark[]} marks */
  return function draw(marks) {
    const names = new Set(marks.map(({ name }) => name));
    for (const [name, { element }] of shown) {
      if (names.has(name)) continue;
      element.remove();
      shown.delete(name);
    }
    for (const { name, kind, rect } of marks) {
      let mark = shown.get(name);
      if (!mark) {
        mark = { element: h('div', { 'aria-hidden': 'true' }), kind: '', box: '' };
        root.append(mark.element);
        shown.set(name, mark);
      }
      if (mark.kind !== kind) mark.element.className = `mark-${(mark.kind = kind)} mark-line`;
      const box = `${rect.x},${rect.y},${rect.w},${rect.h}`;
      if (mark.box === box) continue;
      mark.box = box;
      Object.assign(mark.element.style, { transform: `translate(${rect.x}px,${rect.y}px)`, width: `${rect.w}px`, height: `${rect.h}px` });
    }
  };
}

/** The box around the last `count` cards of a pile; of none of them, its empty place. @param {Layout} layout @param {readonly Place[]} all @param {number} pile @param {number} count @returns {Rect | null} */
function groupRect(layout, all, pile, count) {
  const cards = all.filter((place) => place.pile === pile && !place.buried);
  const first = cards[Math.max(0, cards.length - Math.max(1, count))] ?? placeOf(layout, pile);
  if (!first) return null;
  const last = cards[cards.length - 1] ?? first;
  return { x: first.x, y: first.y, w: layout.w + (last.x - first.x), h: last.y - first.y + layout.h };
}

/**
 * What is marked: the last move, what was refused, what can move, and where the held or selected group may go.
 * @param {object} about
 * @param {State | null} about.state
 * @param {Layout} about.layout
 * @param {readonly Place[]} about.all
 * @param {readonly Move[]} about.legal
 * @param {{pile: number, count: number} | null} about.hand
 * @param {number | null} about.over the pile that the hand is over
 * @returns {Mark[]}
 */
export function marksOf({ state, layout, all, legal, hand, over }) {
  /** @type {Mark[]} */
  const marks = [];
  const game = state?.game;
  if (!state || !game) return marks;
  /** @param {string} name @param {string} kind @param {number} pile @param {number} count */
  const mark = (name, kind, pile, count) => {
    const rect = groupRect(layout, all, pile, count);
    if (rect) marks.push({ name, kind, rect });
  };
  const { lastMove, flags } = game;
  if (flags.won) layout.foundations.forEach((_, i) => mark(`home${i}`, `home home-${i}`, FOUNDATIONS + i, 1));
  else if (lastMove && lastMove.target <= WASTE && !hand) {
    mark(`last${lastMove.at}`, 'last', lastMove.target, isColumn(lastMove.target) ? lastMove.count : 1);
  }
  if (state.refused && !hand) mark(`no${state.refused.id}`, 'no', state.refused.source, state.refused.count);
  if (state.showMoves) {
    for (const { pile, count } of movableGroups(legal)) {
      const first = all.filter((place) => place.pile === pile).at(-count);
      if (first) marks.push({ name: `can${pile}:${count}`, kind: 'can', rect: { x: first.x, y: first.y, w: layout.w, h: first.strip } });
    }
  }
  const held = hand ?? state.selection;
  if (!held) return marks;
  const kind = hand ? 'hole' : 'selected';
  mark(kind, kind, held.pile, held.count);
  if (state.settings.placementHelp) {
    for (const pile of targetsFor(legal, held.pile, held.count)) mark(`to${pile}`, pile === over ? 'over' : 'target', pile, 1);
  }
  return marks;
}
