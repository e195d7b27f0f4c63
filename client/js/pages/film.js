/** A finished game as a film: every board of it, when it stood, and what led there. Pure. */

import { withChanges } from '../board.js';
import { decode } from '../msgpack.js';
import { ContractError, PAUSE, RESIGN, RESUME, UNDO, readMessage, sameMove } from '../wire.js';

/** @typedef {import('../types.js').Board} Board */
/** @typedef {import('../types.js').Flags} Flags */
/** @typedef {import('../types.js').EventMessage} EventMessage */

/**
 * One moment of the game. `at` is the game's clock, which stands while the game is paused; `moved` what to point at.
 * @typedef {object} Frame
 * @property {number} at milliseconds
 * @property {Board} board
 * @property {number} score
 * @property {number} moves
 * @property {Flags} flags
 * @property {'deal' | 'move' | 'undo' | 'pause' | 'resume' | 'end'} kind
 * @property {{pile: number, count: number} | null} moved
 *
 * @typedef {object} Film
 * @property {string} session
 * @property {string} letter
 * @property {string | null} code
 * @property {{id: string, name: string | null}} player
 * @property {string} state
 * @property {number} score
 * @property {number} ranked
 * @property {number} moves
 * @property {number} time milliseconds
 * @property {number} dealt Unix milliseconds
 * @property {Frame[]} frames the deal first
 */

/** @param {string} hex */
export function bytesOf(hex) {
  if (!/^(?:[0-9a-f]{2})*$/i.test(hex)) throw new ContractError('hex was expected');
  return Uint8Array.from(hex.match(/../g) ?? [], (two) => parseInt(two, 16));
}

/** @param {EventMessage} event @returns {Frame['kind']} */
function kindOf({ command, flags }) {
  if (sameMove(command, UNDO)) return 'undo';
  if (sameMove(command, PAUSE)) return 'pause';
  if (sameMove(command, RESUME)) return 'resume';
  return sameMove(command, RESIGN) || flags.won ? 'end' : 'move';
}

/** The last group that an event moved. @param {EventMessage} event @returns {Frame['moved']} */
function movedBy({ changes }) {
  const last = changes.findLast((change) => change.type === 'move');
  return last?.type === 'move' ? { pile: last.target, count: last.count } : null;
}

/** @param {Record<string, any>} answer of /api/replay/<session> @returns {Film} @throws {ContractError} */
export function readFilm(answer) {
  const start = readMessage(decode(bytesOf(answer.start)));
  if (start?.kind !== 'snapshot') throw new ContractError('a replay starts with a snapshot');
  const { board, score, moves, flags } = start;
  /** @type {Frame[]} */
  const frames = [{ at: 0, board, score, moves, flags, kind: 'deal', moved: null }];
  let stood = 0;
  /** @type {number | null} */
  let paused = null;
  for (const [ms, hex] of answer.events) {
    const event = readMessage(decode(bytesOf(hex)));
    if (event?.kind !== 'event') throw new ContractError('a replay goes on with events');
    const before = frames[frames.length - 1];
    if (paused !== null) stood += ms - paused;
    paused = event.flags.paused ? ms : null;
    frames.push({
      at: Math.max(before.at, ms - stood),
      board: withChanges(before.board, event.changes),
      score: event.score, moves: event.moves, flags: event.flags, kind: kindOf(event), moved: movedBy(event),
    });
  }
  const { session, letter, code, player, state, ranked, time, dealt } = answer;
  return { session, letter, code, player, state, ranked, time, dealt, score: answer.score, moves: answer.moves, frames };
}

/** The last frame that stands at an instant of the game's clock. @param {readonly Frame[]} frames @param {number} at */
export function frameAt(frames, at) {
  let low = 0;
  let high = frames.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (frames[middle].at <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}
