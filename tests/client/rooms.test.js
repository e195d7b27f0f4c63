import assert from 'node:assert/strict';
import { test } from 'node:test';

import { waysFrom } from '../../client/js/rooms/door.js';
import { byPlace, countdown, ranking, viewOf } from '../../client/js/rooms/places.js';
import { updateRooms } from '../../client/js/rooms/update.js';
import { initialState, isNewer } from '../../client/js/state.js';
import { readFlags } from '../../client/js/wire.js';
import { freeze } from './playing.js';

/** @typedef {import('../../client/js/types.js').State} State */
/** @typedef {import('../../client/js/types.js').Event} Event */
/** @typedef {import('../../client/js/types.js').Effect} Effect */
/** @typedef {import('../../client/js/types.js').ServerMessage} ServerMessage */
/** @typedef {import('../../client/js/rooms/types.js').Room} Room */
/** @typedef {import('../../client/js/rooms/types.js').Lane} Lane */
/** @typedef {import('../../client/js/rooms/types.js').RoomAction} RoomAction */

const ID = 'abcdefghijklmnop';
const GO = 1_800_000_007_000;
const SETTINGS = { letter: 'C', code: null, limit: 10 };

/** @param {Partial<Room>} changes @returns {Room} */
const room = (changes = {}) => ({
  kind: 'room', id: ID, version: 3, code: 'BCDFGH', host: 0, locked: false, race: 1, state: 0, letter: 'C', game: null, commitment: 'ab'.repeat(32),
  limit: 10, go: null, started: null, ends: null, finished: null, ending: null, lanes: [],
  seats: [{ seat: 0, name: 'Anna', ready: false, connected: true }, { seat: 1, name: 'Bo', ready: false, connected: true }], ...changes,
});
const LANES = [{ seat: 0, name: 'Anna' }, { seat: 1, name: 'Bo' }];
const COUNTING = { version: 4, state: 1, go: GO };
const RUNNING = { version: 5, state: 2, go: GO, started: GO, ends: GO + 600_000, lanes: LANES };

/** @param {number} seat @param {Partial<Lane>} changes @returns {Lane} */
const lane = (seat, changes = {}) => ({
  seat, connected: true, stuck: false, won: false, gaveUp: false, left: false, home: 0, down: 21, ranked: 0, moves: 0, ms: null, ...changes,
});

/** @param {string} session @param {Partial<import('../../client/js/types.js').SnapshotMessage>} changes @returns {ServerMessage} */
const snapshot = (session, changes = {}) => ({
  kind: 'snapshot', session, version: 0, flags: readFlags(0), score: 0, moves: 0, letter: 'C', code: null, commitment: null, elapsed: 0,
  board: { columns: [{ down: 0, cards: [12] }], foundations: [[], [], [], []], stock: 0, waste: [] }, legal: [], ranked: 0, origin: 4, counts: false, day: null, first: false, ...changes,
});

/** @param {Partial<import('../../client/js/rooms/types.js').Standings>} changes @returns {ServerMessage} */
const standings = (changes = {}) => ({
  kind: 'standings', race: 1, ending: 0, game: 'YU1-C-X', commitment: null, rows: [
    { place: 1, seat: 0, name: 'Anna', outcome: 0, ms: 9000, ranked: 700, moves: 99, session: 'a' },
    { place: 2, seat: 1, name: 'Bo', outcome: 1, ms: null, ranked: 20, moves: 5, session: 'b' },
  ], ...changes,
});

/** A client under test; its states are frozen, so a change in place fails. */
class Client {
  /** @param {string | null} name of the player */
  constructor(name) {
    /** @type {State} */
    this.state = { ...initialState(), player: { id: 'p', name } };
    /** @type {Effect[]} */
    this.effects = [];
    this.requests = 0;
  }

  /** @param {Event} event */
  take(event) {
    freeze(this.state);
    const { state, effects } = updateRooms(this.state, event);
    this.state = state;
    this.effects.push(...effects);
    return this;
  }

  /** @param {RoomAction} action */
  room(action) {
    const request = new Uint8Array(16).fill((this.requests += 1));
    return this.take({ type: 'room', action, request });
  }

