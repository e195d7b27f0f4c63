/** Small steps that the modules of rooms share: asking to be let in, and what is known of the room. */

import { askBoard, join, make } from './wire.js';

/** @typedef {import('../play.js').Step} Step */
/** @typedef {import('./types.js').RoomState} RoomState */
/** @typedef {import('./types.js').Asking} Asking */

/** @type {RoomState} */
const OUTSIDE = {
  stage: 'door', at: '', request: new Uint8Array(16), seated: true, asking: null, refused: null, reason: null, seat: null,
  anew: true, room: null, race: 0, lanes: {}, standings: null, boards: {}, looking: null, evening: [], removing: null, ghosts: null, dropped: null, back: null,
};

/** Before a room. @param {Step} step @param {Partial<RoomState>} changes */
export const approach = (step, changes) => step.set({ room: { ...OUTSIDE, ...changes } });

/** @param {Step} step @param {Partial<RoomState>} changes */
export function setRoom(step, changes) {
  if (step.state.room) step.set({ room: { ...step.state.room, ...changes } });
}

/** A request id that was not used before. @param {Uint8Array} request the last one */
function nextRequest(request) {
  const next = Uint8Array.from(request);
  for (let i = next.length - 1; i >= 0; i -= 1) if (++next[i]) break;
  return next;
}

/** Asks to make or join a room, now or when the connection is there. @param {Step} step @param {Asking} asking */
export function ask(step, asking) {
  const sent = step.state.connection === 'open';
  setRoom(step, { asking: { ...asking, sent }, refused: null });
  if (!sent) return;
  const { request, name } = asking;
  if (asking.type === 'make') step.send(make(request, name ?? step.state.player?.name ?? '', asking.settings));
  else step.send(join(request, asking.room, name, asking.seated));
}

/** Joins, for the first time or once more: that keeps the seat. @param {Step} step @param {boolean} [seated] @param {string | null} [name] */
export function askToJoin(step, seated, name = null) {
  const { room } = step.state;
  if (!room) return;
  const request = nextRequest(room.request);
  const wanted = seated ?? room.seated;
  setRoom(step, { request, seated: wanted });
  ask(step, { type: 'join', request, name, room: room.at, seated: wanted, sent: false });
}

/** Who has a name goes straight in; others are asked for one first, and watchers need none. @param {Step} step */
export function knock(step) {
  const { room, player, connection } = step.state;
  if (room?.stage !== 'door' || room.asking || room.refused || connection !== 'open' || !player) return;
  if (player.name || !room.seated) askToJoin(step);
}

/** Shows the final board of a seat. @param {Step} step @param {number} seat */
export function look(step, seat) {
  const { room } = step.state;
  setRoom(step, { looking: seat });
  if (room && !room.boards[seat]) step.send(askBoard(room.race, seat));
}

/** Before anything is dealt, and a clock runs, it is fetched how the ghosts of a race went. @param {Step} step @param {number} race */
export function raceGhosts(step, race) {
  const { room } = step.state;
  if (!room || room.ghosts) return;
  setRoom(step, { ghosts: { race, timeline: null, session: null, rows: null, asked: false } });
  step.effect({ type: 'roomGhosts', room: room.at, race });
}

/** The session of the game on the table belongs to somebody who plays alone no more. @param {Step} step */
export function clearTable(step) {
  step.set({ game: null, opening: null, dealing: null, selection: null, showMoves: false, offer: null });
}
