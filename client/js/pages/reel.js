/** Where a film stands while it plays: by the game's own clock, faster, or move by move. Pure: time is handed in. */

import { frameAt } from './film.js';

/** @typedef {import('./film.js').Frame} Frame */
/** How many times as fast as it was played; 0: one move after another, evenly. @typedef {0 | 1 | 4 | 16} Speed */
/** @typedef {{index: number, at: number, since: number, playing: boolean, speed: Speed}} Reel `at`: the game's clock; `since`: since the last move, where they come evenly */

export const SPEEDS = /** @type {const} */ ([1, 4, 16, 0]);
/** How long each move is seen where they come evenly, in milliseconds. */
export const EVENLY = 620;

/** @type {Readonly<Reel>} */
export const START = Object.freeze({ index: 0, at: 0, since: 0, playing: false, speed: 0 });

/** @param {readonly Frame[]} frames @param {Reel} reel @param {number} index @returns {Reel} */
export function seek(frames, reel, index) {
  const bounded = Math.max(0, Math.min(frames.length - 1, index));
  return { ...reel, index: bounded, at: frames[bounded].at, since: 0 };
}

/** @param {readonly Frame[]} frames @param {Reel} reel */
export const isAtEnd = (frames, { index }) => index === frames.length - 1;

/** Plays or stands; at the end it plays again from the deal. @param {readonly Frame[]} frames @param {Reel} reel @returns {Reel} */
export function toggle(frames, reel) {
  if (reel.playing) return { ...reel, playing: false };
  return { ...(isAtEnd(frames, reel) ? seek(frames, reel, 0) : reel), playing: true, since: 0 };
}

/** Goes on by so much of the watcher's time. @param {readonly Frame[]} frames @param {Reel} reel @param {number} ms @returns {Reel} */
export function advance(frames, reel, ms) {
  if (!reel.playing) return reel;
  /** @type {Reel} */
  let next;
  if (reel.speed) {
    const at = reel.at + ms * reel.speed;
    // Moves in one instant (a finish after the last move) stay one after another: the index never goes back.
    next = { ...reel, at, index: Math.max(reel.index, frameAt(frames, at)) };
  } else {
    const since = reel.since + ms;
    const steps = Math.floor(since / EVENLY);
    next = steps ? { ...seek(frames, reel, reel.index + steps), since: since % EVENLY } : { ...reel, since };
  }
  if (!isAtEnd(frames, next)) return next;
  return { ...next, at: frames[next.index].at, playing: false };
}
