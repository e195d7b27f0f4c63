/** Where everything lies: a table's size and a board in, rectangles out. Pure; touches no page and knows no rule. */

import { FOUNDATIONS, STOCK, WASTE } from './wire.js';
import { isColumn } from './board.js';

/** @typedef {import('./types.js').Board} Board */
/** @typedef {import('./types.js').Card} Card */

/**
 * @typedef {{x: number, y: number}} Point
 * @typedef {{x: number, y: number, w: number, h: number}} Rect
 * @typedef {{width: number, height: number}} Size
 *
 * One card to draw. `key` follows the card, not its place. `card` is -1 where nobody knows it; `strip` is how much of it shows
 * (all of it for the uppermost); `buried`: nothing of it shows.
 * @typedef {{key: string, pile: number, index: number, card: Card, up: boolean, x: number, y: number, strip: number, buried: boolean}} Place
 *
 * How a column lies: `down` and `up` are the steps from a face-down or face-up card to the next one.
 * @typedef {{x: number, y: number, down: number, up: number}} Fall
 *
 * @typedef {object} Layout
 * @property {number} w width of a card, in CSS pixels
 * @property {number} h height of a card
 * @property {number} gap
 * @property {boolean} side foundations at the right instead of above
 * @property {Fall[]} columns
 * @property {Point[]} foundations
 * @property {Point | null} stock
 * @property {Point | null} waste
 * @property {Point} fan step from one card of the waste to the next
 * @property {number} bottom where the columns end at the latest
 */

/** Height of a card for its width. */
const TALL = 1.4;
/** How much of a covered card shows, in heights of a card: at best and at least. */
export const UP = { best: 0.26, least: 0.13 };
export const DOWN = { best: 0.1, least: 0.04 };
/** How many cards of the waste show where it fans out beside the stock. */
const FAN = 3;

/** @param {number} low @param {number} value @param {number} high */
const clamp = (low, value, high) => Math.max(low, Math.min(high, value));

/** Steps of one column so that it fits: face-down cards close up first, then the others. @param {number} down @param {number} up @param {number} h @param {number} room @returns {{down: number, up: number}} */
export function squeeze(down, up, h, room) {
  // The uppermost card shows whole, whichever way it lies.
  const downs = up ? down : Math.max(0, down - 1);
  const ups = Math.max(0, up - 1);
  const free = room - h;
  const need = (/** @type {number} */ d, /** @type {number} */ u) => (downs * d + ups * u) * h;
  if (need(DOWN.best, UP.best) <= free) return { down: DOWN.best * h, up: UP.best * h };
  if (need(DOWN.least, UP.best) <= free) return { down: (free - ups * UP.best * h) / downs, up: UP.best * h };
  if (need(DOWN.least, UP.least) <= free) return { down: DOWN.least * h, up: (free - downs * DOWN.least * h) / ups };
  // Smaller than anybody plays: still nothing leaves the table.
  const shrink = Math.max(0, free) / need(DOWN.least, UP.least);
  return { down: DOWN.least * h * shrink, up: UP.least * h * shrink };
}

/** The least height a column takes, in heights of a card. @param {{down: number, cards: readonly unknown[]}} column */
function leastHeight({ down, cards }) {
  const downs = cards.length ? down : Math.max(0, down - 1);
  return 1 + downs * DOWN.least + Math.max(0, cards.length - 1) * UP.least;
}

/**
 * @typedef {{size: Size, columns: number, foundations: number, stock: boolean, gap: number, pad: number}} Frame
 */

/** Foundations in a row above the columns. @param {Frame} frame @param {number} w */
function rowFrame({ size, columns, foundations, stock, gap, pad }, w) {
  const h = w * TALL;
  const step = w + gap;
  const x = (size.width - columns * step + gap) / 2;
  const y = pad + h + Math.max(gap * 1.5, 8);
  const at = (/** @type {number} */ index) => ({ x: x + index * step, y: pad });
  return {
    x, y, h,
    foundations: Array.from({ length: foundations }, (_, i) => at(columns - foundations + i)),
    stock: stock ? at(0) : null,
    waste: stock ? at(1) : null,
    fan: { x: Math.min(w * 0.55, (step * (columns - foundations - 1) - gap - w) / (FAN - 1)), y: 0 },
  };
}

/** Foundations at the right, `rows` of them beneath each other. @param {Frame} frame @param {number} w @param {number} rows */
function sideFrame({ size, columns, foundations, stock, gap, pad }, w, rows) {
  const h = w * TALL;
  const step = w + gap;
  const aside = Math.ceil(foundations / rows);
  // A wider gap tells the home of the cards from their columns.
  const margin = gap * 2;
  const left = stock ? w + margin : 0;
  const width = left + columns * step - gap + margin + aside * step - gap;
  const x = (size.width - width) / 2;
  const right = x + left + columns * step - gap + margin;
  const across = (/** @type {number} */ i) => (foundations > 4 ? i % aside : Math.floor(i / rows));
  const beneath = (/** @type {number} */ i) => (foundations > 4 ? Math.floor(i / aside) : i % rows);
  return {
    x: x + left, y: pad, h,
    foundations: Array.from({ length: foundations }, (_, i) => ({ x: right + across(i) * step, y: pad + beneath(i) * (h + gap) })),
    stock: stock ? { x, y: pad } : null,
    waste: stock ? { x, y: pad + h + gap } : null,
    fan: { x: 0, y: h * UP.best },
  };
}

