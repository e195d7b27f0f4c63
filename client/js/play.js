/** Commands of the game that is shown: one under way, the others wait in order and are checked when their turn comes. */

import { cardsOf, findCard, groupCard, isFoundation } from './board.js';
import { bestPlacement, foundationFor, isLegal } from './choices.js';
import { isOver, withBoard } from './state.js';
import { FINISH, PAUSE, RESIGN, RESUME, SPECIAL, UNDO, askSnapshot, command, sameMove } from './wire.js';

/** @typedef {import('./types.js').State} State */
/** @typedef {import('./types.js').Game} Game */
/** @typedef {import('./types.js').Move} Move */
/** @typedef {import('./types.js').Waiting} Waiting */
/** @typedef {import('./types.js').Effect} Effect */

/** More than anybody does in a moment; it only bounds what piles up while the connection is lost. */
const QUEUE_LIMIT = 32;

/** One update under way: the state so far and what main has to do. Lives only inside update(). */
export class Step {
  /** @param {State} state */
  constructor(state) {
    this.state = state;
    /** @type {Effect[]} */
    this.effects = [];
  }

  /** @param {Partial<State>} changes */
  set(changes) {
    this.state = { ...this.state, ...changes };
  }

  /** @param {Partial<Game>} changes */
  game(changes) {
    if (this.state.game) this.set({ game: withBoard({ ...this.state.game, ...changes }) });
  }

  /** @param {Effect} effect */
  effect(effect) {
    this.effects.push(effect);
  }

  /** @param {unknown[]} message */
  send(message) {
    this.effect({ type: 'send', message });
  }

  /** @param {string} key @param {'plain' | 'refusal' | 'good'} [tone] @param {Record<string, string | number>} [params] */
  notice(key, tone = 'plain', params = {}) {
    const serial = this.state.serial + 1;
    this.set({ serial, notice: { id: serial, key, params, tone } });
  }

  /** Lets a group fly back. @param {number} source @param {number} count */
  flyBack(source, count) {
    const serial = this.state.serial + 1;
    this.set({ serial, refused: { id: serial, source, count } });
  }
}

/** Sends a command as the one under way. @param {Step} step @param {Move} move @param {boolean} shown @param {number} now */
export function submit(step, move, shown, now) {
  const game = step.state.game;
  if (!game) return;
  const sent = step.state.connection === 'open';
  const lastMove = shown && move.source !== SPECIAL ? { ...move, at: now, undo: false } : game.lastMove;
  step.game({ pending: { move, version: game.version, shown, sent }, lastMove });
  if (sent) step.send(command(move, game.version));
}

/** Sends the pending command (again). @param {Step} step */
export function resend(step) {
  const pending = step.state.game?.pending;
  if (!pending || pending.sent || step.state.connection !== 'open') return;
  step.game({ pending: { ...pending, sent: true } });
  step.send(command(pending.move, pending.version));
}

/** Asks for a snapshot once. @param {Step} step */
export function askForSnapshot(step) {
  if (!step.state.game || step.state.game.asked) return;
  step.game({ asked: true });
  if (step.state.connection === 'open') step.send(askSnapshot());
}

/** @param {Game} game */
const isBusy = (game) => game.pending !== null || game.queue.length > 0 || game.asked;

/** @param {Step} step @param {Waiting} waiting @param {number} now */
export function enqueue(step, waiting, now) {
  const game = step.state.game;
  if (!game || game.queue.length >= QUEUE_LIMIT) return;
  const lastMove = waiting.type === 'move' ? { ...waiting.move, at: now, undo: false } : game.lastMove;
  step.game({ queue: [...game.queue, waiting], lastMove });
}

/** Plays a legal move at once, or puts it in line. @param {Step} step @param {Move} move @param {number} now */
export function play(step, move, now) {
  const game = step.state.game;
  if (!game) return;
  if (isBusy(game)) enqueue(step, { type: 'move', move, card: groupCard(game.board, move.source, move.count) }, now);
  else submit(step, move, true, now);
}