  /** @param {import('../../client/js/types.js').Action} action */
  act(action) {
    return this.take({ type: 'act', action, now: 5, request: new Uint8Array(16) });
  }

  /** @param {...ServerMessage} messages */
  hear(...messages) {
    for (const message of messages) this.take({ type: 'message', message, now: 5 });
    return this;
  }

  /** @param {'open' | 'lost'} status */
  connection(status) {
    return this.take({ type: 'connection', status, now: 5 });
  }

  /** The commands sent since the last question, without request ids. */
  sent() {
    const sent = this.effects.flatMap((effect) => (effect.type === 'send' ? [effect.message.filter((field) => !(field instanceof Uint8Array))] : []));
    this.effects = this.effects.filter(({ type }) => type !== 'send');
    return sent;
  }

  /** @param {Effect['type']} type */
  did(type) {
    const found = this.effects.filter((effect) => effect.type === type);
    this.effects = this.effects.filter((effect) => effect.type !== type);
    return /** @type {any[]} */ (found);
  }

  /** Answers what was asked last. @param {number | null} seat @param {string | null} session @returns {ServerMessage} */
  joined(seat = 1, session = null) {
    return { kind: 'joined', request: this.mine.asking?.request ?? null, room: ID, seat, session };
  }

  /** @param {number} command @param {string} code @returns {ServerMessage} */
  refusal(command, code, again = false) {
    return { kind: 'refusal', command, about: this.mine.asking?.request ?? null, code, reason: '', again };
  }

  get mine() {
    assert.ok(this.state.room);
    return this.state.room;
  }

  get view() {
    return viewOf(this.state);
  }
}

/** Bo in Anna's lobby, by the link. */
function inLobby() {
  const client = new Client('Bo').connection('open').room({ type: 'enter', room: ID, door: true });
  client.hear(client.joined(), room());
  client.sent();
  return client;
}

/** Bo in Anna's race, with a board. */
function inRace() {
  const client = inLobby().hear(room(COUNTING), room(RUNNING), snapshot('r1'), { kind: 'lanes', race: 1, lanes: [lane(0), lane(1)] });
  client.sent();
  return client;
}

test('a link and a name lead into the room in one step', () => {
  const client = new Client('Bo').connection('open').room({ type: 'enter', room: ID, door: true });
  assert.deepEqual(client.sent(), [[21, ID, null, true]]);
  assert.equal(client.view, 'door');
  client.hear(client.joined(), room());
  assert.equal(client.view, 'lobby');
  assert.equal(client.mine.seat, 1);
  assert.deepEqual(client.did('address'), [{ type: 'address', path: `/r/${ID}` }]);
  assert.deepEqual(client.did('saveSession'), []);
});

test('a link that opens before the connection waits for it', () => {
  const client = new Client('Bo').room({ type: 'enter', room: ID, door: true });
  assert.deepEqual(client.sent(), []);
  assert.deepEqual(client.connection('open').sent(), [[21, ID, null, true]]);
});

test('who has no name is asked for one first; watching needs none', () => {
  const client = new Client(null).connection('open').room({ type: 'enter', room: ID, door: true });
  client.hear({ kind: 'welcome', protocol: 1, player: 'p', name: null, time: 0, capabilities: [] });
  assert.deepEqual(client.sent(), []);
  client.room({ type: 'enter', room: ID, door: true, name: 'Zoé' });
  assert.deepEqual(client.sent(), [[21, ID, 'Zoé', true]]);
  client.hear(client.refusal(21, 'bad_name'));
  assert.deepEqual([client.view, client.mine.refused, client.state.notice?.key], ['door', 'bad_name', 'refusal.bad_name']);

  const watcher = new Client(null).connection('open').room({ type: 'enter', room: ID, door: true, seated: false });
  assert.deepEqual(watcher.sent(), [[21, ID, null, false]]);
  watcher.hear(watcher.joined(null), room());
  assert.deepEqual(watcher.did('roomWatch'), [{ type: 'roomWatch', watching: true }]);
});

