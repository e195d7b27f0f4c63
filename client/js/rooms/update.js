/** updateRooms(state, event): the update of the whole program while a room may be open. Pure, like the one it is put around. */

import { Step } from '../play.js';
import { isOver } from '../state.js';
import { update } from '../update.js';
import { leave as leaveSession } from '../wire.js';
import { ghostRace } from './ghosts.js';
import { hear, refused } from './receive.js';
import { approach, ask, askToJoin, clearTable, knock, look, raceGhosts, setRoom } from './steps.js';
import { COUNTDOWN, FINISHED, RUNNING, askRoom, change, leave, lock, ready, rematch, remove, start } from './wire.js';

/** @typedef {import('../types.js').State} State */
/** @typedef {import('../types.js').Event} Event */
/** @typedef {import('../types.js').Effect} Effect */
/** @typedef {import('./types.js').Room} Room */
/** @typedef {import('./types.js').RoomAction} RoomAction */
/** @typedef {import('./types.js').RoomMessage} RoomMessage */

/**
 * @param {State} state
 * @param {Event} event
 * @returns {{state: State, effects: Effect[]}}
 */
export function updateRooms(state, event) {
  const step = new Step(state);
  if (event.type === 'room') act(step, event.action, event.request);
  else if (event.type === 'roomCheck') check(step, event.race, event.phase);
  else if (event.type === 'ghosts') withoutGhosts(step);
  else if (!isHeld(state, event)) {
    if (event.type === 'connection') connection(step, event.status);
    const result = update(step.state, event);
    step.state = result.state;
    step.effects.push(...result.effects);
    after(step, state, event);
  }
  return { state: step.state, effects: step.effects };
}

/** In a room there is no other game to deal, and no pause. @param {State} state @param {Event} event */
function isHeld(state, event) {
  const { room } = state;
  if (!room || room.stage === 'making' || event.type !== 'act') return false;
  const { action } = event;
  // Ghosts wait for us.
  if (action.type === 'pause' && ghostRace(state)) return false;
  if (action.type === 'panel') return action.panel === 'new' || action.panel === 'race';
  return action.type === 'new' || action.type === 'open' || action.type === 'pause';
}

/** The part for ghosts did not come. @param {Step} step */
function withoutGhosts(step) {
  setRoom(step, { ghosts: null });
  step.notice('notice.page_failed', 'refusal');
}

/** The room comes first: it is how the server knows that we are back. @param {Step} step @param {State['connection']} status */
function connection(step, status) {
  const { room } = step.state;
  if (!room) return;
  step.set({ connection: status });
  if (status !== 'open') {
    if (room.asking) setRoom(step, { asking: { ...room.asking, sent: false } });
  } else if (room.asking) ask(step, room.asking);
  else if (room.stage === 'in') askToJoin(step);
  else knock(step);
}

/** What follows for the room when the rest of the program has taken an event. @param {Step} step @param {State} before @param {Event} event */
function after(step, before, event) {
  if (event.type === 'retry') {
    const asking = step.state.room?.asking;
    if (event.kind === 'asking' && asking && !asking.sent) ask(step, asking);
  }
  if (event.type !== 'message') return;
  const { message } = event;
  if (message.kind === 'welcome') knock(step);
  else if (message.kind === 'refusal') refused(step, message);
  else hear(step, /** @type {RoomMessage} */ (message));
  ended(step, before);
}

/** Our board is over while others still play: how it stands. @param {Step} step @param {State} before */
function ended(step, before) {
  const { room, game } = step.state;
  if (room?.stage !== 'in' || room.room?.state !== RUNNING || room.standings || room.ghosts) return;
  if (game && isOver(game) && before.game?.session === game.session && !isOver(before.game)) step.set({ panel: 'lanes' });
}

/** @param {Step} step @param {RoomAction} action @param {Uint8Array} request */
function act(step, action, request) {
  const { room } = step.state;
  if (action.type === 'enter') enter(step, action, request);
  else if (action.type === 'make') {
    const { name, settings } = action;
    approach(step, { stage: 'making', request });
    ask(step, { type: 'make', request, name, settings, sent: false });
  } else if (action.type === 'leave') goHome(step);
  else if (room?.stage === 'in' && room.room) inRoom(step, room.room, action);
}

/** What is done in the room. @param {Step} step @param {Room} room @param {RoomAction} action */
function inRoom(step, room, action) {
  switch (action.type) {
    case 'ready': return step.send(ready(action.ready));
    case 'start':
      step.set({ panel: null });
      return step.send(start(action.force));
    case 'change': return step.send(change(action.settings));
    case 'askRemove':
      setRoom(step, { removing: action.seat });
      return step.set({ panel: 'remove' });
    case 'remove':
      step.set({ panel: null });
      return step.send(remove(action.seat));
    case 'lock': return step.send(lock(action.locked));
    case 'seat': return askToJoin(step, action.seated);
    case 'rematch': return step.send(rematch(room.race, action.same));
    case 'look': return look(step, action.seat);
    case 'ghosts': return raceGhosts(step, action.race);
    case 'copy': return copy(step, room, action.what);
  }
}

/** @param {Step} step @param {Room} room @param {import('./types.js').Copied} what */
function copy(step, room, what) {
  const standings = step.state.room?.standings;
  const seal = standings?.commitment ?? room.commitment ?? '';
  const text = { link: `/r/${room.id}`, room: room.code, seal, check: standings ? checkLine(standings.game) : '' }[what];
  if (text) step.effect({ type: 'copy', what, text });
}

/** What anybody can type to check a seal. @param {string} game a game code */
export const checkLine = (game) => `printf %s ${game} | sha256sum`;

/** To a room, by its address or by a code that was typed. @param {Step} step @param {RoomAction & {type: 'enter'}} action @param {Uint8Array} request */
function enter(step, { room: at, name = null, seated: asked, door = false, back = null }, request) {
  const before = step.state.room;
  const isBack = before?.stage === 'door';
  // Another try at the same room is for what was wanted before: who watches takes no seat.
  const seated = asked ?? (before?.at === at ? before.seated : true);
  approach(step, { stage: door ? 'door' : 'making', at, seated, request, back });
  // From an address: whoever has no name yet is asked for it before anything is sent.
  if (door && !name && !isBack) knock(step);
  else askToJoin(step, seated, name);
}

/** Out of the room, and back to the game that was played alone. @param {Step} step */
function goHome(step) {
  const { room, game, connection: status } = step.state;
  if (!room) return;
  if (status === 'open' && room.stage === 'in') {
    step.send(leave());
    if (game) step.send(leaveSession());
  }
  clearTable(step);
  step.set({ room: null, panel: null });
  step.effect({ type: 'roomWatch', watching: false });
  step.effect({ type: 'address', path: '/' });
  step.effect({ type: 'roomHome' });
}

/** @param {Step} step @param {number} race @param {number} phase */
function check(step, race, phase) {
  const { room, game, connection: status } = step.state;
  if (status !== 'open' || room?.stage !== 'in' || room.room?.race !== race || room.room.state !== phase) return;
  const isDealtIn = room.room.lanes.some(({ seat }) => seat === room.seat);
  if (phase === COUNTDOWN || (phase === RUNNING && !game && isDealtIn)) askToJoin(step);
  else if (phase === RUNNING || (phase === FINISHED && !room.standings)) step.send(askRoom());
}
