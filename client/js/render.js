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
 * @property {Element | null} side the drawing that shows; it turns
 * @property {Place | null} place where it belongs
 * @property {number} card what shows: a card, or -1 for the back
 * @property {boolean} roomy its face has a second index
 * @property {string} spot the transform that its style has
 * @property {Spot} at the same as numbers
 * @property {number} z
 * @property {number} index the scale of its index
 * @property {boolean} buried
 * @property {Animation | null} moving
 * @property {boolean} waiting its movement has not begun: it lies as it lay
 * @property {Animation | null} turning
 */

/** Above everything that lies still. */
const MOVING = 1000;
/** How many new cards one frame makes: a whole deal at once would hold up a slow phone. */
const NEW_AT_ONCE = 13;
/** From this width on a card has room for a second index, in pixels. */
const ROOMY = 80;
/** How much larger cards in the hand are than cards on the table. */
const RISE = 1.03;

/** An index with the space above it, in hundredths of a card's width; what the card's edge and the next card's take, in pixels. */
const INDEX = { height: 32.8, edge: 1.3 };

/** How large an index is where `strip` pixels of a card of that width show: as large as fits, at best as it is drawn. @param {number} strip @param {number} w */
export function indexScale(strip, w) {
  const fits = ((strip - INDEX.edge) / (w - 2)) * (100 / INDEX.height);
  return Math.max(0.4, Math.min(1, Math.floor(fits * 40) / 40));
}

export class Renderer {
  /** @param {HTMLElement} root @param {string} [prefix] of the cards' ids, where this is not the only table of the page */
  constructor(root, prefix = 'card-') {
    this.root = root;
    this.prefix = prefix;
    /** @type {Map<string, Node>} */
    this.nodes = new Map();
    /** @type {Set<string>} keys of the cards in the player's hand */
    this.lifted = new Set();
    this.shade = h('div', { class: 'hand-shade' });
    // One element carries the whole group, so that a frame moves one thing however many cards it has.
    this.hand = h('div', { class: 'hand', hidden: true }, this.shade);
    root.append(this.hand);
    /** How many cards are on their way to each pile: what lies there has to be seen until they have come. @type {Map<number, number>} */
    this.coming = new Map();
    /** How long the cards that were drawn last take to come home, in milliseconds. */
    this.parade = 0;
    /** Where the pointer holds the hand, and how far it carried it from there. */
    this.grip = { x: 0, y: 0, dx: 0, dy: 0 };
  }

