/** Names for everything on the table, for people who listen to it. Changes words only. */

import { isColumn, isFoundation } from './board.js';
import { SUITS } from './cards.js';
import { extend, t } from './i18n.js';
import words from '../locales/en-table.js';
import { FOUNDATIONS, STOCK } from './wire.js';

/** @typedef {import('./layout.js').Place} Place */
/** @typedef {import('./types.js').Board} Board */

const RANKS = ['ace', '2', '3', '4', '5', '6', '7', '8', '9', '10', 'jack', 'queen', 'king'];

extend(words);

/** A card's name: "queen of hearts". @param {number} card */
export const cardName = (card) =>
  t('card.name', { rank: t(`rank.${RANKS[card % 13]}`), suit: t(`suit.${SUITS[Math.floor(card / 13) % 4]}`) });

/** @param {number} pile @param {Board} board */
function pileName(pile, board) {
  if (isColumn(pile)) return t('table.column', { number: pile + 1 });
  if (isFoundation(pile)) return t('table.foundation', { suit: t(`suit.${SUITS[Math.floor((pile - FOUNDATIONS) / (board.foundations.length / 4))]}`) });
  return t(pile === STOCK ? 'table.stock' : 'table.waste');
}

/** @param {Place} place @param {number} above how many cards lie on it @param {Board} board */
function cardLabel(place, above, board) {
  const pile = pileName(place.pile, board);
  if (place.pile === STOCK) return t('table.stock_of', { n: board.stock });
  if (!place.up) return t('table.face_down', { pile });
  const card = cardName(place.card);
  return above && isColumn(place.pile) ? t('table.card_under', { card, pile, n: above }) : t('table.card', { card, pile });
}

/** @param {Element} element @param {string} name @param {string} value */
function set(element, name, value) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/**
 * @param {ReadonlyMap<string, {element: HTMLElement}>} nodes @param {readonly HTMLElement[]} spots
 * @param {readonly Place[]} all @param {Board} board @param {{pile: number, count: number} | null} selection
 */
export function describe(nodes, spots, all, board, selection) {
  /** @type {Map<number, Place[]>} */
  const piles = new Map();
  for (const place of all) piles.set(place.pile, [...(piles.get(place.pile) ?? []), place]);
  for (const [pile, cards] of piles) {
    cards.forEach((place, i) => {
      const element = nodes.get(place.key)?.element;
      if (!element) return;
      const above = cards.length - 1 - i;
      const reachable = place.pile < FOUNDATIONS ? place.up || !above : !above;
      set(element, 'aria-label', cardLabel(place, above, board));
      set(element, 'aria-hidden', String(!reachable));
      set(element, 'aria-pressed', String(selection?.pile === pile && above < selection.count));
    });
  }
  for (const spot of spots) {
    const pile = Number(spot.dataset.pile);
    const cards = piles.get(pile) ?? [];
    const name = pileName(pile, board);
    const down = isColumn(pile) ? board.columns[pile].down : 0;
    set(spot, 'role', cards.length ? 'group' : 'button');
    set(spot, 'aria-label', cards.length ? (down ? t('table.with_down', { pile: name, n: down }) : name) : t('table.empty', { pile: name }));
    set(spot, 'aria-owns', cards.map(({ key }) => `card-${key}`).join(' '));
  }
}