test('a door that stays shut says why, and another try may follow', () => {
  const client = new Client('Bo').connection('open').room({ type: 'enter', room: ID, door: true });
  client.hear(client.refusal(21, 'room_full'));
  assert.deepEqual([client.view, client.mine.refused, client.mine.asking], ['door', 'room_full', null]);
  client.sent();
  client.room({ type: 'enter', room: ID, door: true, seated: false });
  assert.deepEqual(client.sent(), [[21, ID, null, false]]);
});

test('whoever could not watch tries to watch again, and takes a seat only by the button for it', () => {
  const client = new Client('Bo').connection('open').room({ type: 'enter', room: ID, door: true, seated: false });
  client.hear(client.refusal(21, 'too_many')).room({ type: 'enter', room: ID, door: true });
  client.hear(client.refusal(21, 'too_many')).room({ type: 'enter', room: ID, door: true, seated: true });
  assert.deepEqual(client.sent().map((join) => join.at(-1)), [false, false, true]);
  assert.equal(inLobby().hear({ kind: 'closed', reason: 'left' }).room({ type: 'enter', room: ID, door: true }).sent()[0].at(-1), true);
  const shown = (/** @type {string | null} */ refused, wants = false) => Object.entries(waysFrom(refused, wants)).filter(([, is]) => is).map(([way]) => way);
  assert.deepEqual(shown('too_many'), ['away', 'sit', 'again']);
  assert.deepEqual(shown('room_full'), ['away', 'watch', 'again']);
  assert.deepEqual(shown('removed'), ['away']);
  assert.deepEqual([shown(null, true), shown('bad_name', true), shown(null)], [['watch', 'join'], ['watch', 'join'], []]);
});

test('a room is made from the panel, and the same request goes out again after a lost connection', () => {
  const client = new Client('Anna').connection('open').hear(snapshot('solo', { origin: 0, code: 'YU1-C-A' }));
  client.sent();
  client.did('saveSession');
  client.act({ type: 'panel', panel: 'race' }).room({ type: 'make', name: null, settings: SETTINGS });
  assert.deepEqual(client.sent(), [[20, 'Anna', ['C', null, 10]]]);
  const first = client.mine.asking?.request;
  assert.equal(client.view, 'none');
  assert.equal(client.state.game?.session, 'solo');
  client.connection('lost').connection('open');
  assert.deepEqual(client.sent()[0], [20, 'Anna', ['C', null, 10]]);
  assert.deepEqual(client.mine.asking?.request, first);
  client.hear(client.joined(0), room());
  assert.deepEqual([client.view, client.state.panel, client.state.game], ['lobby', null, null]);
  assert.deepEqual(client.sent(), [[12]], 'the game that was played alone is left');
  assert.deepEqual(client.did('saveSession'), [], 'and stays the one to come back to');
});

test('settings or codes that are refused leave the panel open and the game alone', () => {
  const client = new Client('Anna').connection('open').hear(snapshot('solo', { origin: 0 })).act({ type: 'panel', panel: 'race' });
  client.room({ type: 'enter', room: 'KXMTRB' });
  client.hear(client.refusal(21, 'no_such_room'));
  assert.deepEqual([client.state.room, client.state.panel, client.state.notice?.key], [null, 'race', 'refusal.no_such_room']);
  assert.equal(client.state.game?.session, 'solo');
  client.room({ type: 'make', name: null, settings: SETTINGS });
  client.hear(client.refusal(20, 'unavailable', true));
  assert.deepEqual(client.did('retry'), [{ type: 'retry', kind: 'asking' }]);
  client.sent();
  assert.deepEqual(client.take({ type: 'retry', kind: 'asking', now: 9 }).sent(), [[20, 'Anna', ['C', null, 10]]]);
});

test('an older room changes nothing, one of the same version does', () => {
  const client = inLobby().hear(room({ version: 6, locked: true }), room({ version: 5 }));
  assert.equal(client.mine.room?.locked, true);
  client.hear(room({ version: 6, locked: true, seats: room().seats.slice(0, 2).map((seat) => ({ ...seat, connected: seat.seat === 1 })) }));
  assert.equal(client.mine.room?.seats[0].connected, false);
  client.hear(room({ version: 9, id: 'another' }));
  assert.equal(client.mine.room?.version, 6);
});

