import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ghostRace, mayRace } from '../../client/js/rooms/ghosts.js';
import { fetchGhosts, ghostAt, ghostRanking, isLimitDue, readTimeline, untilNext } from '../../client/js/rooms/ghostview.js';
import { hasReplay } from '../../client/js/rooms/later.js';
import { byPlace, viewOf } from '../../client/js/rooms/places.js';
import { createUpdate } from '../../client/js/rooms/ghoststeps.js';
import { clearTable, setRoom } from '../../client/js/rooms/steps.js';
import { updateRooms } from '../../client/js/rooms/update.js';
import * as wire from '../../client/js/rooms/wire.js';
import { clockAt, initialState } from '../../client/js/state.js';
import { ContractError, readFlags } from '../../client/js/wire.js';

/** @typedef {import('../../client/js/types.js').State} State */
/** @typedef {import('../../client/js/types.js').Event} Event */
/** @typedef {import('../../client/js/types.js').Effect} Effect */
/** @typedef {import('../../client/js/types.js').ServerMessage} ServerMessage */
/** @typedef {import('../../client/js/rooms/types.js').Room} Room */
/** @typedef {import('../../client/js/rooms/types.js').RoomAction} RoomAction */

const updateGhosts = createUpdate({ updateRooms, setRoom, clearTable, ghostRace, wire });
const ID = 'abcdefghijklmnop';
const TOLD = {
  room: ID, race: 1, code: 'YU1-C-X', limit: 60_000, ghosts: [
    { seat: 0, name: 'Anna', outcome: 'won', ms: 9000, steps: [[0, 0, 21, 0, 0, false], [2000, 1, 20, 15, 1, false], [9000, 52, 0, 625, 2, false]] },
    { seat: 1, name: 'Bo', outcome: 'left', ms: 5000, steps: [[0, 0, 21, 0, 0, false], [3000, 0, 20, 5, 1, true]] },
  ],
};
const TIMELINE = readTimeline(TOLD);
const [ANNA, BO] = TIMELINE.ghosts;
/** @type {import('../../client/js/rooms/types.js').GhostStanding[]} */
const ROWS = [
  { place: 1, seat: 0, name: 'Anna', outcome: 0, ms: 9000, ranked: 625, moves: 2, session: 'a' },
  { place: 2, seat: null, name: 'Carl', outcome: 1, ms: null, ranked: 5, moves: 1, session: 'g' },
];

/** @param {Partial<Room>} changes @returns {Room} */
const room = (changes = {}) => ({
  kind: 'room', id: ID, version: 9, code: 'BCDFGH', host: 0, locked: false, race: 1, state: 3, letter: 'C', game: 'YU1-C-X', commitment: null, limit: 1,
  go: 1, started: 1, ends: null, finished: 9, ending: 0, lanes: [{ seat: 0, name: 'Anna' }, { seat: 1, name: 'Bo' }],
  seats: [{ seat: 0, name: 'Anna', ready: false, connected: true }, { seat: 2, name: 'Carl', ready: false, connected: true }], ...changes,
});

/** @param {string} session @param {Partial<import('../../client/js/types.js').SnapshotMessage>} changes @returns {ServerMessage} */
const snapshot = (session, changes = {}) => ({
  kind: 'snapshot', session, version: 0, flags: readFlags(0), score: 0, moves: 0, letter: 'C', code: 'YU1-C-X', commitment: null, elapsed: 0,
  board: { columns: [{ down: 19, cards: [12] }], foundations: [[0], [], [], []], stock: 0, waste: [] }, legal: [], ranked: 0, origin: 1, counts: false, day: null, first: true, ...changes,
});
const WON = readFlags(16);

/** @type {import('../../client/js/rooms/types.js').Past[]} */
const EVENING = [{
  race: 1, code: 'YU1-C-X', places: [{ place: 1, seat: 0, outcome: 'won', ms: 9000, ranked: 625, moves: 2, name: 'Anna', player: 'a' }],
}];

