/** Made-up rooms for looking at them without a server: each name gives a whole state. */

import { initialState } from '../../../client/js/state.js';
import { RULESETS, STATES, stateOf } from './states.js';

/** @typedef {import('../../../client/js/types.js').State} State */
/** @typedef {import('../../../client/js/rooms/types.js').RoomState} RoomState */
/** @typedef {import('../../../client/js/rooms/types.js').Room} Room */

/** What the made-up server's clock says. */
export const NOW = 1_800_000_000_000;
const NAMES = ['Anna', 'Bo', 'Zoé', 'Maximilian the Great', 'Kirsti', 'Otto', 'Ida', 'Yukiko', 'Per', 'Lena', 'Tom', 'Åse', 'Rui', 'Noor', 'Jack', 'Mette'];
const GAME = 'YU1-C-6V2PMN4XTQ7KD3ZAYJBUWEHRSL';
const SEAL = 'd854bb370efece6016a3e7a0ff44f9da4fbe01ba98d3c9dac0813ac0799ed129';

/** @param {number} n */
const seats = (n) => NAMES.slice(0, n).map((name, seat) => ({ seat, name, ready: seat % 3 !== 2, connected: seat !== 4 }));
/** @param {number} n */
const lanes = (n) => Object.fromEntries(NAMES.slice(0, n).map((_, seat) => [seat, {
  seat, connected: seat !== 4, stuck: seat === 5, won: seat === 6, gaveUp: seat === 7, left: seat === 9,
  home: seat === 6 ? 52 : (seat * 7 + 5) % 38, down: (seat * 5) % 22, ranked: seat === 6 ? 812 : 120 + ((seat * 97) % 300), moves: 40 + ((seat * 31) % 90),
  ms: seat === 6 ? 247_000 : seat === 7 || seat === 9 ? 100_000 : null,
}]));

/** @param {number} n @param {Partial<Room>} room @param {Partial<RoomState>} [mine] @returns {RoomState} */
const roomOf = (n, room, mine = {}) => ({
  stage: 'in', at: 'abcdefghijklmnop', request: new Uint8Array(16), seated: true, asking: null, refused: null, reason: null,
  seat: 1, anew: false, race: 2, lanes: lanes(n), standings: null, boards: {}, looking: null, evening: [], removing: null, ghosts: null, dropped: null, back: null,
  room: {
    kind: 'room', id: 'abcdefghijklmnop', version: 9, code: 'KXMTRB', host: 0, locked: false, race: 2, state: 0, letter: 'C', game: null,
    commitment: SEAL, limit: 10, go: null, started: null, ends: null, finished: null, ending: null, seats: seats(n),
    lanes: NAMES.slice(0, n).map((name, seat) => ({ seat, name })), ...room,
  },
  ...mine,
});

/** @param {RoomState} room @param {Partial<State>} [more] @returns {State} */
const alone = (room, more) => ({ ...initialState(), connection: 'open', player: { id: 'x', name: 'Bo' }, rulesets: RULESETS, room, ...more });
/** @param {RoomState} room @param {string} table @returns {State} */
const playing = (room, table) => ({ ...STATES[table](), room });
const running = (/** @type {number} */ n) => roomOf(n, { state: 2, started: NOW - 247_000, ends: NOW + 353_000 });

/** @type {RoomState['evening']} */
const evening = [
  { race: 1, code: GAME, places: [{ place: 1, seat: 0, outcome: 'won', ms: 301_000, ranked: 700, moves: 120, name: 'Anna', player: 'y' }] },
  { race: 2, code: GAME.replace('-C-', '-P-'), places: [{ place: 1, seat: 1, outcome: 'gave_up', ms: null, ranked: 310, moves: 120, name: 'Bo', player: 'x' }] },
];

/** @param {number} n */
function finished(n) {
  const sorted = Object.values(lanes(n)).sort((a, b) => Number(b.won) - Number(a.won) || b.ranked - a.ranked);
  const rows = sorted.map((lane, i) => ({
    place: i + 1, seat: lane.seat, name: NAMES[lane.seat], outcome: lane.won ? 0 : lane.gaveUp ? 1 : lane.left ? 2 : lane.stuck ? 3 : 4,
    ms: lane.won ? lane.ms : null, ranked: lane.ranked, moves: lane.moves, session: `s${lane.seat}`,
  }));
  return roomOf(n, { state: 3, ending: 1, finished: NOW }, {
    standings: { kind: 'standings', race: 2, ending: 1, game: GAME, commitment: SEAL, rows }, evening, looking: rows[0].seat,
    boards: { [rows[0].seat]: stateOf(/** @type {NonNullable<State['game']>} */ (STATES.mid().game).board).game?.board ?? { columns: [], foundations: [], stock: 0, waste: [] } },
  });
}

/** @type {Record<string, () => State>} */
export const ROOMS = {
  'room-make': () => ({ ...STATES.mid(), panel: 'race', player: { id: 'x', name: null } }),
  'room-door': () => alone(roomOf(1, {}, { stage: 'door', room: null }), { player: { id: 'x', name: null } }),
  'room-full': () => alone(roomOf(1, {}, { stage: 'door', room: null, refused: 'room_full' })),
  'room-lobby': () => alone(roomOf(3, {}, { evening })),
  'room-host': () => alone(roomOf(5, { locked: true }, { seat: 0 })),
  'room-lobby16': () => alone(roomOf(16, { game: 'YU1-C-AAAAAAB', commitment: null })),
  'room-change': () => alone(roomOf(3, {}, { seat: 0 }), { panel: 'change' }),
  'room-force': () => alone(roomOf(3, {}, { seat: 0 }), { panel: 'force' }),
  'room-qr': () => alone(roomOf(3, {}), { panel: 'qr' }),
  'room-countdown': () => alone(roomOf(5, { state: 1, go: NOW + 2600 })),
  'room-race1': () => playing({ ...running(1), seat: 0 }, 'mid'),
  'room-race3': () => playing(running(3), 'mid'),
  'room-race16': () => playing(running(16), 'mid'),
  'room-double': () => playing(running(16), 'double'),
  'room-lanes': () => ({ ...playing(running(16), 'mid'), panel: 'lanes' }),
  'room-watch': () => alone({ ...running(7), seat: null }),
  'room-end3': () => playing(finished(3), 'mid'),
  'room-end': () => playing(finished(8), 'mid'),
  'room-end16': () => playing({ ...finished(16), seat: 0 }, 'mid'),
  'room-shut': () => alone(roomOf(1, {}, { stage: 'shut', reason: 'removed' })),
};
