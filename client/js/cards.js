/** The cards' faces and back, drawn by us as SVG. Knows what a card looks like, not where it lies. */

/** @typedef {import('./types.js').Card} Card */

const SVG = 'http://www.w3.org/2000/svg';
export const SUITS = ['spades', 'hearts', 'diamonds', 'clubs'];
export const RANKS = ['A', '2', '3', '4', '5', '6', '7', '8', '9', '10', 'J', 'Q', 'K'];

/** @param {Card} card 0 spades, 1 hearts, 2 diamonds, 3 clubs */
export const suitOf = (card) => Math.floor(card / 13) % 4;
/** @param {Card} card 0 ace … 12 king */
export const rankOf = (card) => card % 13;

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
  'M10.5 53.5 38.7 18.3M14.5 56.5 42 22M10.5 53.5l4 3M17 8.5C32 6.5 48.5 19.5 53.5 42 46 30.5 33 19 17 8.5Z',
  'M30 26C22 20 21.5 8.5 30 3.5 38.5 8.5 38 20 30 26ZM34 30C40 22 51.5 21.5 56.5 30 51.5 38.5 40 38 34 30ZM30 34C38 40 38.5 51.5 30 56.5 21.5 51.5 22 40 30 34ZM26 30C20 38 8.5 38.5 3.5 30 8.5 21.5 20 22 26 30ZM33 27 45 15M33 33 45 45M27 33 15 45M27 27 15 15M30 26a4 4 0 1 0 .01 0Z',
  'M6 47 4.5 24 16 33.5 30 8 44 33.5 55.5 24 54 47ZM6 54H54M23.5 20l4 4.5 2.5-3 2.5 3 4-4.5M4.5 24M16 33.5l5 6.5M44 33.5l-5 6.5',
];

/** The back: a hill seen from above, one closed line for each height. */
const HILLS = [
  'M50 18C72 15 87 33 84 58 82 78 90 92 80 108 70 125 44 127 28 117 12 107 14 88 18 70 22 48 24 22 50 18Z',
  'M51 31C66 29 74 42 72 60 70 76 76 88 69 99 61 112 43 113 34 105 25 96 27 84 30 70 33 53 35 34 51 31Z',
  'M51 45C59 44 62 53 61 64 59 77 63 84 58 92 53 99 44 99 41 92 37 84 40 77 42 67 43 56 44 46 51 45Z',
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
  if (rank > 9) return path(EMBLEMS[rank - 10], 'emblem', 'translate(18.4 55) scale(1.06)');
  const size = rank ? 2.5 : 3;
  return path(MARKS[suitOf(card)], rank ? 'quiet' : 'mark', `translate(${50 - 12 * size} ${87 - 12 * size}) scale(${size})`);
}

/** @type {Map<number | string, SVGElement>} */
const drawn = new Map();

/** @param {number | string} key @param {() => SVGElement} draw */
function once(key, draw) {
  const known = drawn.get(key) ?? draw();
  drawn.set(key, known);
  return /** @type {SVGElement} */ (known.cloneNode(true));
}

/** @param {string} kind @param {SVGElement[]} parts */
const sheet = (kind, parts) => svg('svg', { class: kind, viewBox: '0 0 100 140', 'aria-hidden': 'true' }, parts);

/** A card's face. @param {Card} card */
export const face = (card) =>
  once(card % 52, () => sheet(`face ${SUITS[suitOf(card)]}`, [
    index(card, 'index'),
    middle(card),
    index(card, 'small', 'translate(94 135) rotate(180) scale(.5)'),
  ]));

/** A card's back. */
export const back = () => once('back', () => sheet('back', HILLS.map((d) => path(d, 'hill'))));

/** A suit's mark alone, for an empty foundation. @param {number} suit */
export const suitMark = (suit) =>
  once(`mark${suit}`, () => svg('svg', { class: `mark ${SUITS[suit]}`, viewBox: '0 0 24 24', 'aria-hidden': 'true' }, [path(MARKS[suit], 'shape')]));
