/** The cards' faces, drawn by us as SVG, and their back. Knows what a card looks like, not where it lies. */

/** @typedef {import('./types.js').Card} Card */

const SVG = 'http://www.w3.org/2000/svg';
export const SUITS = ['spades', 'hearts', 'diamonds', 'clubs'];
export const RANKS = ['A', '2', '3', '4', '5', '6', '7', '8', '9', '10', 'J', 'Q', 'K'];

/** @param {Card} card 0 spades, 1 hearts, 2 diamonds, 3 clubs */
const suitOf = (card) => Math.floor(card / 13) % 4;
/** @param {Card} card 0 ace … 12 king */
const rankOf = (card) => card % 13;

/** Suit marks, filled, in a box of 24 by 24. */
const MARKS = [
  'M12 1C9.4 5.8 2 9 2 14.6 2 18 4.5 20 7.1 20c1.9 0 3.3-.9 4.1-2.2-.2 2.3-1 3.9-2.7 5.2h7c-1.7-1.3-2.5-2.9-2.7-5.2.8 1.3 2.2 2.2 4.1 2.2 2.6 0 5.1-2 5.1-5.4C22 9 14.6 5.8 12 1Z',
  'M12 22.4C8 17.8 1.6 13.8 1.6 8.3c0-3.5 2.5-6.1 5.6-6.1 2.1 0 3.9 1.3 4.8 3.3.9-2 2.7-3.3 4.8-3.3 3.1 0 5.6 2.6 5.6 6.1C22.4 13.8 16 17.8 12 22.4Z',
  'M12 .8C14.3 4.9 17.2 8.7 20.8 12 17.2 15.3 14.3 19.1 12 23.2 9.7 19.1 6.8 15.3 3.2 12 6.8 8.7 9.7 4.9 12 .8Z',
  'M12 1.2a5.1 5.1 0 0 1 3.9 8.4 5.1 5.1 0 1 1-3 8.4c.2 2.3 1 3.7 2.6 5h-7c1.6-1.3 2.4-2.7 2.6-5a5.1 5.1 0 1 1-3-8.4A5.1 5.1 0 0 1 12 1.2Z',
];

/** Ranks as strokes, 28 high: how wide, and the way of the pen. */
/** @type {[number, string][]} */
const PENS = [
  [21, 'M2.2 26 10.5 2.4 18.8 26M5.3 18H15.7'],
  [19, 'M2.7 8.7C2.7 4.9 5.6 2.3 9.5 2.3c4 0 6.8 2.5 6.8 6.2 0 3.2-1.9 5.3-4.9 8.3L2.9 25.7H17'],
  [19, 'M3.2 2.3H15.8L9 11.2c4.6 0 7.7 2.8 7.7 7.1 0 4.5-3.2 7.5-7.5 7.5-3.5 0-6.1-1.8-7-4.8'],
  [20, 'M13.7 26V2.6L2.4 19.2H18.2'],
  [19, 'M15.5 2.3H5.1L4 12.7c1.4-1.3 3.3-2 5.3-2 4.3 0 7.4 3 7.4 7.4 0 4.6-3.2 7.7-7.6 7.7-3.3 0-5.8-1.6-6.9-4.5'],
  [19, 'M13.3 2.2C7.2 6.7 2.3 12.2 2.3 18.2c0 4.5 3.1 7.6 7.2 7.6s7.2-3.1 7.2-7.5-3.1-7.2-7.1-7.2c-3.2 0-5.9 1.9-6.9 4.7'],
  [19, 'M2.3 2.3H16.7C12 9 8.6 16.6 7.3 26'],
  [19, 'M9.5 2.2c3.4 0 5.9 2.3 5.9 5.4s-2.5 5.4-5.9 5.4-5.9-2.3-5.9-5.4 2.5-5.4 5.9-5.4ZM9.5 13c4.2 0 7.2 2.7 7.2 6.4s-3 6.4-7.2 6.4-7.2-2.7-7.2-6.4S5.3 13 9.5 13Z'],
  [19, 'M5.7 25.8C11.8 21.3 16.7 15.8 16.7 9.8c0-4.5-3.1-7.6-7.2-7.6S2.3 5.3 2.3 9.7s3.1 7.2 7.1 7.2c3.2 0 5.9-1.9 6.9-4.7'],
  [27, 'M2 6.6 6.7 2.7V26M18.8 2.2c3.7 0 6 4.3 6 11.8s-2.3 11.8-6 11.8-6-4.3-6-11.8 2.3-11.8 6-11.8Z'],
  [17, 'M5.5 2.3H13.9V18.3c0 4.7-2.4 7.5-6.3 7.5-2.9 0-4.8-1.7-5.5-4.5'],
  [22, 'M10.5 2.2c5 0 8.2 4.6 8.2 11.8s-3.2 11.8-8.2 11.8S2.3 21.2 2.3 14s3.2-11.8 8.2-11.8ZM12 19l7.6 7.6'],
  [20, 'M3 2V26M17.2 2.2 3 17M8.2 11.7 18 26'],
];