test('after a new join the room counts whatever its version', () => {
  const client = inLobby().hear(room({ version: 9 })).connection('lost').connection('open');
  assert.deepEqual(client.sent(), [[21, ID, null, true]]);
  client.hear(client.joined(), room({ version: 7 }));
  assert.equal(client.mine.room?.version, 7);
});

test('in the lobby: ready, start, change, lock, remove, and one question each', () => {
  const client = inLobby();
  client.room({ type: 'ready', ready: true }).room({ type: 'lock', locked: true }).room({ type: 'askRemove', seat: 1 });
  assert.equal(client.state.panel, 'remove');
  client.room({ type: 'remove', seat: 1 }).room({ type: 'start', force: false });
  assert.deepEqual(client.sent(), [[22, true], [26, true], [25, 1], [23, false]]);
  client.hear({ kind: 'refusal', command: 23, about: null, code: 'not_all_ready', reason: '', again: false });
  assert.equal(client.state.panel, 'force');
  client.room({ type: 'start', force: true });
  assert.deepEqual([client.state.panel, client.sent()], [null, [[23, true]]]);
  client.act({ type: 'panel', panel: 'change' }).room({ type: 'change', settings: { ...SETTINGS, limit: 5 } });
  client.hear({ kind: 'refusal', command: 24, about: null, code: 'bad_code', reason: 'no', again: false });
  assert.equal(client.state.panel, 'change');
  assert.equal(client.state.notice?.key, 'refusal.bad_code');
  client.hear({ kind: 'done', command: 24, version: 4 });
  assert.equal(client.state.panel, null);
});

test('in a room no other game is dealt, and none is paused', () => {
  const client = inRace();
  for (const panel of /** @type {const} */ (['new', 'race'])) client.act({ type: 'panel', panel });
  client.act({ type: 'pause' }).act({ type: 'new', origin: 0, text: 'C' }).act({ type: 'open', session: 'other' });
  assert.deepEqual([client.sent(), client.state.panel, client.state.dealing], [[], null, null]);
  client.act({ type: 'panel', panel: 'menu' });
  assert.equal(client.state.panel, 'menu');
});

test('countdown, GO, and the board that comes by itself', () => {
  const client = inLobby().act({ type: 'panel', panel: 'menu' }).hear(room(COUNTING));
  assert.deepEqual([client.view, client.state.panel], ['countdown', null]);
  assert.deepEqual(client.did('roomCheck'), [{ type: 'roomCheck', race: 1, phase: 1, at: GO + 2500 }]);
  assert.deepEqual(client.did('roomCall'), [{ type: 'roomCall', running: false }]);
  client.hear(snapshot('r1'));
  assert.equal(client.view, 'race', 'a board before the word is good enough');
  assert.deepEqual(client.did('saveSession'), [], 'a race is not the game to come back to');
  assert.deepEqual(client.did('address'), [{ type: 'address', path: `/r/${ID}` }]);
  client.hear(room(RUNNING));
  assert.equal(client.view, 'race');
});

test('a board that does not come is asked for', () => {
  const client = inLobby().hear(room(COUNTING), room(RUNNING));
  assert.equal(client.view, 'race');
  assert.ok(client.did('roomCheck').some(({ phase, at }) => phase === 2 && at === null));
  client.take({ type: 'roomCheck', race: 1, phase: 1 });
  assert.deepEqual(client.sent(), [], 'the countdown is over');
  client.take({ type: 'roomCheck', race: 1, phase: 2 });
  assert.deepEqual(client.sent(), [[21, ID, null, true]]);
});

test('the countdown shows the same on every clock', () => {
  assert.deepEqual(countdown(GO, GO - 4000), { left: 4, next: 1000 });
  assert.deepEqual(countdown(GO, GO - 3600), { left: 4, next: 600 });
  assert.deepEqual(countdown(GO, GO - 3000), { left: 3, next: 1000 });
  assert.deepEqual(countdown(GO, GO - 1), { left: 1, next: 1 });
  assert.deepEqual(countdown(GO, GO + 70), { left: 0, next: 0 });
  // A clock that is an hour fast counts the same once its offset is taken off.
  const offset = -3_600_000;
  assert.equal(countdown(GO, GO + 3_600_000 - 1500 + offset).left, 2);
});