  /** @returns {Node} */
  #create() {
    const element = h('div', { class: 'card', role: 'button', tabindex: -1 });
    this.root.append(element);
    return { element, side: null, place: null, card: -2, roomy: false, spot: '', at: { x: 0, y: 0, scale: 1 }, z: -1, index: 1, buried: false, moving: null, waiting: false, turning: null };
  }

  /** Nodes for all places: the card's own, else that of the card that lay there and is no more (it turned), else a new one. @param {readonly Place[]} all @returns {boolean} whether there is one for all */
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
    let made = 0;
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
      if (!node && (made += 1) > NEW_AT_ONCE) continue;
      const kept = node ?? this.#create();
      kept.element.id = this.prefix + place.key;
      this.nodes.set(place.key, kept);
    }
    for (const key of gone.values()) {
      this.nodes.get(key)?.element.remove();
      this.nodes.delete(key);
      this.lifted.delete(key);
    }
    return made <= NEW_AT_ONCE;
  }

  /** @param {Node} node @param {number} card @param {boolean} roomy @param {boolean} animate @param {number} delay */
  #show(node, card, roomy, animate, delay) {
    if (node.card === card && (card < 0 || node.roomy === roomy)) return;
    const change = () => {
      const side = card < 0 ? back() : face(card, roomy);
      node.element.replaceChildren(side);
      return (node.side = side);
    };
    const turns = animate && (node.card < 0) !== (card < 0) && node.side;
    node.card = card;
    node.roomy = roomy;
    node.turning?.cancel();
    node.turning = turns ? turn(turns, change, delay) : null;
    if (!turns) change();
  }

  /** @param {Node} node @param {Spot} spot @param {boolean} animate @param {number} delay */
  #move(node, spot, animate, delay) {
    const wanted = transform(spot);
    if (node.spot === wanted) return;
    const from = node.moving ? seenAt(node.element) : node.at;
    this.#stop(node);
    const isNew = !node.spot;
    node.spot = wanted;
    node.at = spot;
    node.element.style.transform = wanted;
    if (!animate || isNew) return;
    const moving = slide(node.element, from, spot, delay);
    const pile = node.place?.pile ?? -1;
    node.moving = moving;
    node.waiting = delay > 0;
    if (delay) setTimeout(() => {
      if (node.moving !== moving) return;
      node.waiting = false;
      this.#settle(node);
    }, delay);
    this.coming.set(pile, (this.coming.get(pile) ?? 0) + 1);
    const end = () => {
      this.coming.set(pile, (this.coming.get(pile) ?? 1) - 1);
      if (node.moving === moving) node.moving = null;
      for (const each of this.nodes.values()) if (each === node || each.place?.pile === pile) this.#settle(each);
    };
    moving.onfinish = end;
    moving.oncancel = end;
  }

  /** @param {Node} node */
  #stop(node) {
    const { moving } = node;
    node.moving = null;
    node.waiting = false;
    moving?.cancel();
  }

  /** Height above the table and whether it has to be drawn at all. @param {Node} node */
  #settle(node) {
    const { place } = node;
    if (!place || node.waiting) return;
    const z = place.index + 1 + (node.moving ? MOVING : 0);
    if (node.z !== z) node.element.style.zIndex = String((node.z = z));
    const buried = place.buried && !this.coming.get(place.pile) && !this.lifted.has(place.key);
    if (node.buried !== buried) node.element.classList.toggle('buried', (node.buried = buried));
  }

  /**
   * Draws cards where they belong. Lifted cards stay in the hand.
   * @param {Layout} layout @param {readonly Place[]} all @param {boolean} animate
   * @returns {boolean} whether all are there; else the next draw makes more
   */
  draw(layout, all, animate) {
    const moves = animate && !isCalm() && !document.hidden;
    const complete = this.#match(all);
    const delays = this.#delays(all, moves);
    for (const place of all) {
      const node = this.nodes.get(place.key);
      if (!node) continue;
      const delay = delays.get(place.key) ?? 0;
      node.place = place;
      this.#show(node, place.card, layout.w >= ROOMY, moves, delay);
      const index = indexScale(place.strip, layout.w);
      if (node.index !== index) node.element.style.setProperty('--index', String((node.index = index)));
      this.#move(node, { x: place.x, y: place.y, scale: 1 }, moves && !this.lifted.has(place.key), delay);
      this.#settle(node);
    }
    return complete;
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
    this.parade = going.length * step;
    going.forEach(({ key }, i) => delays.set(key, i * step));
    return delays;
  }

  /** Takes cards into the hand. @param {readonly string[]} keys deepest first */
  lift(keys) {
    for (const key of keys) {
      const node = this.nodes.get(key);
      if (!node) continue;
      this.#stop(node);
      this.lifted.add(key);
      this.#settle(node);
      this.#give(node, this.hand);
    }
    this.hand.hidden = false;
  }

  /** Puts a card's node elsewhere without losing the focus. @param {Node} node @param {HTMLElement} parent */
  #give(node, parent) {
    const focused = document.activeElement === node.element;
    parent.append(node.element);
    if (focused) node.element.focus({ preventScroll: true });
  }

  /**
   * Where the hand is: the point of the table that the pointer took hold of, and where the pointer is now.
   * @param {{x: number, y: number}} grip @param {{x: number, y: number}} pointer @param {import('./layout.js').Rect} box around the group where it lay
   */
  carry(grip, pointer, box) {
    const { style } = this.hand;
    this.grip = { ...grip, dx: pointer.x - grip.x, dy: pointer.y - grip.y };
    style.transformOrigin = `${grip.x}px ${grip.y}px`;
    style.transform = `${transform({ x: this.grip.dx, y: this.grip.dy, scale: RISE })}`;
    Object.assign(this.shade.style, { transform: `translate(${box.x}px,${box.y}px)`, width: `${box.w}px`, height: `${box.h}px` });
  }

  /** Lets go of what is in the hand: the next draw lets it glide to where it belongs. */
  release() {
    const { x, y, dx, dy } = this.grip;
    for (const key of this.lifted) {
      const node = this.nodes.get(key);
      if (!node) continue;
      // The card stays where it is seen; only the table carries it again.
      node.at = { x: x + (node.at.x - x) * RISE + dx, y: y + (node.at.y - y) * RISE + dy, scale: RISE };
      node.spot = transform(node.at);
      node.element.style.transform = node.spot;
      this.#give(node, this.root);
    }
    this.lifted.clear();
    this.hand.hidden = true;
  }

  /** All cards away, for another game. @param {boolean} fade */
  clear(fade) {
    this.release();
    const wasEmpty = !this.nodes.size;
    for (const { element } of this.nodes.values()) element.remove();
    this.nodes.clear();
    // The first cards of all are awaited: nothing delays them.
    if (fade && !wasEmpty && !isCalm()) appear(this.root, 220);
  }
}
