/** The state before anything happened, and questions that several modules ask of it. */

import { withMove } from './board.js';
import { SPECIAL } from './wire.js';

/** @typedef {import('./types.js').State} State */
/** @typedef {import('./types.js').Game} Game */
/** @typedef {import('./types.js').Settings} Settings */

/** @type {Readonly<Settings>} */
export const DEFAULTS = Object.freeze({
  doubleClick: true,
  placementHelp: true,
  interactiveRules: true,
  autoPlacement: false,
  fourColours: false,
  theme: 'system',
  lastRuleset: 'C',
});

/** @param {Settings} [settings] @param {string | null} [client] the hash of this client's files @returns {State} */
export function initialState(settings = DEFAULTS, client = null) {
  return {
    connection: 'connecting',
    stopCode: 0,
    stopping: false,
    client,
    newer: '',
    served: '',
    unwanted: '',
    serial: 0,
    player: null,
    settings: { ...settings },
    rulesets: [],
    game: null,
    dealing: null,
    opening: null,
    selection: null,
    showMoves: false,
    panel: null,
    covered: false,
    raceOn: null,
    offer: null,
    notice: null,
    refused: null,
    room: null,
  };
}

/** @param {Game} game */
export const isOver = (game) => game.flags.won || game.flags.givenUp;

/** Whether the game on the table, if any, is a race's. @param {State} state */
export const inRoom = ({ room }) => room !== null && room.stage !== 'making';

/** The ruleset of a letter, if /api/rules told it. @param {State} state @param {string} letter */
export const rulesetOf = (state, letter) => state.rulesets.find((ruleset) => ruleset.letter === letter) ?? null;

/** No move is left, in a game whose ruleset calls that lost. @param {State} state */
export function isLost(state) {
  const game = state.game;
  return !!game && game.flags.blocked && !isOver(game) && rulesetOf(state, game.letter)?.lost === true;
}

/** A race counts down or runs, for whoever plays or watches. @param {State} state */
const isRacing = ({ room }) => !!room?.room && !room.standings && (room.room.state === 1 || room.room.state === 2);

/** Whether to say that the server has another client than this one: when nothing more urgent is to be done. @param {State} state */
export const isNewer = (state) =>
  state.newer === 'here' && state.connection === 'open' && !isRacing(state) && (state.covered || !(state.game?.flags.finishable || isLost(state)));

/** The game's clock at a local instant, in milliseconds. @param {Game} game @param {number} now performance.now() */
export const clockAt = ({ elapsed }, now) => elapsed.ms + (elapsed.running ? Math.max(0, now - elapsed.at) : 0);

/** The game with the board to draw: the confirmed one with the pending and waiting moves on it. @param {Game} game @returns {Game} */
export function withBoard(game) {
  let board = game.confirmed;
  const { pending } = game;
  // A pending command made on another version is being decided by the server: nothing can be said of what it does.
  if (pending?.shown && pending.version === game.version && pending.move.source !== SPECIAL) {
    board = withMove(board, pending.move.source, pending.move.count, pending.move.target);
  }
  for (const waiting of game.queue) {
    if (waiting.type === 'move') board = withMove(board, waiting.move.source, waiting.move.count, waiting.move.target);
  }
  return { ...game, board };
}
