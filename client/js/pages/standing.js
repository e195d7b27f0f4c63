/** Where a result just made stands: its leaderboard, and the place on it as soon as it is there. */

import { request } from '../api.js';

/** How long the leaderboard may take to have a result, try by try, in milliseconds. */
const TRIES = [300, 700, 1500, 3000];

/**
 * The leaderboard that a game's result is on: of its day, of its ruleset today, or of its deal.
 * @param {{letter: string, code: string | null, origin: number, counts: boolean, day: string | null}} game
 * @returns {{href: string, path: string}} its page, and the request for its rows
 */
export function boardOf({ letter, code, origin, counts, day }) {
  if (counts && origin === 3 && day) return { href: `/boards?daily=${letter}:${day}&order=best`, path: `/api/boards/daily/${letter}/${day}/best` };
  if (counts || !code) return { href: `/boards?ruleset=${letter}&order=best&window=day`, path: `/api/boards/${letter}/day/best` };
  return { href: `/boards?code=${code}&order=best`, path: `/api/boards/code/${code}/best` };
}

/** @param {number} ms */
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** @param {string} path of a board @param {() => boolean} isWanted still @returns {Promise<{place: number, total: number} | null>} */
export async function placeOn(path, isWanted) {
  for (const ms of TRIES) {
    await wait(ms);
    if (!isWanted()) return null;
    const { place, total } = await request(`${path}/me`);
    if (place !== null) return { place, total };
  }
  return null;
}
