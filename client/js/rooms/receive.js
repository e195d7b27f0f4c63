/** What the server says of a room, put into the state. A race's cards come as any session's do. */

import { clock } from '../i18n.js';
import { leave as leaveSession } from '../wire.js';
import { ghostRace } from './ghosts.js';
import { approach, askToJoin, clearTable, look, raceGhosts, setRoom } from './steps.js';
import { CHANGE, COUNTDOWN, FINISHED, LOBBY, RUNNING, START, WON, askEvening } from './wire.js';

/** @typedef {import('../play.js').Step} Step */
/** @typedef {import('./types.js').RoomMessage} RoomMessage */
/** @typedef {import('./types.js').Room} Room */
/** @typedef {import('./types.js').Lane} Lane */
/** @typedef {import('./types.js').Standings} Standings */

/** Long after the server should have told of a change, in milliseconds. */
const LATE = 2500;

/** @param {Step} step @param {RoomMessage} message */
export function hear(step, message) {
  const { room } = step.state;
  if (message.kind === 'joined') return joined(step, message);
  if (room?.stage !== 'in') return;
  switch (message.kind) {
    case 'room': return seen(step, message);
    case 'lanes': return lanes(step, message.race, message.lanes);
    case 'standings': return standings(step, message);
    case 'closed': return closed(step, message.reason);
    case 'lastBoard': return message.race === room.race ? setRoom(step, { boards: { ...room.boards, [message.seat]: message.board } }) : undefined;
    case 'evening': return setRoom(step, { evening: message.races });
    case 'done': return step.state.panel === 'change' && message.command === CHANGE ? step.set({ panel: null }) : undefined;
  }
}

/** @param {Step} step @param {RoomMessage & {kind: 'joined'}} message */
function joined(step, { request, room: id, seat, session }) {
  const { room, game } = step.state;
  if (!room?.asking || (request && !request.every((byte, i) => byte === room.asking?.request[i]))) return;
  if (room.stage !== 'in') {
    if (game && !session) step.send(leaveSession());
    clearTable(step);
    approach(step, { request: room.request, back: room.back });
    step.set({ panel: null });
    step.effect({ type: 'address', path: `/r/${id}` });
  }
  setRoom(step, { stage: 'in', at: id, asking: null, refused: null, seat, seated: seat !== null, anew: true });
  step.effect({ type: 'roomWatch', watching: seat === null });
  // The server sends the board of a running race by itself.
  if (session && step.state.game?.session !== session) clearTable(step);
  if (room.back === null) return;
  setRoom(step, { back: null });
  if (!session) raceGhosts(step, room.back);
}

/** @param {Step} step @param {Room} message */
function seen(step, message) {
  const { room } = step.state;
  if (!room || message.id !== room.at || (!room.anew && room.room && message.version < room.room.version)) return;
  const before = room.anew && room.room?.race !== message.race ? null : room.room;
  if (message.race !== room.race) begin(step, message.race);
  setRoom(step, { room: message, anew: false });
  if (room.seat !== null && !message.seats.some(({ seat }) => seat === room.seat)) {
    // Given up in another tab: here it is seen on, without a seat.
    setRoom(step, { seat: null, seated: false });
    if (!ghostRace(step.state)) clearTable(step);
  }
  const isNext = before?.race !== message.race || before.state !== message.state;
  if (!isNext) return;
  // Who races ghosts beside it is not disturbed.
  if (before && !ghostRace(step.state)) step.set({ panel: null });
  if (message.state === COUNTDOWN || message.state === RUNNING) step.effect({ type: 'roomCall', running: message.state === RUNNING });
  const watch = (/** @type {number | null} */ at) => step.effect({ type: 'roomCheck', race: message.race, phase: message.state, at });
  if (message.state === COUNTDOWN && message.go) watch(message.go + LATE);
  if (message.state === RUNNING) {
    if (!step.state.game && message.lanes.some(({ seat }) => seat === room.seat)) watch(null);
    if (message.ends) watch(message.ends + LATE);
  }
  if (message.state === FINISHED && !step.state.room?.standings) watch(null);
  if (message.state === LOBBY && message.race > 1) step.send(askEvening());
}

/** Another race than the one known so far. @param {Step} step @param {number} race */
function begin(step, race) {
  setRoom(step, { race, lanes: {}, standings: null, boards: {}, looking: null });
  if (step.state.room?.room && !ghostRace(step.state)) clearTable(step);
}

/** @param {Step} step @param {number} race @param {Lane[]} changed */
function lanes(step, race, changed) {
  const { room } = step.state;
  if (!room || race < room.race) return;
  if (race > room.race) begin(step, race);
  const known = race === room.race ? room.lanes : {};
  setRoom(step, { lanes: { ...known, ...Object.fromEntries(changed.map((lane) => [lane.seat, lane])) } });
  if (ghostRace(step.state)) return;
  for (const lane of changed) {
    const was = known[lane.seat];
    if (!was || was.won || !lane.won || lane.seat === room.seat) continue;
    const name = room.room?.lanes.find(({ seat }) => seat === lane.seat)?.name ?? '';
    step.notice('race.rival_home', 'plain', { name, time: clock(lane.ms ?? 0) });
  }
}

/** @param {Step} step @param {Standings} message */
function standings(step, message) {
  const { room } = step.state;
  if (!room || message.race < room.race) return;
  if (message.race > room.race) begin(step, message.race);
  const isFirst = room.standings?.race !== message.race;
  setRoom(step, { standings: message });
  if (!isFirst) return;
  // Whoever came home last is in the list.
  if (!ghostRace(step.state)) step.set({ panel: null, selection: null, showMoves: false, notice: null });
  step.send(askEvening());
  const best = message.rows[0];
  const mine = message.rows.find(({ seat }) => seat === room.seat);
  if (best) look(step, best.outcome === WON || !mine ? best.seat : mine.seat);
}

/** @param {Step} step @param {string} reason */
function closed(step, reason) {
  setRoom(step, { stage: 'shut', reason, asking: null });
  clearTable(step);
  step.set({ panel: null });
}

/** Whether a refusal is about the room, and what to do. @param {Step} step @param {import('../types.js').ServerMessage & {kind: 'refusal'}} message */
export function refused(step, { command, about, code, reason, again }) {
  const { room } = step.state;
  if (!room || command < 20 || command > 39) return;
  const { asking, stage } = room;
  const say = () => step.notice(`refusal.${code}`, 'refusal', { reason });
  const isOurs = asking && about instanceof Uint8Array && asking.request.every((byte, i) => byte === about[i]);
  if (!isOurs) {
    if (command === START && code === 'not_all_ready') return step.set({ panel: 'force' });
    return code === 'no_room' && stage === 'in' && !asking ? askToJoin(step) : say();
  }
  if (again) {
    setRoom(step, { asking: { ...asking, sent: false } });
    return step.effect({ type: 'retry', kind: 'asking' });
  }
  if (stage === 'making') {
    say();
    return step.set({ room: null });
  }
  if (stage === 'in' && (code === 'no_such_room' || code === 'removed')) return closed(step, code === 'removed' ? 'removed' : 'gone');
  if (code === 'bad_name') say();
  setRoom(step, { asking: null, stage: 'door', refused: code });
  if (stage === 'in') clearTable(step);
}