/**
 * A move that is not legal: nothing changes on the board, and where the player wants to know why, the server is asked.
 * @param {Step} step @param {Move | null} move null: no place was found for a group
 * @param {number} now
 */
export function refuse(step, move, now) {
  const game = step.state.game;
  if (!game) return;
  if (move && move.source !== SPECIAL) step.flyBack(move.source, move.count);
  if (!step.state.settings.interactiveRules) return;
  if (!move) step.notice('refusal.no_place', 'refusal');
  else if (step.state.connection === 'open' && !isBusy(game)) submit(step, move, false, now);
}

/** Whether a special command makes sense now. @param {Game} game @param {Move} move */
function isSpecialOpen(game, move) {
  if (isOver(game)) return false;
  if (sameMove(move, RESUME)) return game.flags.paused;
  if (sameMove(move, RESIGN)) return true;
  if (game.flags.paused) return false;
  if (sameMove(move, UNDO)) return game.flags.canUndo;
  if (sameMove(move, FINISH)) return game.flags.finishable;
  return sameMove(move, PAUSE) || isLegal(game.legal, move);
}

/** Undo, finish, pause …: under way without being shown. @param {Step} step @param {Move} move @param {number} now */
export function special(step, move, now) {
  const game = step.state.game;
  if (!game) return;
  if (isBusy(game)) enqueue(step, { type: 'special', move }, now);
  else if (isSpecialOpen(game, move)) submit(step, move, false, now);
}

/** Decides the first of the waiting actions against the legal moves now; true when nothing is under way after it. @param {Step} step @param {Game} game @param {Waiting} first @param {number} now */
function decide(step, game, first, now) {
  if (first.type === 'special') {
    if (isSpecialOpen(game, first.move)) submit(step, first.move, false, now);
    return;
  }
  const card = first.card;
  const found = card === null ? null : findCard(game.confirmed, card);
  if (first.type === 'move') {
    decideMove(step, game, first.move, card === null ? { pile: first.move.source, count: first.move.count } : found, now);
    return;
  }
  if (!found) return;
  if (first.type === 'home') {
    const home = found.count === 1 ? foundationFor(game.legal, found.pile) : null;
    if (home === null) step.set({ selection: found });
    else submit(step, { source: found.pile, count: 1, target: home }, true, now);
    return;
  }
  const target = bestPlacement(game.legal, game.confirmed, found.pile, found.count);
  if (target === null) refuse(step, null, now);
  else submit(step, { source: found.pile, count: found.count, target }, true, now);
}

/** @param {Step} step @param {Game} game @param {Move} wanted @param {{pile: number, count: number} | null} found @param {number} now */
function decideMove(step, game, wanted, found, now) {
  if (!found || found.pile === wanted.target) return;
  let target = wanted.target;
  // Cards went up by themselves meanwhile, this one perhaps to the other foundation of its suit: look it up again.
  if (isFoundation(target) && found.count === 1) target = foundationFor(game.legal, found.pile) ?? target;
  const move = { source: found.pile, count: found.count, target };
  if (isLegal(game.legal, move)) submit(step, move, true, now);
  else {
    // What waits behind it was meant for a board that will not be.
    step.game({ queue: [] });
    refuse(step, move, now);
  }
}

/** Lets the next waiting action go, as long as nothing is under way. @param {Step} step @param {number} now */
export function advance(step, now) {
  for (;;) {
    const game = step.state.game;
    if (!game || game.pending || game.asked || !game.queue.length) return;
    if (isOver(game)) {
      step.game({ queue: [] });
      return;
    }
    const [first, ...queue] = game.queue;
    step.game({ queue });
    decide(step, /** @type {Game} */ (step.state.game), first, now);
  }
}

/** The selection, if its cards still lie there. @param {State} before @param {State} after */
export function keptSelection(before, after) {
  const selection = after.selection;
  if (!selection || !before.game || !after.game) return null;
  const { pile, count } = selection;
  const was = cardsOf(before.game.board, pile).slice(-count);
  const is = cardsOf(after.game.board, pile).slice(-count);
  return was.length === count && was.every((card, index) => card === is[index]) ? selection : null;
}
