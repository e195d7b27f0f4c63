/** The part for races against ghosts, loaded with the first: how far each was when, and where that leaves us by our own clock. */

import { request, RequestError } from '../api.js';
import { clock, extend, t } from '../i18n.js';
import { clockAt, isLost, isOver } from '../state.js';
import { ContractError, int, list, string } from '../wire.js';
import words from '../../locales/en-ghosts.js';
import { createUpdate, mayAsk } from './ghoststeps.js';
import { createLater } from './later.js';

/** @typedef {import('../types.js').State} State */
/** @typedef {import('../types.js').Game} Game */
/** @typedef {import('./types.js').Ghost} Ghost */
/** @typedef {import('./types.js').Lane} Lane */
/** @typedef {import('./types.js').Timeline} Timeline */
/** @typedef {import('./places.js').Row} Row */

/**
 * What the part for rooms gives to this one, so that nothing is loaded twice.
 * @typedef {object} Views
 * @property {import('./rooms.js').Tools['room']} room
 * @property {typeof import('./places.js').byPlace} byPlace
 * @property {typeof import('./standings.js').outcome} outcome
 * @property {typeof import('./page.js').goOn} goOn
 *
 * @typedef {Views & import('./ghoststeps.js').Parts} Kit
 *
 * @typedef {ReturnType<typeof createGhosts>} Ghosts
 */

extend(words);

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

/** Whether the time limit is over and it is still to be asked what that led to. @param {State} state @param {Timeline} timeline @param {number} at by the clock of our game */
export const isLimitDue = (state, { limit }, at) => limit !== null && at >= limit && mayAsk(state);

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

/** Ghosts and ourselves in the order of their places. @param {State} state @param {{game: Game, timeline: Timeline}} race @param {number} at by the clock of our game @param {Kit['byPlace']} byPlace @returns {Row[]} */
export function ghostRanking(state, { game, timeline }, at, byPlace) {
  const rows = timeline.ghosts.map((ghost) => ({ name: ghost.name, lane: ghostAt(ghost, at), me: false, place: 0 }));
  rows.push({ name: state.player?.name ?? t('ghosts.you'), lane: ownLane(state, game, timeline), me: true, place: 0 });
  rows.sort((a, b) => byPlace(a.lane, b.lane));
  return rows.map((row, index) => ({ ...row, place: index + 1 }));
}

/** @param {Kit} kit */
export function createGhosts(kit) {
  const clockOf = (/** @type {Game} */ game) => clockAt(game, performance.now());
  return {
    update: createUpdate(kit),
    later: createLater(kit),
    /** @param {State} state */
    name: ({ room }) => t('ghosts.of', { number: room?.ghosts?.race ?? 0 }),
    /** The lanes as they are now. @param {State} state */
    ranking(state) {
      const race = kit.ghostRace(state);
      return race ? ghostRanking(state, race, clockOf(race.game), kit.byPlace) : [];
    },
    /** The time that is left, in a race with a limit. @param {State} state */
    left(state) {
      const race = kit.ghostRace(state);
      const limit = race?.timeline.limit ?? null;
      return race && limit !== null ? t('race.left', { time: clock(Math.max(0, limit - clockOf(race.game) + 999)) }) : '';
    },
    /** After how many milliseconds there is something new to see; 0 for never. Says when the time limit is over. @param {State} state */
    beat(state) {
      const race = kit.ghostRace(state);
      if (!race?.game.elapsed.running) return 0;
      const at = clockOf(race.game);
      if (isLimitDue(state, race.timeline, at)) kit.room({ type: 'ghostsOver' });
      return Math.max(50, Math.min(1000, untilNext(race.timeline, at)));
    },
  };
}

/** How the ghosts of a race went. @param {string} room @param {number} race @returns {Promise<{timeline: Timeline | null, failed?: 'gone' | 'failed'}>} */
export async function fetchGhosts(room, race) {
  try {
    return { timeline: readTimeline(await request(`/api/ghosts/${room}/${race}`)) };
  } catch (error) {
    return { timeline: null, failed: error instanceof RequestError && error.status === 404 && error.code ? 'gone' : 'failed' };
  }
}