test('lanes change one by one, in the order of their places', () => {
  const client = inRace().hear({ kind: 'lanes', race: 1, lanes: [lane(0, { ranked: 30, home: 3 })] });
  assert.deepEqual(ranking(client.mine).map(({ place, name, me }) => [place, name, me]), [[1, 'Anna', false], [2, 'Bo', true]]);
  client.hear({ kind: 'lanes', race: 1, lanes: [lane(1, { ranked: 45 })] });
  assert.deepEqual(ranking(client.mine).map(({ name, lane: { home } }) => [name, home]), [['Bo', 0], ['Anna', 3]]);
  client.hear({ kind: 'lanes', race: 1, lanes: [lane(0, { won: true, ms: 61_000, ranked: 10 })] });
  assert.equal(ranking(client.mine)[0].name, 'Anna');
  assert.deepEqual([client.state.notice?.key, client.state.notice?.params], ['race.rival_home', { name: 'Anna', time: '1:01' }]);
  client.hear({ kind: 'lanes', race: 0, lanes: [lane(1, { ranked: 999 })] });
  assert.equal(client.mine.lanes[1].ranked, 45, 'lanes of an earlier race');
});

test('the order of lanes is the server\'s', () => {
  const best = [
    lane(3, { won: true, ms: 50, moves: 9 }), lane(4, { won: true, ms: 60, moves: 7 }), lane(1, { won: true, ms: 60, moves: 8 }),
    lane(6, { ranked: 90, moves: 80 }), lane(0, { ranked: 80, moves: 5 }), lane(2, { ranked: 80, moves: 6 }), lane(5, { ranked: 80, moves: 6, left: true }),
  ];
  assert.deepEqual(best.toReversed().sort(byPlace).map(({ seat }) => seat), [3, 4, 1, 6, 0, 2, 5]);
});

test('our own end shows how it stands, the end of all the standings', () => {
  const client = inRace().act({ type: 'resign' });
  assert.deepEqual(client.sent(), [[9, 0]]);
  client.hear({
    kind: 'event', version: 1, flags: readFlags(32), score: 0, moves: 0, command: { source: 255, count: 5, target: 0 }, changes: [], legal: [], elapsed: 8000,
  });
  assert.deepEqual([client.view, client.state.panel], ['race', 'lanes']);
  client.hear(room({ ...RUNNING, version: 6, state: 3, ending: 0, game: 'YU1-C-X' }), standings());
  assert.deepEqual([client.view, client.state.panel], ['standings', null]);
  assert.deepEqual(client.sent(), [[31], [30, 1, 0]], 'the evening, and the winner\'s board');
  const board = { columns: [], foundations: [], stock: 0, waste: [] };
  client.hear({ kind: 'lastBoard', race: 1, seat: 0, board });
  client.room({ type: 'look', seat: 1 }).room({ type: 'look', seat: 0 });
  assert.deepEqual([client.sent(), client.mine.looking, client.mine.boards[0]], [[[30, 1, 1]], 0, board]);
});

test('where nobody won, our own board is shown; standings that come twice disturb nobody', () => {
  const rows = [
    { place: 1, seat: 0, name: 'Anna', outcome: 4, ms: null, ranked: 70, moves: 99, session: 'a' },
    { place: 2, seat: 1, name: 'Bo', outcome: 4, ms: null, ranked: 20, moves: 5, session: 'b' },
  ];
  const client = inRace().hear(standings({ rows }));
  assert.equal(client.mine.looking, 1);
  client.room({ type: 'look', seat: 0 }).sent();
  client.hear(standings({ rows }));
  assert.deepEqual([client.sent(), client.mine.looking], [[], 0]);
});

test('a rematch clears the table and keeps what is of the evening', () => {
  const client = inRace().hear(room({ ...RUNNING, version: 6, state: 3, ending: 0 }), standings());
  client.room({ type: 'rematch', same: true });
  assert.deepEqual(client.sent().at(-1), [28, 1, true]);
  client.hear(room({ version: 7, race: 2 }));
  assert.deepEqual([client.view, client.state.game, client.mine.standings, client.mine.lanes], ['lobby', null, null, {}]);
  assert.deepEqual(client.sent(), [[31]]);
  client.hear(standings(), { kind: 'lanes', race: 1, lanes: [lane(0)] });
  assert.deepEqual([client.view, client.mine.lanes], ['lobby', {}], 'what comes late of the race before is dropped');
});

