/** The table: draws the state's board and turns pointers and keys into actions. Knows no rule: places come from the legal moves. */

import { isCalm, whenIdle } from './anim.js';
import { cardsOf, isColumn, isFoundation } from './board.js';
import { groupSize, legalNow, targetsFor } from './choices.js';
import { createDrag } from './drag.js';
import { createKeyboard, stopsOf } from './keyboard.js';
import { hit, landing, layOut, meant, places } from './layout.js';
import { loadPart, sparing } from './lazy.js';
import { createMarks, marksOf } from './marks.js';
import { Renderer } from './render.js';
import { createSpots } from './spots.js';
import { isOver } from './state.js';
import { STOCK, WASTE } from './wire.js';

/** @typedef {import('./types.js').State} State */
/** @typedef {import('./types.js').Board} Board */
/** @typedef {import('./types.js').Action} Action */
/** @typedef {import('./layout.js').Layout} Layout */
/** @typedef {import('./layout.js').Place} Place */

/** What lies on the table before any game: the places alone. @type {Board} */
const BARE = { columns: Array.from({ length: 7 }, () => ({ down: 0, cards: [] })), foundations: [[], [], [], []], stock: 0, waste: [] };

/**
 * The cards in the player's hand: `grip` is where the pointer holds the first of them, in widths of a card.
 * @typedef {{pile: number, count: number, cards: Place[], grip: {x: number, y: number}, x: number, y: number}} Hand
 */

/**
 * @param {HTMLElement} root
 * @param {(action: Action) => void} act
 */
