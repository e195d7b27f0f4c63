/** Thin lines over the cards: where a group may go, what is selected, what moved last. Nodes are kept by their name. */

import { h } from './dom.js';

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

/** The box around the last `count` cards of a pile; of an empty place or none of them, the place. @param {Layout} layout @param {readonly Place[]} all @param {number} pile @param {number} count @param {{x: number, y: number} | null} at @returns {Rect | null} */
export function groupRect(layout, all, pile, count, at) {
  const cards = all.filter((place) => place.pile === pile && !place.buried);
  const first = cards[Math.max(0, cards.length - Math.max(1, count))] ?? at;
  if (!first) return null;
  const last = cards[cards.length - 1] ?? first;
  return { x: first.x, y: first.y, w: layout.w + (last.x - first.x), h: last.y - first.y + layout.h };
}
