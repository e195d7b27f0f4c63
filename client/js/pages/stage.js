/** A table to look at: draws any board of a film, without anything that could be touched. */

import { h } from '../dom.js';
import { t } from '../i18n.js';
import { layOut, places } from '../layout.js';
import { createMarks, marksOf } from '../marks.js';
import { Renderer } from '../render.js';
import { createSpots } from '../spots.js';

/** @typedef {import('./film.js').Frame} Frame */
/** @typedef {import('../types.js').State} State */

/** What the marks ask of a state, for one moment of a film. @param {Frame} frame @param {number} index @returns {State} */
const stateOf = ({ moved, flags }, index) => /** @type {State} */ (/** @type {unknown} */ ({
  game: { flags, lastMove: moved && { source: -1, target: moved.pile, count: moved.count, at: index } },
  refused: null, showMoves: false, selection: null,
}));

export function createStage() {
  // The picture as a whole has a name; its cards are not to be listed one by one.
  const root = h('div', { class: 'stage-cards', 'aria-hidden': 'true' });
  const element = h('div', { class: 'stage', role: 'img' }, root);
  const renderer = new Renderer(root, 'film-');
  const spots = createSpots(root);
  const drawMarks = createMarks(root);
  let size = { width: 0, height: 0 };
  /** @type {Frame | null} */
  let shown = null;
  let number = 0;
  let hasStock = false;
  let waiting = 0;

  /** @param {boolean} animate */
  function redraw(animate) {
    if (!shown || !size.width) return;
    const { board } = shown;
    const layout = layOut(size, board, hasStock);
    spots.draw(layout, board, hasStock);
    const all = places(layout, board);
    const isComplete = renderer.draw(layout, all, animate);
    drawMarks(marksOf({ state: stateOf(shown, number), layout, all, legal: [], hand: null, over: null }));
    cancelAnimationFrame(waiting);
    // A whole deal is made in a few frames.
    if (!isComplete) waiting = requestAnimationFrame(() => redraw(false));
  }

  /** @param {Frame} frame */
  function describe({ moves, board }) {
    const home = board.foundations.reduce((sum, pile) => sum + pile.length, 0);
    const down = board.columns.reduce((sum, column) => sum + column.down, 0);
    element.setAttribute('aria-label', t('replay.board', { moves, home, down }));
  }

  new ResizeObserver(([{ contentRect }]) => {
    size = { width: contentRect.width, height: contentRect.height };
    redraw(false);
  }).observe(root);

  return {
    element,
    /** Another film. @param {Frame} first */
    begin(first) {
      hasStock = first.board.stock > 0;
      renderer.clear(false);
      shown = null;
    },
    /** @param {Frame} frame @param {number} index in the film @param {boolean} animate */
    draw(frame, index, animate) {
      if (frame === shown) return;
      shown = frame;
      number = index;
      redraw(animate);
      describe(frame);
    },
  };
}
