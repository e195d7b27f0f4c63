/** Made-up states for looking at the table without a server: each name gives a whole state. */

import { initialState, withBoard } from '../../../client/js/state.js';

/** @typedef {import('../../../client/js/types.js').Board} Board */
/** @typedef {import('../../../client/js/types.js').State} State */

const RANKS = 'A23456789TJQK';
const SUITS = 'shdc';
export const RULESETS = [
  ['C', 'Classic', false], ['P', 'Australian Patience', true], ['D', 'Double Yukon', true], ['O', 'Open', false], ['S', 'Russian', true],
].map(([letter, name, lost]) => ({ letter: String(letter), name: String(name), lost: lost === true, sentence: '', columns: 7, foundations: 4, decks: 1 }));

/** @param {string} text */
const cards = (text) => (text.match(/../g) ?? []).map((two) => SUITS.indexOf(two[1]) * 13 + RANKS.indexOf(two[0]));
/** @param {string} text a position's columns, `(##…)` face down */
const columns = (text) => text.split('/').map((one) => {
  const [, down = '', up] = /^(?:\((#*)\))?(.*)$/.exec(one) ?? [];
  return { down: down.length / 2, cards: cards(up) };
});

/** @param {number} seed @param {number} decks */
function shuffled(seed, decks) {
  let state = seed;
  const all = Array.from({ length: 52 * decks }, (_, i) => i);
  for (let i = all.length - 1; i > 0; i -= 1) {
    state = (state * 1664525 + 1013904223) >>> 0;
    const j = Math.floor((state / 2 ** 32) * (i + 1));
    [all[i], all[j]] = [all[j], all[i]];
  }
  return all;
}

/** Spades and clubs are black. @param {number} card */
const colour = (card) => [0, 1, 1, 0][Math.floor(card / 13) % 4];

/** Every group onto every fitting card, for showing marks. @param {Board} board */
function legalOf(board) {
  /** @type {import('../../../client/js/types.js').Move[]} */
  const legal = [];
  board.columns.forEach((from, source) => from.cards.forEach((card, i) => {
    const count = from.cards.length - i;
    board.columns.forEach((to, target) => {
      if (source === target) return;
      const last = to.cards.at(-1);
      const fits = last === undefined 
        ? !to.down && card % 13 === 12
        : last % 13 === (card % 13) + 1 && colour(last) !== colour(card);
      if (fits) legal.push({ source, count, target });
    });
    if (count === 1 && card % 13 === (board.foundations[Math.floor(card / 13) % 4]?.length ?? -1)) legal.push({ source, count, target: 16 + Math.floor(card / 13) % 4 });
  }));
  if (board.stock) legal.push({ source: 24, count: 1, target: 25 });
  return legal;
}

/** @param {Board} board @param {any} [more] @returns {State} */
export function stateOf(board, more = {}) {
  const { game = {}, flags = {}, ...rest } = more;
  const base = initialState();
  return {
    ...base, connection: 'open', player: { id: 'x', name: null }, rulesets: RULESETS,
    ...rest,
    settings: { ...base.settings, ...rest.settings },
    game: withBoard({
      session: 'demo', letter: 'C', code: 'YU1-C-AAAAAAB', commitment: null, origin: 0, counts: false, day: null, first: false, version: 3,
      flags: { canUndo: true, finishable: false, blocked: false, paused: false, won: false, givenUp: false, ...flags },
      score: 135, moves: 42, ranked: 0, elapsed: { ms: 247000, at: performance.now(), running: false },
      board, confirmed: board, legal: legalOf(board), pending: null, queue: [], lastMove: null, asked: false, ...game,
    }),
  };
}

/** @param {number} seed @returns {Board} */
function fresh(seed) {
  const deck = shuffled(seed, 1);
  const up = [1, 5, 5, 5, 5, 5, 5];
  return { columns: up.map((n, i) => ({ down: i, cards: deck.splice(0, n) })), foundations: [[], [], [], []], stock: 0, waste: [] };
}
const run = (/** @type {number} */ suit, /** @type {number} */ n) => Array.from({ length: n }, (_, i) => suit * 13 + i);

const mid = { columns: columns('Ks/(##)QhJs3dTh9s2c/(####)5h8d7c4s6h/(##)Kd/JcTd9c8h7s6d5s4h3s/(########)Qc3c6s/(##########)9h7d8s5c2d9d'), foundations: [run(0, 2), run(1, 2), [26], run(3, 1)], stock: 0, waste: [] };
const long = (() => {
  const deck = shuffled(11, 1);
  deck.splice(0, deck.length, ...deck.filter((card) => card !== 13 && card !== 39));
  return { columns: [{ down: 0, cards: deck.splice(0, 1) }, { down: 1, cards: deck.splice(0, 2) }, { down: 0, cards: deck.splice(0, 34) }, { down: 3, cards: deck.splice(0, 1) }, { down: 0, cards: [] }, { down: 4, cards: deck.splice(0, 2) }, { down: 0, cards: [] }], foundations: [[], [13], [], [39]], stock: 0, waste: [] };
})();
const double = (/** @type {boolean} */ long52) => {
  const home = [0, 1, 13, 39, 40, 41];
  const deck = shuffled(5, 2).filter((card) => !home.includes(card));
  const downs = [0, 1, 2, 3, 4, 5, 6, 7, 8, 8];
  return { columns: downs.map((down, i) => ({ down: long52 && i === 4 ? 0 : down, cards: deck.splice(0, long52 ? (i === 4 ? 52 : 1) : 6) })), foundations: [[0, 1], [], [13], [], [], [], [39, 40, 41], []], stock: 0, waste: [] };
};
const australian = (() => {
  const deck = shuffled(8, 1);
  return { columns: Array.from({ length: 7 }, () => ({ down: 0, cards: deck.splice(0, 4) })), foundations: [[], [], [], []], stock: 15, waste: deck.splice(0, 9) };
})();
const won = { columns: columns('//////'), foundations: [0, 1, 2, 3].map((suit) => run(suit, 13)), stock: 0, waste: [] };
const open = { ...mid, columns: columns('Ks/(##)/(####)5h8d7c4s6h/(##)Kd/JcTd9c8h7s6d5s4h3s/(########)Qc3c6s/(##########)9h7d8s5c2d9d') };
const ending = { columns: columns('KsQhJsTh9s8h/KhQsJhTs9h/KcQdJcTd/KdQcJd/8s/Tc/9d9c8c8d'), foundations: [run(0, 7), run(1, 7), run(2, 7), run(3, 7)], stock: 0, waste: [] };

/** @type {Record<string, () => State>} */
export const STATES = {
  fresh: () => stateOf(fresh(3), { game: { score: 0, moves: 0, elapsed: { ms: 4000, at: 0, running: false } }, flags: { canUndo: false } }),
  mid: () => stateOf(mid),
  last: () => stateOf(mid, { game: { lastMove: { source: 6, count: 4, target: 4, at: 1, undo: false } } }),
  selected: () => stateOf(mid, { selection: { pile: 1, count: 6 } }),
  targets: () => stateOf(fresh(7), { selection: { pile: 5, count: 3 } }),
  moves: () => stateOf(fresh(7), { showMoves: true }),
  long: () => stateOf(long),
  double: () => stateOf(double(false), { game: { letter: 'D', code: 'YU1-D-Q7ABCDE' } }),
  double52: () => stateOf(double(true), { game: { letter: 'D' } }),
  australian: () => stateOf(australian, { game: { letter: 'P', code: 'YU1-P-MNBVCXZ' } }),
  open: () => stateOf(open, { game: { letter: 'O' } }),
  finishable: () => stateOf(ending, { flags: { finishable: true }, settings: { fourColours: true } }),
  won: () => stateOf(won, { flags: { won: true } }),
  four: () => stateOf(mid, { settings: { fourColours: true } }),
  court: () => stateOf({ columns: columns('Js/Qh/Kd/Jc/Qs/Kh/(##)'), foundations: [run(0, 1), run(1, 1), run(2, 10), run(3, 9)], stock: 0, waste: [] }, { settings: { fourColours: true } }),
  bare: () => ({ ...initialState(), rulesets: RULESETS }),
};