/** Carl, who comes when the race is over. */
class Late {
  constructor(player = 'c') {
    /** @type {State} */
    this.state = { ...initialState(), player: { id: player, name: 'Carl' } };
    /** @type {Effect[]} */
    this.effects = [];
    this.take({ type: 'connection', status: 'open', now: 5 });
  }

  /** @param {Event} event */
  take(event) {
    const { state, effects } = updateGhosts(this.state, event);
    this.state = state;
    this.effects.push(...effects);
    return this;
  }

  /** @param {RoomAction} action */
  room(action) {
    return this.take({ type: 'room', action, request: new Uint8Array(16) });
  }

  /** @param {...ServerMessage} messages */
  hear(...messages) {
    for (const message of messages) this.take({ type: 'message', message, now: 5 });
    return this;
  }

  /** @param {number | null} back */
  enter(back = null) {
    this.room({ type: 'enter', room: ID, door: true, back });
    return this.joined().hear(room(), { kind: 'evening', races: EVENING });
  }

  /** @param {string | null} session */
  joined(session = null) {
    return this.hear({ kind: 'joined', request: this.mine.asking?.request ?? null, room: ID, seat: 2, session });
  }

  /** With the ghosts' cards on the table. */
  racing() {
    this.enter().room({ type: 'ghosts', race: 1 }).take({ type: 'ghosts', race: 1, timeline: TIMELINE });
    this.hear({ kind: 'ghosts', race: 1, session: 'g', rows: null }, snapshot('g'));
    this.effects = [];
    return this;
  }

  /** The commands and other effects since the last question, without request ids. */
  did() {
    const { effects } = this;
    this.effects = [];
    return effects.map((effect) => (effect.type === 'send' ? effect.message.filter((field) => !(field instanceof Uint8Array)) : effect));
  }

  get mine() {
    assert.ok(this.state.room);
    return this.state.room;
  }

  get view() {
    return viewOf(this.state);
  }
}

test('a ghost is as far as the last step that was done by then', () => {
  const seen = [0, 1999, 2000, 8999, 9000, 99_000].map((at) => ghostAt(ANNA, at));
  assert.deepEqual(seen.map(({ home }) => home), [0, 0, 1, 1, 52, 52]);
  assert.deepEqual(seen.map(({ won, ms }) => (won ? ms : null)), [null, null, null, null, 9000, 9000]);
  const left = ghostAt(BO, 5000);
  assert.deepEqual([ghostAt(BO, 4999).left, left.left, left.stuck, left.ranked, left.moves], [false, true, true, 5, 1]);
  assert.deepEqual([0, 2000, 3000, 5000, 9000].map((at) => untilNext(TIMELINE, at)), [2000, 1000, 2000, 4000, Infinity]);
});

test('what is no timeline is an error', () => {
  const [anna] = TOLD.ghosts;
  for (const wrong of [null, {}, { ...TOLD, ghosts: [] }, { ...TOLD, limit: 'x' }, { ...TOLD, ghosts: [{ ...anna, steps: [] }] },
    { ...TOLD, ghosts: [{ ...anna, steps: [[1, 0, 0, 0, 0, false]] }] }, { ...TOLD, ghosts: [{ ...anna, steps: [[0, 0, 0, 0, 'x', false]] }] }]) {
    assert.throws(() => readTimeline(wrong), ContractError, JSON.stringify(wrong));
  }
});

test('ghosts are for who was not in the race', () => {
  const late = new Late().enter();
  assert.equal(late.view, 'standings');
  assert.deepEqual([mayRace(late.state, 1), mayRace(late.state, 2), mayRace(new Late('a').enter().state, 1)], [true, false, false]);
});

