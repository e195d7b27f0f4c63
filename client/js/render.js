/** Puts cards on the page: one node for each card, kept while the card is there, moved by transforms only. */

import { appear, isCalm, paradeStep, seenAt, slide, transform, turn } from './anim.js';
import { back, face } from './cards.js';
import { h } from './dom.js';
import { STOCK } from './wire.js';

/** @typedef {import('./layout.js').Place} Place */
/** @typedef {import('./layout.js').Layout} Layout */
/** @typedef {import('./anim.js').Spot} Spot */

/**
 * @typedef {object} Node
 * @property {HTMLElement} element moves
 * @property {HTMLElement} sides turns
 * @property {Place | null} place where it belongs
 * @property {number} card what shows: a card, or -1 for the back
 * @property {string} spot the transform that its style has
 * @property {Spot} at the same as numbers
 * @property {number} z
 * @property {number} index the scale of its index
 * @property {boolean} buried
 * @property {Animation | null} moving
 * @property {Animation | null} turning
 */

/** Above everything that lies still, and above everything that moves by itself. */
const MOVING = 1000;
const LIFTED = 3000;

/** How large an index is where `strip` pixels of a card of that width show: as large as fits, at best as it is drawn. @param {number} strip @param {number} w */
export const indexScale = (strip, w) => Math.max(0.45, Math.min(1, Math.round(((strip / w) * 100 - 4.5) / 28 * 25) / 25));

export class Renderer {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    /** @type {Map<string, Node>} */
    this.nodes = new Map();
    /** @type {Set<string>} keys of the cards in the player's hand: somebody else says where they are */
    this.lifted = new Set();
  }

  /** @returns {Node} */
  #create() {
    const sides = h('div', { class: 'sides' });
    const element = h('div', { class: 'card', role: 'button', tabindex: -1 }, sides);
    this.root.append(element);
    return { element, sides, place: null, card: -2, spot: '', at: { x: 0, y: 0, scale: 1 }, z: -1, index: 1, buried: false, moving: null, turning: null };
  }

  /** Nodes for all places: the card's own, else that of the card that lay there and is no more (it turned), else a new one. @param {readonly Place[]} all */
  #match(all) {
    const keys = new Set(all.map(({ key }) => key));
    /** @type {Map<string, string>} */
    const gone = new Map();
    let drawn = '';
    for (const [key, { place }] of this.nodes) {
      if (keys.has(key) || !place) continue;
      gone.set(`${place.pile}:${place.index}`, key);
      if (place.pile === STOCK) drawn = key;
    }
    for (const place of all) {
      if (this.nodes.has(place.key)) continue;
      // A card drawn from the stock was the stock's uppermost one.
      const old = gone.get(`${place.pile}:${place.index}`) ?? (place.pile > STOCK && drawn ? drawn : undefined);
      const node = old === undefined ? undefined : this.nodes.get(old);
      if (old !== undefined && node) {
        this.nodes.delete(old);
        gone.delete(`${node.place?.pile}:${node.place?.index}`);
        if (old === drawn) drawn = '';
      }
      this.nodes.set(place.key, node ?? this.#create());
    }
    for (const key of gone.values()) {
      this.nodes.get(key)?.element.remove();
      this.nodes.delete(key);
      this.lifted.delete(key);
    }
  }

  /** @param {Node} node @param {number} card @param {boolean} animate @param {number} delay */
  #show(node, card, animate, delay) {
    if (node.card === card) return;
    const change = () => {
      node.element.classList.toggle('down', card < 0);
      node.sides.replaceChildren(card < 0 ? back() : face(card));
    };
    const turns = animate && (node.card < 0) !== (card < 0);
    node.card = card;
    node.turning?.cancel();
    node.turning = turns ? turn(node.sides, change, delay) : null;
    if (!turns) change();
  }

  /** @param {Node} node @param {Spot} spot @param {boolean} animate @param {number} delay */
  #move(node, spot, animate, delay) {
    const wanted = transform(spot);
    if (node.spot === wanted) return;
    const from = node.moving ? seenAt(node.element) : node.at;
    node.moving?.cancel();
    node.moving = null;
    const isNew = !node.spot;
    node.spot = wanted;
    node.at = spot;
    node.element.style.transform = wanted;
    if (!animate || isNew) return;
    const moving = slide(node.element, from, spot, delay);
    node.moving = moving;
    const end = () => {
      if (node.moving !== moving) return;
      node.moving = null;
      this.#settle(node);
    };
    moving.onfinish = end;
  }

  /** Height above the table and whether it has to be drawn at all. @param {Node} node */
  #settle(node) {
    const { place } = node;
    if (!place) return;
    const lifted = this.lifted.has(place.key);
    const z = place.index + 1 + (lifted ? LIFTED : node.moving ? MOVING : 0);
    if (node.z !== z) node.element.style.zIndex = String((node.z = z));
    const buried = place.buried && !node.moving && !lifted;
    if (node.buried !== buried) node.element.classList.toggle('buried', (node.buried = buried));
  }

  /**
   * Draws cards where they belong. Lifted cards stay in the hand.
   * @param {Layout} layout @param {readonly Place[]} all @param {boolean} animate
   */
  draw(layout, all, animate) {
    const moves = animate && !isCalm() && !document.hidden;
    this.#match(all);
    const delays = this.#delays(all, moves);
    for (const place of all) {
      const node = /** @type {Node} */ (this.nodes.get(place.key));
      const delay = delays.get(place.key) ?? 0;
      node.place = place;
      this.#show(node, place.card, moves, delay);
      const index = indexScale(place.strip, layout.w);
      if (node.index !== index) node.element.style.setProperty('--index', String((node.index = index)));
      if (!this.lifted.has(place.key)) this.#move(node, { x: place.x, y: place.y, scale: 1 }, moves, delay);
      this.#settle(node);
    }
  }

  /** Cards that go home together go one after another. @param {readonly Place[]} all @param {boolean} moves */
  #delays(all, moves) {
    /** @type {Map<string, number>} */
    const delays = new Map();
    if (!moves) return delays;
    const going = all.filter(({ key, pile }) => {
      const old = this.nodes.get(key)?.place;
      return pile > 15 && pile < STOCK && old && old.pile !== pile;
    });
    going.sort((a, b) => a.index - b.index || a.pile - b.pile);
    const step = paradeStep(going.length);
    going.forEach(({ key }, i) => delays.set(key, i * step));
    return delays;
  }

  /** Takes cards into the hand. @param {readonly string[]} keys deepest first */
  lift(keys) {
    for (const key of keys) {
      const node = this.nodes.get(key);
      if (!node) continue;
      if (node.moving) node.at = seenAt(node.element);
      node.moving?.cancel();
      node.moving = null;
      this.lifted.add(key);
      node.element.classList.add('lifted');
      this.#settle(node);
    }
  }

  /** Where the hand has its cards. @param {string} key @param {Spot} spot */
  carry(key, spot) {
    const node = this.nodes.get(key);
    if (!node || !this.lifted.has(key)) return;
    node.at = spot;
    node.spot = transform(spot);
    node.element.style.transform = node.spot;
  }

  /** Lets go of what is in the hand: the next draw lets it glide to where it belongs. */
  release() {
    for (const key of this.lifted) this.nodes.get(key)?.element.classList.remove('lifted');
    this.lifted.clear();
  }

  /** All cards away, for another game. @param {boolean} fade */
  clear(fade) {
    this.release();
    for (const { element } of this.nodes.values()) element.remove();
    this.nodes.clear();
    if (fade && !isCalm()) appear(this.root, 220);
  }
}
