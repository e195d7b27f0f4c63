/** A small server with made-up rules, for testing update(): it holds one session and answers as docs/protocol.md says. */

import { FOUNDATIONS, PAUSE, RESUME, SPECIAL, STOCK, UNDO, WASTE, readFlags, sameMove } from '../../client/js/wire.js';

/** @typedef {import('../../client/js/types.js').Board} Board */
/** @typedef {import('../../client/js/types.js').Change} Change */
/** @typedef {import('../../client/js/types.js').Move} Move */
/** @typedef {import('../../client/js/types.js').ServerMessage} ServerMessage */
/** @typedef {{columns: {down: number[], cards: number[]}[], foundations: number[][], stock: number[], waste: number[]}} Truth */
/** @typedef {{truth: Truth, undo: {truth: Truth, changes: Change[]}[], paused: boolean}} Place one point of a session's history */
/** @typedef {{board: Place, changes: Change[]} | string} Outcome the next place, or the code of a refusal */

/** A number below `bound`, the same for every run of a seed. @param {number} seed */
export function randomOf(seed) {
  let state = seed >>> 0;
  return (/** @type {number} */ bound) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  };
}

/** @param {(bound: number) => number} random @returns {Place} */
export function dealt(random) {
  const deck = Array.from({ length: 52 }, (_, card) => card);
  for (let i = 51; i > 0; i -= 1) {
    const j = random(i + 1);
    [deck[i], deck[j]] = [deck[j], deck[i]];
  }
  const columns = [0, 1, 2, 3, 4].map((down) => ({ down: deck.splice(0, down), cards: deck.splice(0, 5) }));
  columns.push({ down: [], cards: [] });
  return { truth: { columns, foundations: [[], [], [], []], stock: deck, waste: [] }, undo: [], paused: false };
}

/** What a player may see of it. @param {Truth} truth @returns {Board} */
export const viewOf = ({ columns, foundations, stock, waste }) => ({
  columns: columns.map(({ down, cards }) => ({ down: down.length, cards })), foundations, stock: stock.length, waste,
});

/** The face-up cards of a pile. @param {Truth} truth @param {number} pile */
const cardsOf = (truth, pile) =>
  (pile < FOUNDATIONS ? truth.columns[pile]?.cards : pile < STOCK ? truth.foundations[pile - FOUNDATIONS] : truth.waste) ?? [];

/** Rules that are nobody's, but give many moves: why a move may not be played, or null. @param {Truth} truth @param {Move} move */
function whyNot(truth, { source, count, target }) {
  if (source === STOCK) return truth.stock.length && target === WASTE && count === 1 ? null : 'nothing_to_draw';
  const card = cardsOf(truth, source).at(-count);
  if (card === undefined || count < 1 || source === target || target > 19) return 'not_that_many';
  if (target >= FOUNDATIONS) {
    if (count !== 1) return 'single_cards_only';
    const suit = target - FOUNDATIONS;
    return Math.floor(card / 13) === suit && card % 13 === truth.foundations[suit].length ? null : 'wants_next';
  }
  if (target >= truth.columns.length) return 'no_such_pile';
  if (source >= FOUNDATIONS && count !== 1) return 'single_cards_only';
  const top = truth.columns[target].cards.at(-1);
  if (top === undefined) return card % 3 === 0 ? null : 'wants_king';
  return (card * 5 + top * 3) % 4 < 2 ? null : 'wrong_rank';
}

/** @param {Truth} truth @returns {Move[]} */
export function legalIn(truth) {
  /** @type {Move[]} */
  const moves = [];
  const piles = [...truth.columns.keys(), 16, 17, 18, 19, WASTE];
  const targets = [...truth.columns.keys(), 16, 17, 18, 19];
  for (const source of piles) {
    const most = source < FOUNDATIONS ? cardsOf(truth, source).length : Math.min(1, cardsOf(truth, source).length);
    for (let count = 1; count <= most; count += 1) {
      for (const target of targets) {
        if (source >= FOUNDATIONS && source < STOCK && target >= FOUNDATIONS) continue;
        if (!whyNot(truth, { source, count, target })) moves.push({ source, count, target });
      }
    }
  }
  if (truth.stock.length) moves.push({ source: STOCK, count: 1, target: WASTE });
  return moves;
}

/** Plays in `truth` itself and says what changed. @param {Truth} truth @param {Move} move @returns {Change[]} */
function playIn(truth, { source, count, target }) {
  /** @type {Change[]} */
  const changes = [{ type: 'move', source, count, target }];
  if (source === STOCK) {
    const card = /** @type {number} */ (truth.stock.shift());
    truth.waste.push(card);
    return [...changes, { type: 'waste', card }];
  }
  const from = cardsOf(truth, source);
  cardsOf(truth, target).push(...from.splice(-count));
  for (let again = true; again;) {
    again = false;
    for (const [index, column] of truth.columns.entries()) {
      const uncovered = column.cards.length ? undefined : column.down.pop();
      if (uncovered !== undefined) {
        column.cards.push(uncovered);
        changes.push({ type: 'up', column: index, card: uncovered });
      }
      // Aces go up by themselves, as in Traditional: cards leave that nobody moved.
      const last = column.cards.at(-1);
      if (last === undefined || last % 13 !== 0) continue;
      const pile = FOUNDATIONS + last / 13;
      cardsOf(truth, pile).push(/** @type {number} */ (column.cards.pop()));
      changes.push({ type: 'move', source: index, count: 1, target: pile });
      again = true;
    }
  }
  return changes;
}