test('first it is fetched how the ghosts went, then the cards are asked for, once', () => {
  const late = new Late().enter();
  late.did();
  late.room({ type: 'ghosts', race: 1 }).room({ type: 'ghosts', race: 1 });
  assert.deepEqual(late.did(), [{ type: 'roomGhosts', room: ID, race: 1 }]);
  assert.equal(late.view, 'standings');
  late.take({ type: 'ghosts', race: 2, timeline: TIMELINE }).take({ type: 'ghosts', race: 1, timeline: TIMELINE }).take({ type: 'ghosts', race: 1, timeline: TIMELINE });
  assert.deepEqual(late.did(), [[32, 1]]);
  late.hear({ kind: 'ghosts', race: 1, session: 'g', rows: null }, snapshot('g'));
  assert.deepEqual([late.view, late.did()], ['race', [{ type: 'roomKeep', room: ID, race: 1 }]]);
});

test('ghosts that do not come, or cards that are refused, leave all as it was', () => {
  const late = new Late().enter().room({ type: 'ghosts', race: 1 }).take({ type: 'ghosts', race: 1, timeline: null, failed: 'gone' });
  assert.deepEqual([late.mine.ghosts, late.state.notice?.key, late.view], [null, 'ghosts.gone', 'standings']);
  late.room({ type: 'ghosts', race: 1 }).take({ type: 'ghosts', race: 1, timeline: TIMELINE });
  late.did();
  late.hear({ kind: 'refusal', command: 32, about: null, code: 'too_fast', reason: '', again: true });
  assert.deepEqual(late.did(), [{ type: 'retry', kind: 'asking' }]);
  assert.deepEqual(late.take({ type: 'retry', kind: 'asking', now: 5 }).did(), [[32, 1]]);
  late.hear({ kind: 'refusal', command: 32, about: null, code: 'already_raced', reason: '', again: false });
  assert.deepEqual([late.mine.ghosts, late.state.notice?.key], [null, 'refusal.already_raced']);
});

/** @param {number} command @param {string} code @param {boolean} again @returns {ServerMessage} */
const refusal = (command, code, again) => ({ kind: 'refusal', command, about: null, code, reason: '', again });
/** The server names the session, and may tell the places. @param {typeof ROWS | null} rows @returns {ServerMessage} */
const named = (rows = null) => ({ kind: 'ghosts', race: 1, session: 'g', rows });
/** @param {Late} late */
const retried = (late) => late.take({ type: 'retry', kind: 'asking', now: 5 });
/** @param {Late} late */
const reconnected = (late) => late.take({ type: 'connection', status: 'lost', now: 5 }).take({ type: 'connection', status: 'open', now: 5 });
/** What was sent, and no other effects. @param {Late} late */
const sent = (late) => late.did().filter(Array.isArray);

test('cards that were named and did not come are asked for again', () => {
  const late = new Late().enter().room({ type: 'ghosts', race: 1 }).take({ type: 'ghosts', race: 1, timeline: TIMELINE });
  late.did();
  late.hear(named(), refusal(32, 'unavailable', true));
  assert.deepEqual(late.did().slice(-1), [{ type: 'retry', kind: 'asking' }]);
  assert.deepEqual(retried(late).did(), [[32, 1]]);
  late.hear(named(), snapshot('g'));
  late.did();
  assert.deepEqual([late.view, retried(late).did(), late.mine.ghosts?.asked], ['race', [], false]);
});

test('a connection that is lost before the cards come asks for them when the room is open again, and only then', () => {
  for (const heard of [[], [named()]]) {
    const late = new Late().enter().room({ type: 'ghosts', race: 1 }).take({ type: 'ghosts', race: 1, timeline: TIMELINE }).hear(...heard);
    late.did();
    assert.deepEqual(sent(reconnected(late)), [[21, ID, null, true]]);
    assert.deepEqual(sent(retried(late)), [], 'joining goes before');
    assert.deepEqual(sent(late.joined()), [[32, 1]]);
    assert.deepEqual(sent(late.joined()), []);
    late.hear(named(), snapshot('g'));
    assert.equal(late.view, 'race');
  }
});