/** Court emblems as strokes in a box of 60 by 60: a pick, a fireweed blossom, a crown of peaks. */
const EMBLEMS = [
  'M9.5 53 36.5 19.5M14.5 57 41.5 23.5M9.5 53l5 4M14 7C31 4 52 20 56 46 48 33 30 17.5 14 7Z',
  'M30 26.5C22 20.5 21 8.5 30 3 39 8.5 38 20.5 30 26.5ZM33.5 30C39.5 22 51.5 21 57 30 51.5 39 39.5 38 33.5 30ZM30 33.5C38 39.5 39 51.5 30 57 21 51.5 22 39.5 30 33.5ZM26.5 30C20.5 38 8.5 39 3 30 8.5 21 20.5 22 26.5 30ZM33 27 44 16M33 33 44 44M27 33 16 44M27 27 16 16M46 14.2l.01 0M46 45.8l.01 0M14 45.8l.01 0M14 14.2l.01 0',
  'M4 46 7 24 17.5 34.5 30 7 42.5 34.5 53 24 56 46ZM4.5 54H55.5M23 22.5 27 26.5 30 23 33 26.5 37 22.5',
];

/** @param {string} name @param {Record<string, string | number>} attributes @param {SVGElement[]} [children] */
export function svg(name, attributes, children = []) {
  const element = document.createElementNS(SVG, name);
  for (const key in attributes) element.setAttribute(key, String(attributes[key]));
  element.append(...children);
  return element;
}

/** @param {string} d @param {string} kind @param {string} [transform] */
const path = (d, kind, transform) => svg('path', { d, class: kind, ...(transform && { transform }) });

/** Rank and suit beside each other, so that both show when little of the card does. @param {Card} card @param {string} kind @param {string} [transform] */
function index(card, kind, transform) {
  const [width, pen] = PENS[rankOf(card)];
  return svg('g', { class: kind, ...(transform && { transform }) }, [
    path(pen, 'pen'),
    path(MARKS[suitOf(card)], 'mark', `translate(${width + 4} 2)`),
  ]);
}

/** @param {Card} card */
function middle(card) {
  const rank = rankOf(card);
  if (rank > 9) return path(EMBLEMS[rank - 10], 'emblem', 'translate(15.5 52) scale(1.15)');
  const size = rank ? 2.5 : 3;
  return path(MARKS[suitOf(card)], rank ? 'quiet' : 'mark', `translate(${50 - 12 * size} ${87 - 12 * size}) scale(${size})`);
}

/** Drawings to copy, which is quicker than drawing; each is on the page itself. @type {Map<string, SVGElement>} */
const drawn = new Map();

/** @param {string} key @param {() => SVGElement} draw */
function once(key, draw) {
  const known = drawn.get(key);
  if (known) return /** @type {SVGElement} */ (known.cloneNode(true));
  const first = draw();
  drawn.set(key, first);
  return first;
}

/** @param {string} kind @param {SVGElement[]} parts */
const sheet = (kind, parts) => svg('svg', { class: kind, viewBox: '0 0 100 140', 'aria-hidden': 'true' }, parts);

/** A card's face. @param {Card} card @param {boolean} roomy a second, small index has room */
export const face = (card, roomy) =>
  once(`${card % 52}${roomy}`, () => sheet(`face ${SUITS[suitOf(card)]}`, [
    index(card, 'index'),
    middle(card),
    ...(roomy ? [index(card, 'small', 'translate(94 135) rotate(180) scale(.5)')] : []),
  ]));

/** A card's back: a picture of the style sheet, since there are many of them. */
export function back() {
  const side = document.createElement('div');
  side.className = 'back';
  return side;
}

/** A suit's mark alone, for an empty foundation. @param {number} suit */
export const suitMark = (suit) =>
  once(`mark${suit}`, () => svg('svg', { class: `mark ${SUITS[suit]}`, viewBox: '0 0 24 24', 'aria-hidden': 'true' }, [path(MARKS[suit], 'shape')]));
