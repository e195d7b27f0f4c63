/** The wire contract of rooms: message arrays to objects and commands to message arrays. Decides nothing. */

import { ContractError, bin, hex, int, list, optional, readBoard, string } from '../wire.js';

/** @typedef {import('./types.js').RoomMessage} RoomMessage */
/** @typedef {import('./types.js').Room} Room */
/** @typedef {import('./types.js').Lane} Lane */
/** @typedef {import('./types.js').Past} Past */
/** @typedef {import('./types.js').GhostStanding} GhostStanding */
/** @typedef {import('./types.js').RaceSettings} RaceSettings */

export const LOBBY = 0;
export const COUNTDOWN = 1;
export const RUNNING = 2;
export const FINISHED = 3;

/** The kinds of the commands, for knowing what a refusal is about. */
export const MAKE = 20;
export const JOIN = 21;
export const START = 23;
export const CHANGE = 24;
export const BOARD = 30;
export const GHOSTS = 32;

/** Outcomes of a lane in standings. */
export const WON = 0;

/** @param {unknown} value */
const maybe = (value) => (value === null || value === undefined ? null : int(value));

/** @param {unknown} value @returns {Lane} */
function readLane(value) {
  const m = list(value);
  const flags = int(m[1]);
  const has = (/** @type {number} */ bit) => (flags & bit) !== 0;
  return {
    seat: int(m[0]), connected: has(1), stuck: has(2), won: has(4), gaveUp: has(8), left: has(16),
    home: int(m[2]), down: int(m[3]), ranked: int(m[4]), moves: int(m[5]), ms: maybe(m[6]),
  };
}

/** @param {unknown[]} m @returns {Room} */
function readRoom(m) {
  return {
    kind: 'room', id: string(m[1]), version: int(m[2]), code: string(m[3]), host: maybe(m[4]), locked: m[5] === true,
    race: int(m[6]), state: int(m[7]), letter: string(m[8]), game: optional(m[9]), commitment: hex(m[10]), limit: int(m[11]),
    go: maybe(m[12]), started: maybe(m[13]), ends: maybe(m[14]), finished: maybe(m[15]), ending: maybe(m[16]),
    seats: list(m[17]).map((value) => {
      const seat = list(value);
      return { seat: int(seat[0]), name: string(seat[1]), ready: seat[2] === true, connected: seat[3] === true };
    }),
    lanes: list(m[18]).map((value) => {
      const lane = list(value);
      return { seat: int(lane[0]), name: string(lane[1]) };
    }),
  };
}

/** @param {unknown} value @returns {GhostStanding} */
function readGhostStanding(value) {
  const m = list(value);
  return {
    place: int(m[0]), seat: maybe(m[1]), name: optional(m[2]), outcome: int(m[3]), ms: maybe(m[4]), ranked: int(m[5]), moves: int(m[6]),
    session: string(m[7]),
  };
}

/** @param {unknown} value */
function readStanding(value) {
  const m = list(value);
  return { ...readGhostStanding(m), seat: int(m[1]), name: string(m[2]) };
}

/** A race of the evening from its text. @param {unknown} value @returns {Past} */
function readPast(value) {
  try {
    const { race, code, places } = JSON.parse(string(value));
    return {
      race: int(race), code: string(code),
      places: list(places).map((each) => {
        const { place, seat, outcome, ms, ranked, moves, name, player } = /** @type {Record<string, unknown>} */ (each);
        return {
          place: int(place), seat: int(seat), outcome: string(outcome), ms: maybe(ms), ranked: int(ranked), moves: int(moves), name: string(name), player: optional(player),
        };
      }),
    };
  } catch (error) {
    throw error instanceof ContractError ? error : new ContractError('a race of the evening cannot be read');
  }
}

/**
 * A message of rooms as an object; null when its kind is none of theirs.
 * @param {unknown} value a decoded frame
 * @returns {RoomMessage | null}
 * @throws {ContractError} a known kind that is not as the contract says
 */
export function readRoomMessage(value) {
  const m = list(value);
  switch (int(m[0])) {
    case 80:
      return readRoom(m);
    case 81:
      return { kind: 'lanes', race: int(m[1]), lanes: list(m[2]).map(readLane) };
    case 82:
      return {
        kind: 'standings', race: int(m[1]), ending: int(m[2]), game: string(m[3]), commitment: hex(m[4]), rows: list(m[5]).map(readStanding),
      };
    case 83:
      return { kind: 'closed', reason: string(m[1]) };
    case 84:
      return {
        kind: 'joined', request: m[1] === null ? null : bin(m[1]), room: string(m[2]), seat: maybe(m[3]), session: optional(m[4]),
      };
    case 85:
      return { kind: 'lastBoard', race: int(m[1]), seat: int(m[2]), board: readBoard(m[3], m[4], m[5], m[6]) };
    case 86:
      return { kind: 'evening', races: list(m[1]).map(readPast) };
    case 87:
      return { kind: 'done', command: int(m[1]), version: int(m[2]) };
    case 88:
      return { kind: 'ghosts', race: int(m[1]), session: string(m[2]), rows: m[3] === null ? null : list(m[3]).map(readGhostStanding) };
    default:
      return null;
  }
}

/** @param {RaceSettings} settings */
const fields = ({ letter, code, limit }) => [letter, code, limit];

/** @param {Uint8Array} request @param {string} name @param {RaceSettings} settings */
export const make = (request, name, settings) => [MAKE, request, name, fields(settings)];
/** @param {Uint8Array} request @param {string} room id or code @param {string | null} name @param {boolean} seated false: only watch */
export const join = (request, room, name, seated) => [JOIN, request, room, name, seated];
/** @param {boolean} is */
export const ready = (is) => [22, is];
/** @param {boolean} force although not everybody is ready */
export const start = (force) => [START, force];
/** @param {RaceSettings} settings */
export const change = (settings) => [CHANGE, fields(settings)];
/** @param {number} seat */
export const remove = (seat) => [25, seat];
/** @param {boolean} locked */
export const lock = (locked) => [26, locked];
export const leave = () => [27];
/** @param {number} race the one that is finished @param {boolean} same the same cards */
export const rematch = (race, same) => [28, race, same];
export const askRoom = () => [29];
/** @param {number} race @param {number} seat */
export const askBoard = (race, seat) => [BOARD, race, seat];
export const askEvening = () => [31];
/** @param {number} race a finished one */
export const askGhosts = (race) => [GHOSTS, race];