export function createTable(root, act) {
  const renderer = new Renderer(root);
  const drawMarks = createMarks(root);
  const spots = createSpots(root);
  /** @type {State | null} */
  let state = null;
  /** @type {Board} */
  let board = BARE;
  let layout = layOut({ width: 0, height: 0 }, BARE);
  /** @type {Place[]} */
  let all = [];
  /** @type {Hand | null} */
  let hand = null;
  let session = '';
  let hasStock = false;
  let celebrated = '';
  /** The pile under the hand, as marked. @type {number | null} */
  let aimed = null;
  let size = { width: 0, height: 0 };
  let frame = 0;
  let telling = 0;
  /** What the Tab key comes to. @type {HTMLElement | null} */
  let tabbed = null;
  let becomeReady = () => {};
  /** The first board is there, or none is awaited. @type {Promise<void>} */
  const ready = new Promise((resolve) => (becomeReady = resolve));

  const game = () => state?.game ?? null;
  const legal = () => {
    const playing = game();
    return playing && !isOver(playing) ? legalNow(playing) : [];
  };

  /** Lays everything out again and draws it. @param {boolean} animate */
  function redraw(animate) {
    if (!size.width) return;
    layout = layOut(size, board, hasStock);
    spots.draw(layout, board, hasStock);
    all = places(layout, board);
    checkHand();
    const complete = renderer.draw(layout, all, animate);
    root.setAttribute('aria-busy', String(!complete));
    if (!complete) later();
    else if (all.length || !isAwaited()) becomeReady();
    drawHand();
    decorate();
    tell();
  }

  /** Whether a board is on its way. */
  const isAwaited = () => !!state && (state.dealing ?? state.opening) !== null;

  /** The hand opens by itself when its cards do not lie there any more, or the game stands still. */
  function checkHand() {
    if (!hand) return;
    const { pile, count: size_, cards } = hand;
    const now = all.filter((place) => place.pile === pile).slice(-size_);
    const playing = game();
    const same = now.length === cards.length && now.every(({ key }, i) => key === cards[i].key);
    if (same && playing && !isOver(playing) && !playing.flags.paused) {
      hand.cards = now;
      return;
    }
    hand = null;
    renderer.release();
    drag.forget();
  }

  function drawHand() {
    const zIndex = hand ? '2' : '';
    if (root.style.zIndex !== zIndex) root.style.zIndex = zIndex;
    if (!hand) return;
    const { x, y } = hand.cards[0];
    const box = { x, y, w: layout.w, h: hand.cards[hand.cards.length - 1].y - y + layout.h };
    renderer.carry({ x: x + hand.grip.x * layout.w, y: y + hand.grip.y * layout.w }, hand, box);
  }

  /** Where the hand would put its cards. @param {Hand} held */
  function aim(held) {
    const card = { x: held.x - held.grip.x * layout.w, y: held.y - held.grip.y * layout.w };
    return landing(layout, card, targetsFor(legal(), held.pile, held.count), held.pile);
  }

  function decorate() {
    aimed = hand ? aim(hand).target : null;
    drawMarks(marksOf({ state, layout, all, legal: legal(), hand, over: aimed }));
  }

  /** The Tab key comes to the table at one card, as it comes to a list: the arrows do the rest. */
  function offerTab() {
    const here = keyboard.here();
    const next = (here && elementAt(here.pile, here.index)) ?? null;
    if (next === tabbed) return;
    if (tabbed) tabbed.tabIndex = -1;
    if (next) next.tabIndex = 0;
    tabbed = next;
  }

  const describing = sparing(() => loadPart('describe.js', () => import('./describe.js')), tell);

  /** Tells people who listen what lies where, when the movement is over. */
  function tell() {
    clearTimeout(telling);
    telling = window.setTimeout(() => {
      offerTab();
      describing().then((part) => part?.describe(renderer.nodes, spots.all(), all, board, state?.selection ?? null));
    }, 250);
  }

  function celebrate() {
    const playing = game();
    const won = playing?.flags.won === true;
    if (!won) root.parentElement?.classList.remove('celebrating');
    if (won && celebrated === 'running' && !isCalm()) {
      root.style.setProperty('--parade', `${renderer.parade}ms`);
      root.parentElement?.classList.add('celebrating');
    }
    celebrated = playing ? (won ? 'won' : 'running') : '';
  }

  /** @param {State} next */
  function render(next) {
    state = next;
    const playing = next.game;
    const isNew = (playing?.session ?? '') !== session;
    board = playing?.board ?? BARE;
    if (isNew) {
      session = playing?.session ?? '';
      hasStock = false;
      celebrated = '';
      hand = null;
      renderer.clear(true);
    }
    hasStock ||= board.stock + board.waste.length > 0;
    redraw(!isNew);
    celebrate();
  }

  const later = () => {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      if (!hand || root.ariaBusy === 'true') return redraw(true);
      drawHand();
      if (aim(hand).target !== aimed) decorate();
    });
  };

  const drag = createDrag(root, {
    find: (x, y) => hit(layout, all, x, y),
    // Two quick touches of the stock are two draws.
    name: (pile, index) => (pile === STOCK ? '' : all.find((place) => place.pile === pile && place.index === index)?.key ?? ''),
    lift(pile, touched, x, y, touch) {
      const playing = game();
      if (!playing || isOver(playing) || playing.flags.paused) return false;
      const movable = legal().filter(({ source }) => source === pile).map(({ count: cards }) => cards);
      const index = touch && isColumn(pile) ? meant(all.filter((place) => place.pile === pile), touched, y, movable) : touched;
      const size_ = pile === WASTE || isFoundation(pile) ? Math.min(1, cardsOf(board, pile).length) : groupSize(board, pile, index);
      if (!size_ || cardsOf(board, pile).at(-1) === -1) return false;
      const cards = all.filter((place) => place.pile === pile).slice(-size_);
      hand = { pile, count: size_, cards, x, y, grip: { x: (x - cards[0].x) / layout.w, y: (y - cards[0].y) / layout.w } };
      renderer.lift(cards.map(({ key }) => key));
      act({ type: 'lift', pile, count: size_ });
      return hand !== null;
    },
    carry(x, y) {
      if (!hand) return;
      hand.x = x;
      hand.y = y;
      later();
    },
    drop(x, y) {
      if (!hand) return;
      const held = { ...hand, x, y };
      const { target, area } = aim(held);
      open();
      act({ type: 'drop', source: held.pile, count: held.count, target, area });
    },
    cancel: open,
    tap(found, double) {
      if (!found) return act({ type: 'deselect' });
      act({ type: double ? 'doubleTap' : 'tap', ...found });
    },
    now: () => performance.now(),
  });

  /** The hand opens; its cards glide to where they belong by then. */
  function open() {
    hand = null;
    renderer.release();
    later();
  }

  const keyboard = createKeyboard(root, {
    stops: () => stopsOf(layout, all, board),
    focus: (pile, index) => elementAt(pile, index)?.focus({ preventScroll: true }),
    act(action) {
      if (action.type === 'deselect') drag.cancel();
      act(action);
    },
    asleep: () => state?.covered === true || root.inert || document.querySelector('dialog[open]') !== null || document.activeElement instanceof HTMLInputElement,
  });

  /** @param {number} pile @param {number} index */
  function elementAt(pile, index) {
    const place = all.find((one) => one.pile === pile && one.index === index);
    return place ? renderer.nodes.get(place.key)?.element : spots.of(pile);
  }

  /** @param {EventTarget | null} element @returns {{pile: number, index: number} | null} */
  function whatIs(element) {
    if (!(element instanceof HTMLElement)) return null;
    if (element.dataset.pile) return { pile: Number(element.dataset.pile), index: -1 };
    for (const { element: own, place } of renderer.nodes.values()) if (own === element && place) return place;
    return null;
  }

  root.addEventListener('focusin', ({ target }) => {
    const found = whatIs(target);
    if (!found) return;
    keyboard.at(found.pile, found.index);
    offerTab();
  });
  root.addEventListener('click', (event) => {
    // Clicks without a pointer come from assistive technology.
    const found = event.detail === 0 ? whatIs(event.target) : null;
    if (found) act({ type: 'tap', pile: found.pile, index: found.index });
  });
  const calmDown = () => root.parentElement?.classList.remove('celebrating');
  document.addEventListener('pointerdown', calmDown);
  document.addEventListener('keydown', calmDown);
  new ResizeObserver(([{ contentRect }]) => {
    size = { width: contentRect.width, height: contentRect.height };
    redraw(false);
  }).observe(root);
  // The land comes after the cards, or not at all.
  ready.then(whenIdle).then(() => import('./contours.js')).then(({ contours }) => contours()).then((map) => root.before(map), () => {});

  return { render, ready };
}