/** The widest card a frame has room for. @param {Frame} frame @param {number} rows 0: foundations above @param {number} most */
function widest({ size, columns, foundations, stock, gap, pad }, rows, most) {
  const width = size.width - 2 * pad;
  if (!rows) return Math.min(most, (width - (columns - 1) * gap) / columns);
  const across = columns + Math.ceil(foundations / rows) + (stock ? 1 : 0);
  const gaps = (across + (stock ? 1 : 0)) * gap;
  const high = (size.height - 2 * pad - (rows - 1) * gap) / rows / TALL;
  return Math.min(most, (width - gaps) / across, high);
}

/** How many foundations lie beneath each other at the right: one pile of them if the cards lose little by it. @param {Frame} frame @param {number} most */
function bestRows(frame, most) {
  if (frame.foundations > 4) return frame.foundations / 2;
  const single = widest(frame, frame.foundations, most);
  return widest(frame, Math.ceil(frame.foundations / 2), most) > single * 1.12 ? Math.ceil(frame.foundations / 2) : frame.foundations;
}

/**
 * @param {Size} size the table, in CSS pixels
 * @param {Board} board
 * @param {boolean} [stock] keep room for stock and waste although both are empty
 * @returns {Layout}
 */
export function layOut(size, board, stock = false) {
  const columns = board.columns.length;
  const gap = clamp(3, (size.width - 300) / 50, 18) * Math.min(1, 7 / columns);
  const pad = clamp(4, gap, 12);
  const frame = { size, columns, foundations: board.foundations.length, stock: stock || board.stock + board.waste.length > 0, gap, pad };
  const most = size.width > 1600 ? clamp(120, size.height * 0.12, 152) : 120;
  const side = size.width > size.height * 1.1;
  const rows = side ? bestRows(frame, most) : 0;
  const frameFor = (/** @type {number} */ w) => (side ? sideFrame(frame, w, rows) : rowFrame(frame, w));
  const least = Math.max(...board.columns.map(leastHeight));
  const bottom = size.height - pad;
  let w = Math.max(8, widest(frame, rows, most));
  // A column that would hide its indices makes all cards a little smaller, in steps so that it happens seldom.
  for (let tries = 0; tries < 50 && frameFor(w).y + w * TALL * least > bottom; tries += 1) w *= 0.95;
  const { x, y, h, ...rest } = frameFor(w);
  const falls = board.columns.map(({ down, cards }, i) => ({ x: x + i * (w + gap), y, ...squeeze(down, cards.length, h, bottom - y) }));
  return { w, h, gap, side, bottom, columns: falls, ...rest };
}

/** Where the first card of a pile lies, null where the table has no such pile. @param {Layout} layout @param {number} pile @returns {Point | null} */
export function placeOf(layout, pile) {
  if (isColumn(pile)) return layout.columns[pile] ?? null;
  if (pile === STOCK) return layout.stock;
  if (pile === WASTE) return layout.waste;
  return layout.foundations[pile - FOUNDATIONS] ?? null;
}

/** @param {Layout} layout @param {Board} board @param {number} pile @returns {Place[]} */
function columnPlaces(layout, board, pile) {
  const fall = layout.columns[pile];
  const { down, cards } = board.columns[pile];
  const all = down + cards.length;
  return Array.from({ length: all }, (_, index) => {
    const up = index >= down;
    const y = fall.y + Math.min(index, down) * fall.down + Math.max(0, index - down) * fall.up;
    const strip = index === all - 1 ? layout.h : up ? fall.up : fall.down;
    const key = up ? String(cards[index - down]) : `d${pile}-${index}`;
    return { key, pile, index, card: up ? cards[index - down] : -1, up, x: fall.x, y, strip, buried: false };
  });
}

/** @param {Layout} layout @param {readonly Card[]} cards @param {number} pile @param {Point} at @returns {Place[]} */
function heapPlaces(layout, cards, pile, at) {
  return cards.map((card, index) => ({
    key: String(card), pile, index, card, up: true, x: at.x, y: at.y, strip: layout.h, buried: index < cards.length - 2,
  }));
}

/** The waste, fanned as far as there is room. @param {Layout} layout @param {readonly Card[]} waste @returns {Place[]} */
function wastePlaces(layout, waste) {
  const { waste: at, fan, side, h, bottom } = layout;
  if (!at) return [];
  const step = side ? squeeze(0, waste.length, h, bottom - at.y).up : 0;
  const hidden = side ? 0 : Math.max(0, waste.length - FAN);
  return waste.map((card, index) => {
    const shift = Math.max(0, index - hidden);
    const last = index === waste.length - 1;
    return {
      key: card < 0 ? `w${index}` : String(card), pile: WASTE, index, card, up: card >= 0,
      // Beside each other it is the width that leaves little room for an index.
      x: at.x + shift * fan.x, y: at.y + shift * step, strip: last ? h : side ? step : fan.x / 2, buried: index < hidden - 1,
    };
  });
}