test('a lost connection in the race: joins again, opens the session, keeps what is under way', () => {
  const client = inRace();
  client.connection('lost');
  assert.equal(client.view, 'race');
  client.act({ type: 'resign' });
  assert.deepEqual(client.sent(), []);
  client.connection('open');
  assert.deepEqual(client.sent(), [[21, ID, null, true], [3, 'r1', 0], [9, 0]]);
  client.hear(client.joined(1, 'r1'), room(RUNNING), snapshot('r1'));
  assert.equal(client.state.game?.pending?.version, 0);
});

test('a page that is loaded again in the race finds its board', () => {
  const client = new Client('Bo').connection('open').room({ type: 'enter', room: ID, door: true });
  client.hear(client.joined(1, 'r1'), room(RUNNING), { kind: 'lanes', race: 1, lanes: [lane(0, { won: true }), lane(1)] }, snapshot('r1', { version: 3 }));
  assert.deepEqual([client.view, client.state.game?.version], ['race', 3]);
  assert.equal(client.state.notice, null, 'who was home before is no news');
});

test('a seat that is given up in another tab leaves this one watching', () => {
  const client = inRace().hear(room({ ...RUNNING, version: 6, seats: room().seats.slice(0, 1) }));
  assert.deepEqual([client.view, client.mine.seat, client.state.game], ['watch', null, null]);
  client.room({ type: 'seat', seated: true });
  assert.deepEqual(client.sent(), [[21, ID, null, true]]);
});

test('removed, gone, and a room that is not there any more when we come back', () => {
  const removed = inRace().hear({ kind: 'closed', reason: 'removed' });
  assert.deepEqual([removed.view, removed.mine.reason, removed.state.game], ['shut', 'removed', null]);
  const gone = inLobby().connection('lost').connection('open');
  gone.hear(gone.refusal(21, 'no_such_room'));
  assert.deepEqual([gone.view, gone.mine.reason], ['shut', 'gone']);
  const lost = inLobby().room({ type: 'ready', ready: true });
  lost.sent();
  lost.hear({ kind: 'refusal', command: 22, about: null, code: 'no_room', reason: '', again: false });
  assert.deepEqual(lost.sent(), [[21, ID, null, true]]);
});

test('leaving goes back to the game that was played alone', () => {
  const client = inRace().room({ type: 'leave' });
  assert.deepEqual(client.sent(), [[27], [12]]);
  assert.deepEqual([client.state.room, client.state.game, client.view], [null, null, 'none']);
  assert.deepEqual(client.did('address').at(-1), { type: 'address', path: '/' });
  assert.equal(client.did('roomHome').length, 1);
  client.hear({ kind: 'closed', reason: 'left' });
  assert.equal(client.view, 'none');
});

test('the link, the code and the seal are copied', () => {
  const client = inLobby();
  for (const what of /** @type {const} */ (['link', 'room', 'seal', 'check'])) client.room({ type: 'copy', what });
  assert.deepEqual(client.did('copy').map(({ text }) => text), [`/r/${ID}`, 'BCDFGH', 'ab'.repeat(32)]);
  client.hear(standings()).room({ type: 'copy', what: 'check' });
  assert.equal(client.did('copy')[0].text, 'printf %s YU1-C-X | sha256sum');
});

test('a newer version of the client is no word for a race', () => {
  const client = new Client('Bo');
  client.state = { ...client.state, client: 'old' };
  client.connection('open').hear({ kind: 'welcome', protocol: 1, player: 'p', name: 'Bo', time: 0, capabilities: ['client:new'] });
  client.room({ type: 'enter', room: ID, door: true }).hear(client.joined(), room());
  assert.equal(isNewer(client.state), true);
  assert.equal(isNewer(client.hear(room(COUNTING)).state), false);
  assert.equal(isNewer(client.hear(room(RUNNING), snapshot('r1')).state), false);
  assert.equal(isNewer(client.hear(standings()).state), true);
});
