/** A small picture of a board: the table's cards and layout, with nothing to touch. */

import { back, face } from '../cards.js';
import { h } from '../dom.js';
import { layOut, places } from '../layout.js';
import { indexScale } from '../render.js';

/** @typedef {import('../types.js').Board} Board */

/** @param {string} kind @param {number} x @param {number} y @param {...Node} inside */
function put(kind, x, y, ...inside) {
  const element = h('div', { class: kind }, ...inside);
  element.style.transform = `translate(${x}px,${y}px)`;
  return element;
}

/** @param {HTMLElement} root with a size of its own @param {Board} board */
function drawBoard(root, board) {
  const size = { width: root.clientWidth, height: root.clientHeight };
  if (!size.width || !size.height) return;
  const layout = layOut(size, board);
  root.style.setProperty('--w', `${layout.w}px`);
  root.style.setProperty('--h', `${layout.h}px`);
  const spots = [...layout.columns, ...layout.foundations].map(({ x, y }) => put('mini-spot', x, y));
  const cards = places(layout, board).filter(({ buried }) => !buried).map((place) => {
    const element = put('mini', place.x, place.y, place.up ? face(place.card, false) : back());
    element.style.setProperty('--index', String(indexScale(place.strip, layout.w)));
    return element;
  });
  root.replaceChildren(...spots, ...cards);
}

/** A place for a board, drawn again when its size or its board changes. */
export function createSmallBoard() {
  const element = h('div', { class: 'small-board', role: 'img' });
  /** @type {Board | null} */
  let shown = null;
  new ResizeObserver(() => shown && drawBoard(element, shown)).observe(element);
  return {
    element,
    /** @param {Board | null} board @param {string} label */
    render(board, label) {
      element.ariaLabel = label;
      if (board === shown) return;
      shown = board;
      if (board) drawBoard(element, board);
      else element.replaceChildren();
    },
  };
}