/**
 * Every card of a board, in the order they are painted within their pile.
 * @param {Layout} layout @param {Board} board
 * @returns {Place[]}
 */
export function places(layout, board) {
  const { stock } = layout;
  const all = board.columns.flatMap((_, pile) => columnPlaces(layout, board, pile));
  board.foundations.forEach((cards, i) => all.push(...heapPlaces(layout, cards, FOUNDATIONS + i, layout.foundations[i])));
  all.push(...wastePlaces(layout, board.waste));
  for (let index = 0; stock && index < board.stock; index += 1) {
    const buried = index < board.stock - 2;
    all.push({ key: `s${index}`, pile: STOCK, index, card: -1, up: false, x: stock.x, y: stock.y, strip: layout.h, buried });
  }
  return all;
}

/** @param {Rect} rect @param {number} x @param {number} y */
const inside = (rect, x, y) => x >= rect.x && x < rect.x + rect.w && y >= rect.y && y < rect.y + rect.h;

/**
 * What lies under a point: a card, the empty place of a pile (index -1), or nothing. A column reaches down to the table's end.
 * @param {Layout} layout @param {readonly Place[]} all @param {number} x @param {number} y
 * @returns {{pile: number, index: number} | null}
 */
export function hit(layout, all, x, y) {
  const { w, h, gap } = layout;
  for (let i = all.length - 1; i >= 0; i -= 1) {
    const at = all[i];
    const slack = isColumn(at.pile) ? gap / 2 : 0;
    if (!at.buried && inside({ x: at.x - slack, y: at.y, w: w + 2 * slack, h }, x, y)) return { pile: at.pile, index: at.index };
  }
  const column = layout.columns.findIndex((fall) => inside({ x: fall.x - gap / 2, y: fall.y, w: w + gap, h: layout.bottom - fall.y }, x, y));
  if (column >= 0) return { pile: column, index: -1 };
  const piles = layout.foundations.map((_, i) => i + FOUNDATIONS).concat(STOCK, WASTE);
  const pile = piles.find((one) => {
    const at = placeOf(layout, one);
    return at && inside({ ...at, w, h }, x, y);
  });
  return pile === undefined ? null : { pile, index: -1 };
}

/** How far two stretches overlap. @param {number} a @param {number} b @param {number} size */
const overlap = (a, b, size) => Math.max(0, size - Math.abs(a - b));

/**
 * Where a lifted group would land: the legal pile that its first card covers most, else the pile it covers most.
 * A column counts over its whole height.
 * @param {Layout} layout @param {Point} card corner of the group's first card @param {readonly number[]} legal @param {number} source
 * @returns {{target: number | null, area: 'tableau' | 'foundations' | null}}
 */
export function landing(layout, card, legal, source) {
  const { w, h } = layout;
  /** @type {{pile: number, cover: number}[]} */
  const covered = [];
  layout.columns.forEach((fall, pile) => {
    const high = card.y + h > fall.y + h * 0.25 ? h : 0;
    covered.push({ pile, cover: overlap(card.x, fall.x, w) * high });
  });
  layout.foundations.forEach((at, i) => {
    covered.push({ pile: FOUNDATIONS + i, cover: overlap(card.x, at.x, w) * overlap(card.y, at.y, h) });
  });
  const most = (/** @type {typeof covered} */ some) =>
    some.filter(({ cover }) => cover > w * h * 0.12).sort((a, b) => b.cover - a.cover)[0];
  const best = most(covered);
  const good = most(covered.filter(({ pile }) => legal.includes(pile)));
  // Its own column keeps the group unless another place is covered more.
  const chosen = good && best && (best.pile !== source || good.cover > best.cover * 0.8) ? good : best;
  if (!chosen) return { target: null, area: null };
  return { target: chosen.pile, area: isColumn(chosen.pile) ? 'tableau' : 'foundations' };
}

/** How far beside a thin strip a finger may touch and still mean it, in CSS pixels. */
const FINGER = 14;

/**
 * The card a finger means in a tight column: the one it touches if that can go anywhere, else the nearest that can.
 * @param {readonly Place[]} column places of the column @param {number} index @param {number} y @param {readonly number[]} movable how many cards the groups have that can go
 * @returns {number} an index
 */
export function meant(column, index, y, movable) {
  const can = (/** @type {Place} */ place) => movable.includes(column.length - place.index);
  const touched = column[index];
  if (!touched || touched.strip > 2 * FINGER || can(touched)) return index;
  const off = (/** @type {Place} */ { y: top, strip }) => Math.max(top - y, y - top - Math.min(strip, 2 * FINGER), 0);
  const near = column.filter((place) => place.up && can(place) && off(place) <= FINGER).sort((a, b) => off(a) - off(b))[0];
  return near?.index ?? index;
}
