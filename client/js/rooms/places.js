/** Who is where in a race, and what to say of it; and the clocks of a race. Pure. */

import { COUNTDOWN, FINISHED, LOBBY, RUNNING } from './wire.js';

/** @typedef {import('../types.js').State} State */
/** @typedef {import('./types.js').RoomState} RoomState */
/** @typedef {import('./types.js').Lane} Lane */

/** A lane of which nothing has been heard yet. @type {Omit<Lane, 'seat'>} */
const UNHEARD = { connected: true, stuck: false, won: false, gaveUp: false, left: false, home: 0, down: 0, ranked: 0, moves: 0, ms: null };

/** @typedef {{place: number, name: string, lane: Lane, me: boolean}} Row */

/** The server's order: winners by time and moves, the others by ranked score, moves, seat. @param {Lane} a @param {Lane} b */
export function byPlace(a, b) {
  if (a.won !== b.won) return a.won ? -1 : 1;
  const better = a.won ? (a.ms ?? 0) - (b.ms ?? 0) : b.ranked - a.ranked;
  return better || a.moves - b.moves || a.seat - b.seat;
}

/** The lanes of the race in the order of their places. @param {RoomState} state @returns {Row[]} */
export function ranking({ room, lanes, seat: mine }) {
  const rows = (room?.lanes ?? []).map(({ seat, name }) => ({ name, lane: lanes[seat] ?? { ...UNHEARD, seat }, me: seat === mine, place: 0 }));
  rows.sort((a, b) => byPlace(a.lane, b.lane));
  return rows.map((row, index) => ({ ...row, place: index + 1 }));
}

/** @param {Lane} lane */
export const hasEnded = ({ won, gaveUp, left }) => won || gaveUp || left;

/**
 * What is shown of a room: one of the pages, or the table with the lanes.
 * @param {State} state
 * @returns {'none' | 'door' | 'shut' | 'lobby' | 'countdown' | 'race' | 'watch' | 'standings' | 'later'}
 */
export function viewOf({ room, game }) {
  if (!room || room.stage === 'making') return 'none';
  if (room.stage !== 'in') return room.stage;
  if (!room.room) return 'door';
  if (room.ghosts?.rows) return 'later';
  if (room.ghosts?.session && room.ghosts.session === game?.session) return 'race';
  if (room.standings || room.room.state === FINISHED) return 'standings';
  if (room.room.state === LOBBY) return 'lobby';
  if (game && room.room.state >= COUNTDOWN) return 'race';
  if (room.room.state === COUNTDOWN) return 'countdown';
  return room.room.lanes.some(({ seat }) => seat === room.seat) ? 'race' : 'watch';
}

/** Whether the race runs, as far as this client knows. @param {RoomState} room */
export const isRunning = (room) => room.room?.state === RUNNING && !room.standings;

/**
 * The number that a countdown shows, and after how many milliseconds it shows another one.
 * @param {number} go the server's instant @param {number} at the server's clock now
 * @returns {{left: number, next: number}} left: 4 or more is getting ready, 0 is go
 */
export function countdown(go, at) {
  const left = Math.max(0, Math.ceil((go - at) / 1000));
  return { left, next: left ? go - at - (left - 1) * 1000 : 0 };
}

/** A seal, short enough to compare by eye. @param {string} hex */
export const shortSeal = (hex) => `${hex.slice(0, 8)} … ${hex.slice(-8)}`;