test('a socket without the room joins first, then it is asked again', () => {
  const late = new Late().racing().room({ type: 'ghostsOver' });
  late.did();
  assert.deepEqual(sent(late.hear(refusal(32, 'no_room', false))), [[21, ID, null, true]]);
  assert.deepEqual(sent(late.room({ type: 'ghostsOver' })), []);
  late.joined();
  assert.deepEqual(sent(late.room({ type: 'ghostsOver' })), [[32, 1]]);
});

test('ghosts and we are ranked by the clock of our game, which stands in a pause', () => {
  const late = new Late().racing();
  const rows = (/** @type {number} */ now) => {
    const race = ghostRace(late.state);
    assert.ok(race);
    return ghostRanking(late.state, race, clockAt(race.game, now), byPlace);
  };
  const names = (/** @type {number} */ now) => rows(now).map(({ name }) => name);
  assert.deepEqual(names(5), ['Carl', 'Anna', 'Bo'], 'one home and two turned up');
  const [mine] = rows(5);
  assert.deepEqual([mine.lane.home, mine.lane.down, mine.lane.ranked, mine.me, mine.place], [1, 19, 20, true, 1]);
  assert.deepEqual(names(9005), ['Anna', 'Carl', 'Bo']);
  late.take({ type: 'act', action: { type: 'pause' }, now: 6, request: new Uint8Array(16) });
  assert.deepEqual(late.did(), [[7, 0]]);
  late.hear(snapshot('g', { version: 1, flags: readFlags(8), elapsed: 1500 }));
  assert.equal(late.state.game?.flags.paused, true);
  assert.deepEqual(names(99_000), ['Carl', 'Anna', 'Bo']);
});

test('at the end the places are asked for, and the way back leads to the room', () => {
  const late = new Late().racing();
  late.hear(snapshot('g', { version: 1, flags: WON, elapsed: 7000 }));
  assert.deepEqual(late.did(), [[32, 1]]);
  late.hear({ kind: 'ghosts', race: 1, session: 'g', rows: ROWS });
  assert.deepEqual([late.view, late.mine.standings], ['later', null]);
  late.did();
  late.room({ type: 'ghostsBack' });
  assert.deepEqual([late.view, late.state.game, late.mine.ghosts], ['standings', null, null]);
  assert.deepEqual(late.did(), [[12], { type: 'roomKeep', room: ID, race: null }]);
});

test('the time limit of the race is ours', () => {
  const late = new Late().racing().room({ type: 'ghostsOver' });
  assert.deepEqual(late.did(), [[32, 1]]);
  late.hear({ kind: 'ghosts', race: 1, session: 'g', rows: ROWS }).room({ type: 'ghostsOver' });
  assert.deepEqual([late.view, late.did().length], ['later', 1]);
});

test('at the time limit the places are asked for once, until there is an answer', () => {
  const late = new Late().racing();
  const over = () => sent(late.room({ type: 'ghostsOver' }));
  const isDue = (at = 60_000) => isLimitDue(late.state, TIMELINE, at);
  assert.deepEqual([isDue(59_999), isDue(), isLimitDue(late.state, { ...TIMELINE, limit: null }, 60_000)], [false, true, false]);
  assert.deepEqual([over(), over(), over()], [[[32, 1]], [], []]);
  late.hear(refusal(32, 'too_fast', true));
  assert.deepEqual([sent(late), over(), isDue()], [[], [], false], 'it waits, and draws no frame for it');
  retried(late);
  assert.equal(isDue(), true);
  assert.deepEqual([over(), over()], [[[32, 1]], []]);
  late.hear(named(), snapshot('g', { version: 1, elapsed: 59_990 }));
  assert.deepEqual([late.did().at(-1), over()], [{ type: 'retry', kind: 'asking' }, []], 'by the server\'s clock it is not over');
  retried(late);
  assert.deepEqual([over(), over()], [[[32, 1]], []]);
  assert.deepEqual(sent(reconnected(late)), [[21, ID, null, true], [3, 'g', 1]]);
  assert.deepEqual(over(), [], 'joining goes before');
  late.joined().hear(room(), snapshot('g', { version: 1, elapsed: 61_000 }));
  assert.deepEqual([over(), over()], [[[32, 1]], []]);
  late.hear(named(ROWS));
  assert.deepEqual([late.view, over()], ['later', []]);
});

