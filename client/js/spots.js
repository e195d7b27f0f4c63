/** The places that piles lie on: outlines of columns, foundations, stock and waste. */

import { suitMark } from './cards.js';
import { h, setText } from './dom.js';
import { placeOf } from './layout.js';
import { FOUNDATIONS, STOCK, WASTE } from './wire.js';

/** @typedef {import('./types.js').Board} Board */
/** @typedef {import('./layout.js').Layout} Layout */

/** @param {import('./layout.js').Point} at */
const move = ({ x, y }) => `translate(${x}px,${y}px)`;

/** @param {HTMLElement} root */
export function createSpots(root) {
  // A place of its own above the cards: a spot lies beneath them with all that is in it.
  const count = h('div', { class: 'stock-count', 'aria-hidden': 'true' });
  root.append(count);
  /** @type {HTMLElement[]} */
  let spots = [];
  let shape = '';
  let where = '';

  /** @param {Board} board @param {boolean} stock */
  function make(board, stock) {
    for (const spot of spots) spot.remove();
    const spot = (/** @type {number} */ pile, /** @type {string} */ kind, /** @type {Node[]} */ ...inside) =>
      h('div', { class: `spot spot-${kind}`, 'data-pile': pile, tabindex: -1 }, ...inside);
    const decks = board.foundations.length / 4;
    spots = [
      ...board.columns.map((_, i) => spot(i, 'column')),
      ...board.foundations.map((_, i) => spot(FOUNDATIONS + i, 'foundation', suitMark(Math.floor(i / decks)))),
      ...(stock ? [spot(STOCK, 'stock'), spot(WASTE, 'waste')] : []),
    ];
    root.prepend(...spots);
  }

  return {
    all: () => spots,
    /** @param {number} pile */
    of: (pile) => spots.find((spot) => Number(spot.dataset.pile) === pile),
    /** @param {Layout} layout @param {Board} board @param {boolean} stock whether the game has one */
    draw(layout, board, stock) {
      setText(count, board.stock ? String(board.stock) : '');
      const wanted = `${board.columns.length}/${board.foundations.length}/${stock}`;
      const places = JSON.stringify([layout.w, layout.columns.map(({ x, y }) => [x, y]), layout.foundations]);
      if (wanted !== shape) make(board, stock);
      if (wanted === shape && places === where) return;
      shape = wanted;
      where = places;
      root.style.setProperty('--w', `${layout.w}px`);
      root.style.setProperty('--h', `${layout.h}px`);
      if (layout.stock) count.style.transform = move(layout.stock);
      for (const spot of spots) {
        const at = placeOf(layout, Number(spot.dataset.pile));
        if (at) spot.style.transform = move(at);
      }
    },
  };
}