/** @param {Change[]} changes @returns {Change[]} the changes that take them back */
const inverse = (changes) => changes.toReversed().flatMap(invert);

/** @param {Change} change @returns {Change[]} */
function invert(change) {
  if (change.type === 'move') return [{ type: 'move', source: change.target, count: change.count, target: change.source }];
  return change.type === 'up' ? [{ type: 'down', column: change.column }] : [];
}

/** A command at a place of the history. @param {Place} place @param {Move} move @returns {Outcome} */
export function played(place, move) {
  const next = { ...place, truth: structuredClone(place.truth) };
  if (sameMove(move, RESUME)) return place.paused ? { board: { ...next, paused: false }, changes: [] } : 'not_paused';
  if (place.paused) return 'paused';
  if (sameMove(move, PAUSE)) return { board: { ...next, paused: true }, changes: [] };
  if (sameMove(move, UNDO)) {
    const last = place.undo.at(-1);
    if (!last) return 'nothing_to_undo';
    return { board: { truth: last.truth, undo: place.undo.slice(0, -1), paused: false }, changes: inverse(last.changes) };
  }
  const reason = move.source === SPECIAL ? 'not_finishable' : whyNot(place.truth, move);
  if (reason) return reason;
  const changes = playIn(next.truth, move);
  return { board: { ...next, undo: [...place.undo, { truth: place.truth, changes }] }, changes };
}

/** The move of a command message. @param {any[]} message @returns {Move} */
const moveOf = ([kind, , ...fields]) =>
  kind === 4 ? { source: fields[0], count: fields[1], target: fields[2] } : { source: SPECIAL, count: [2, 1, 3, 4, 5][kind - 5], target: 0 };

/** One session on the server, with any number of sockets that show it. */
export class ModelServer {
  /** @param {Place} place */
  constructor(place) {
    this.places = [place];
    /** @type {Move[]} */
    this.log = [];
    /** Every view that ever was, by its version: more than one where the store forgot. @type {Map<number, Set<string>>} */
    this.views = new Map();
    this.remember();
  }

  get place() {
    return /** @type {Place} */ (this.places.at(-1));
  }

  remember() {
    const views = this.views.get(this.log.length) ?? new Set();
    this.views.set(this.log.length, views.add(JSON.stringify(viewOf(this.place.truth))));
  }

  /** The store failed over and has lost the last commands. @param {number} count */
  forget(count) {
    const kept = Math.max(0, this.log.length - count);
    this.log.length = kept;
    this.places.length = kept + 1;
  }

  counters() {
    const { paused, undo } = this.place;
    const legal = paused ? [] : legalIn(this.place.truth);
    return { version: this.log.length, flags: readFlags((!paused && undo.length ? 1 : 0) | (paused ? 8 : 0)), score: 0, moves: 0, legal };
  }

  /** @returns {ServerMessage} */
  snapshot() {
    return structuredClone({
      kind: /** @type {const} */ ('snapshot'), session: 's', letter: 'C', code: 'YU1-C-AAAAAAB', commitment: null, elapsed: 0, ranked: 0, origin: 0, counts: false, day: null, first: false,
      board: viewOf(this.place.truth), ...this.counters(),
    });
  }

  /**
   * @param {any[]} message of a client
   * @returns {{answers: ServerMessage[], event: ServerMessage | null}} what this socket hears, and what every other one does
   */
  hear(message) {
    if (message[0] === 3 || message[0] === 11) return { answers: [this.snapshot()], event: null };
    const [kind, version] = message;
    const move = moveOf(message);
    /** @param {string} code @returns {ServerMessage} */
    const refusal = (code) => ({ kind: 'refusal', command: kind, about: version, code, reason: code, again: false });
    if (version < this.log.length && sameMove(this.log[version], move)) return { answers: [{ kind: 'confirmed', version: version + 1 }], event: null };
    if (version !== this.log.length) return { answers: [refusal('stale'), this.snapshot()], event: null };
    const outcome = played(this.place, move);
    if (typeof outcome === 'string') return { answers: [refusal(outcome)], event: null };
    this.places.push(outcome.board);
    this.log.push(move);
    this.remember();
    /** @type {ServerMessage} */
    const event = structuredClone({ kind: /** @type {const} */ ('event'), command: move, changes: outcome.changes, elapsed: null, ...this.counters() });
    return { answers: [event], event };
  }
}