test('a panel that is open stays open when the server says that the time limit is not over', () => {
  const late = new Late().racing().take({ type: 'act', action: { type: 'panel', panel: 'lanes' }, now: 5, request: new Uint8Array(16) });
  late.room({ type: 'ghostsOver' }).hear(named());
  assert.equal(late.state.panel, 'lanes');
  late.room({ type: 'ghostsBack' });
  assert.equal(late.state.panel, null);
});

test('a page that is loaded again goes on, a lost connection opens the game again', () => {
  const late = new Late().enter(1);
  assert.deepEqual(late.did().filter((one) => !Array.isArray(one) && one.type === 'roomGhosts'), [{ type: 'roomGhosts', room: ID, race: 1 }]);
  const other = new Late().racing();
  other.take({ type: 'connection', status: 'lost', now: 5 }).take({ type: 'connection', status: 'open', now: 5 });
  assert.deepEqual(other.did(), [[21, ID, null, true], [3, 'g', 0]]);
  other.joined().hear(room(), snapshot('g', { version: 2 }));
  assert.deepEqual([other.view, other.state.game?.version, other.did().filter(Array.isArray)], ['race', 2, []]);
});

test('the next lobby is told and disturbs nobody, its countdown goes before', () => {
  const late = new Late().racing();
  const lobby = room({ version: 10, race: 2, state: 0, lanes: [], finished: null, ending: null });
  late.hear(lobby);
  assert.deepEqual([late.view, late.state.game?.session, late.state.notice?.key], ['race', 'g', 'ghosts.next_race']);
  late.hear({ ...lobby, version: 11, state: 1, go: 99 });
  assert.deepEqual([late.view, late.state.game, late.mine.ghosts], ['countdown', null, null]);
});

test('a board of the next race is not covered by the game against ghosts that the connection opens', () => {
  const late = new Late().racing();
  late.take({ type: 'connection', status: 'lost', now: 5 }).take({ type: 'connection', status: 'open', now: 5 });
  late.joined('r2').hear(room({ version: 12, race: 2, state: 2, lanes: [{ seat: 2, name: 'Carl' }] }), snapshot('r2', { origin: 4 }));
  late.did();
  late.hear(snapshot('g'));
  assert.deepEqual([late.view, late.state.game?.session, late.did()], ['race', 'r2', [[3, 'r2', 0]]]);
});

test('a countdown that begins before the ghosts\' cards come is not covered by them', () => {
  for (const first of [true, false]) {
    const late = new Late().enter().room({ type: 'ghosts', race: 1 }).take({ type: 'ghosts', race: 1, timeline: TIMELINE });
    const countdown = room({ version: 11, race: 2, state: 1, go: 99 });
    late.hear(...(first ? [countdown, named()] : [named(), countdown]));
    assert.deepEqual([late.view, late.mine.ghosts], ['countdown', null]);
    late.did();
    late.hear(snapshot('g'));
    assert.deepEqual([late.view, late.state.game, sent(late)], ['countdown', null, [[12]]]);
    late.hear(room({ version: 12, race: 2, state: 2, lanes: [{ seat: 2, name: 'Carl' }] }), snapshot('r2', { origin: 4 }));
    assert.deepEqual([late.view, late.state.game?.session], ['race', 'r2']);
    late.did();
    late.hear(named(), snapshot('g'));
    assert.deepEqual([late.state.game?.session, sent(late)], ['r2', [[3, 'r2', 0]]]);
  }
});

