/** The whole game by keyboard: arrows go from card to card, Enter takes and places, letters are actions. */

import { FOUNDATIONS, STOCK, WASTE } from './wire.js';

/** @typedef {import('./types.js').Action} Action */
/** @typedef {import('./types.js').Board} Board */
/** @typedef {import('./layout.js').Layout} Layout */
/** @typedef {import('./layout.js').Place} Place */
/** @typedef {{pile: number, index: number, x: number, y: number}} Stop */
/** @typedef {'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight'} Arrow */

/** @type {Record<string, Action>} */
const ACTIONS = {
  u: { type: 'undo' },
  f: { type: 'finish' },
  d: { type: 'draw' },
  h: { type: 'showMoves' },
  p: { type: 'pause' },
  n: { type: 'panel', panel: 'new' },
  m: { type: 'panel', panel: 'menu' },
  '?': { type: 'panel', panel: 'help' },
  Escape: { type: 'deselect' },
};

/**
 * Where the keyboard can be: face-up cards of columns, the last card of every other pile, and empty places (index -1).
 * @param {Layout} layout @param {readonly Place[]} all @param {Board} board
 * @returns {Stop[]}
 */
export function stopsOf(layout, all, board) {
  /** @type {Map<number, Place>} */
  const tops = new Map(all.map((place) => [place.pile, place]));
  const line = layout.h * 0.13;
  const middle = (/** @type {{x: number, y: number}} */ at) => ({ x: at.x + layout.w / 2, y: at.y + line });
  const stops = all
    .filter((place) => tops.get(place.pile) === place || (place.pile < FOUNDATIONS && place.up))
    .map((place) => ({ pile: place.pile, index: place.index, ...middle(place) }));
  /** @param {number} pile @param {{x: number, y: number} | null} at */
  const empty = (pile, at) => {
    if (at && !tops.has(pile)) stops.push({ pile, index: -1, ...middle(at) });
  };
  board.columns.forEach((_, i) => empty(i, layout.columns[i]));
  board.foundations.forEach((_, i) => empty(FOUNDATIONS + i, layout.foundations[i]));
  empty(STOCK, layout.stock);
  empty(WASTE, layout.waste);
  return stops;
}

/** The next stop in a direction: nearest across for left and right, nearest along for up and down. @param {readonly Stop[]} stops @param {Stop} from @param {Arrow} arrow */
export function nextStop(stops, from, arrow) {
  const flat = arrow === 'ArrowLeft' || arrow === 'ArrowRight';
  const sign = arrow === 'ArrowLeft' || arrow === 'ArrowUp' ? -1 : 1;
  let best = from;
  let least = Infinity;
  for (const stop of stops) {
    const along = (flat ? stop.x - from.x : stop.y - from.y) * sign;
    const across = Math.abs(flat ? stop.y - from.y : stop.x - from.x);
    // Left and right leave the column; up and down stay in it unless it ends.
    if (along < (flat ? 8 : 0.5)) continue;
    const cost = flat ? along * 10 + across : along + across * 20;
    if (cost < least) [best, least] = [stop, cost];
  }
  return best;
}

/**
 * @typedef {object} Hooks
 * @property {() => Stop[]} stops
 * @property {(pile: number, index: number) => void} focus
 * @property {(action: Action) => void} act
 * @property {() => boolean} asleep whether something else has the keyboard
 */

/**
 * @param {HTMLElement} root the table
 * @param {Hooks} hooks
 */
export function createKeyboard(root, hooks) {
  let cursor = { pile: 0, index: -1 };

  /** The stop where the cursor is, or the nearest one left after the cards moved. @param {readonly Stop[]} stops @returns {Stop | undefined} */
  const current = (stops) =>
    stops.find(({ pile, index }) => pile === cursor.pile && index === cursor.index)
    ?? stops.findLast(({ pile }) => pile === cursor.pile)
    ?? stops[0];

  /** @param {Stop | undefined} stop */
  function goTo(stop) {
    if (!stop) return;
    cursor = { pile: stop.pile, index: stop.index };
    hooks.focus(stop.pile, stop.index);
  }

  /** @param {string} key @returns {boolean} whether it was meant for the table */
  function onTable(key) {
    const stops = hooks.stops();
    const here = current(stops);
    const inTable = root.contains(document.activeElement);
    if (/^Arrow/.test(key) && here) {
      goTo(inTable ? nextStop(stops, here, /** @type {Arrow} */ (key)) : here);
      return true;
    }
    if (/^[0-9]$/.test(key)) {
      const pile = (Number(key) + 9) % 10;
      goTo(stops.findLast((stop) => stop.pile === pile));
      return true;
    }
    if (inTable && here && (key === 'Enter' || key === ' ')) {
      hooks.act({ type: 'tap', pile: here.pile, index: here.index });
      return true;
    }
    return false;
  }

  document.addEventListener('keydown', (event) => {
    if (hooks.asleep() || event.altKey || event.metaKey) return;
    const { key } = event;
    const letter = key.length === 1 ? key.toLowerCase() : key;
    if (event.ctrlKey) {
      if (letter !== 'z') return;
      hooks.act(ACTIONS.u);
    } else if (event.shiftKey && key === 'Enter' && root.contains(document.activeElement)) {
      hooks.act({ type: 'doubleTap', ...cursor });
    } else if (Object.hasOwn(ACTIONS, letter)) {
      if (event.repeat && letter !== 'u') return;
      hooks.act(ACTIONS[letter]);
    } else if (!onTable(key)) {
      return;
    }
    event.preventDefault();
  });

  return {
    /** The focus went to a card by other means. @param {number} pile @param {number} index */
    at(pile, index) {
      cursor = { pile, index };
    },
    /** Where the keyboard is, or would come to from elsewhere. */
    here: () => current(hooks.stops()),
  };
}
