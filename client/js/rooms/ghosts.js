/** How far each ghost was when, and where that leaves us: a race against what was recorded, by the clock of our own game. Pure. */

import { t } from '../i18n.js';
import { clockAt, isLost, isOver } from '../state.js';
import { ContractError, int, list, string } from '../wire.js';
import { byPlace } from './places.js';

/** @typedef {import('../types.js').State} State */
/** @typedef {import('../types.js').Game} Game */
/** @typedef {import('./types.js').Ghost} Ghost */
/** @typedef {import('./types.js').GhostRace} GhostRace */
/** @typedef {import('./types.js').Lane} Lane */
/** @typedef {import('./types.js').RoomState} RoomState */
/** @typedef {import('./types.js').Timeline} Timeline */
/** @typedef {import('./places.js').Row} Row */

/** Who races later comes after every seat. */
const LATER = 16;

/** @param {unknown} value @returns {Ghost['steps'][number]} */
function readStep(value) {
  const [ms, home, down, ranked, moves, stuck] = list(value);
  return [int(ms), int(home), int(down), int(ranked), int(moves), stuck === true];
}

/** What /api/ghosts says. @param {any} value @returns {Timeline} @throws {ContractError} */
export function readTimeline(value) {
  const ghosts = list(value?.ghosts).map((/** @type {any} */ ghost) => ({
    seat: int(ghost.seat), name: string(ghost.name), outcome: string(ghost.outcome), ms: int(ghost.ms), steps: list(ghost.steps).map(readStep),
  }));
  if (!ghosts.length || ghosts.some(({ steps }) => steps[0]?.[0] !== 0)) throw new ContractError('a ghost has no beginning');
  return { race: int(value.race), limit: value.limit === null ? null : int(value.limit), ghosts };
}

/** The number of the last step that was done by an instant. @param {Ghost} ghost @param {number} at milliseconds since the deal */
function stepAt({ steps }, at) {
  let low = 0;
  let high = steps.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (steps[middle][0] <= at) low = middle;
    else high = middle;
  }
  return low;
}

/** A ghost as it was so long after its deal. @param {Ghost} ghost @param {number} at @returns {Lane} */
export function ghostAt(ghost, at) {
  const { seat, outcome, ms } = ghost;
  const [, home, down, ranked, moves, stuck] = ghost.steps[stepAt(ghost, at)];
  const came = (/** @type {string} */ to) => at >= ms && outcome === to;
  return {
    seat, connected: true, stuck, won: came('won'), gaveUp: came('gave_up'), left: came('left'), home, down, ranked, moves, ms: at >= ms ? ms : null,
  };
}

/** After how many milliseconds some ghost is further than at an instant; Infinity when none will be. @param {Timeline} timeline @param {number} at */
export function untilNext({ ghosts }, at) {
  const instants = ghosts.flatMap((ghost) => [ghost.steps[stepAt(ghost, at) + 1]?.[0] ?? Infinity, ghost.ms > at ? ghost.ms : Infinity]);
  return Math.min(...instants) - at;
}

/** Our own lane, from the cards on the table. @param {State} state @param {Game} game @param {Timeline} timeline @returns {Lane} */
function ownLane(state, game, { ghosts }) {
  const { columns, foundations } = game.confirmed;
  const home = foundations.reduce((sum, pile) => sum + pile.length, 0);
  const down = columns.reduce((sum, column) => sum + column.down, 0);
  // Every ghost began with these cards, so what they were worth then is known.
  const [, homeFirst, downFirst, rankedFirst] = ghosts[0].steps[0];
  const { won, givenUp } = game.flags;
  return {
    seat: LATER, connected: true, stuck: isLost(state), won, gaveUp: givenUp, left: false, home, down, moves: game.moves,
    ranked: rankedFirst + 10 * (home - homeFirst) + 5 * (downFirst - down), ms: isOver(game) ? game.elapsed.ms : null,
  };
}

/** The race against ghosts that is on the table. @param {Pick<State, 'room' | 'game'>} state @returns {{race: GhostRace, timeline: Timeline, game: Game} | null} */
export function ghostRace({ room, game }) {
  const race = room?.ghosts;
  return race?.timeline && game && race.session === game.session ? { race, timeline: race.timeline, game } : null;
}

/** Ghosts and ourselves in the order of their places, by the clock of our game. @param {State} state @param {number} now performance.now() @returns {Row[]} */
export function ghostRanking(state, now) {
  const found = ghostRace(state);
  if (!found) return [];
  const { game, timeline } = found;
  const at = clockAt(game, now);
  const rows = timeline.ghosts.map((ghost) => ({ name: ghost.name, lane: ghostAt(ghost, at), me: false, place: 0 }));
  rows.push({ name: state.player?.name ?? t('ghosts.you'), lane: ownLane(state, game, timeline), me: true, place: 0 });
  rows.sort((a, b) => byPlace(a.lane, b.lane));
  return rows.map((row, index) => ({ ...row, place: index + 1 }));
}

/** Whether the ghosts of a finished race are ours to race: we were not in it. @param {State} state @param {number} race */
export function mayRace({ room, player }, race) {
  const past = room?.evening.find((one) => one.race === race);
  return Boolean(past && player && !past.places.some((place) => place.player === player.id));
}