test('ghosts that were left can be raced again', () => {
  const late = new Late().racing().room({ type: 'ghostsBack' });
  assert.equal(late.mine.dropped, 'g');
  late.room({ type: 'ghosts', race: 1 }).take({ type: 'ghosts', race: 1, timeline: TIMELINE });
  late.did();
  late.hear(snapshot('g'));
  assert.deepEqual([late.view, sent(late)], ['standings', []], 'of the first time');
  late.hear(named(), snapshot('g'));
  assert.deepEqual([late.view, late.state.game?.session], ['race', 'g']);
});

test('the room\'s race disturbs nobody who races ghosts beside it', () => {
  const late = new Late().racing();
  late.hear(room({ version: 10, race: 2, state: 2, seats: [], lanes: [{ seat: 0, name: 'Anna' }] }));
  const lane = ghostAt(ANNA, 0);
  late.hear({ kind: 'lanes', race: 2, lanes: [lane] });
  late.take({ type: 'act', action: { type: 'panel', panel: 'lanes' }, now: 5, request: new Uint8Array(16) });
  late.state = { ...late.state, selection: { pile: 0, count: 1 }, showMoves: true };
  late.hear({ kind: 'lanes', race: 2, lanes: [{ ...lane, won: true, ms: 5000 }] }, room({ version: 12, race: 2, state: 3, seats: [] }));
  late.hear({ kind: 'standings', race: 2, ending: 0, game: 'YU1-C-X', commitment: null, rows: [{ ...ROWS[0], seat: 0, name: 'Anna' }] });
  const { notice, panel, selection, showMoves } = late.state;
  assert.deepEqual({ notice, panel, selection, showMoves }, { notice: null, panel: 'lanes', selection: { pile: 0, count: 1 }, showMoves: true });
  assert.deepEqual([late.view, late.mine.standings?.race], ['race', 2]);
});

test('our own row leads to a replay only when our game is over', () => {
  const late = new Late().racing();
  const outOfTime = { ...ROWS[1], outcome: 4 };
  assert.deepEqual([...ROWS, outOfTime].map((row) => hasReplay(row, late.state)), [true, true, false]);
  assert.equal(hasReplay(outOfTime, { game: null }), false);
  late.hear(snapshot('g', { version: 1, flags: WON, elapsed: 61_000 }));
  assert.equal(hasReplay(outOfTime, late.state), true, 'it was won after the time limit');
});

test('that nothing is left of the ghosts is believed only of Yukon\'s own server', async () => {
  const { fetch } = globalThis;
  const answers = [Response.json({ error: 'not_found' }, { status: 404 }), new Response('nothing', { status: 404 }), new Response('', { status: 404 }),
    Response.json({ error: 'not_open' }, { status: 403 }), Response.json({ error: 'unavailable' }, { status: 503 }), Response.json({})];
  try {
    const told = [];
    for (const answer of answers) {
      globalThis.fetch = async () => answer;
      told.push((await fetchGhosts(ID, 1)).failed);
    }
    assert.deepEqual(told, ['gone', 'failed', 'failed', 'failed', 'failed', 'failed']);
  } finally {
    globalThis.fetch = fetch;
  }
});

test('who only watches goes on while the room races', () => {
  const late = new Late().racing();
  late.hear(room({ version: 10, race: 2, state: 0, lanes: [], seats: [] }));
  assert.equal(late.mine.seat, null);
  late.hear(room({ version: 12, race: 2, state: 2 }));
  assert.deepEqual([late.view, late.state.game?.session], ['race', 'g']);
  late.hear({ kind: 'closed', reason: 'gone' });
  assert.deepEqual([late.view, late.state.game, late.mine.ghosts], ['shut', null, null]);
});
