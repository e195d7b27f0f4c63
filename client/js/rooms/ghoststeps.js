/** The steps of a race against ghosts: first how they went, then the cards, at the end the places; and the way back. */

import { isOver } from '../state.js';
import { leave as leaveSession } from '../wire.js';
import { ghostRace } from './ghosts.js';
import { clearTable, setRoom } from './steps.js';
import { COUNTDOWN, RUNNING, askGhosts } from './wire.js';

/** @typedef {import('../play.js').Step} Step */
/** @typedef {import('../types.js').State} State */
/** @typedef {import('./types.js').RoomEvent} RoomEvent */
/** @typedef {import('./types.js').RoomMessage} RoomMessage */
/** @typedef {import('./types.js').RoomState} RoomState */

/** Nothing is dealt, and no clock runs, before it is known how the ghosts went. @param {Step} step @param {number} race */
export function raceGhosts(step, race) {
  const { room } = step.state;
  if (!room || room.ghosts) return;
  setRoom(step, { ghosts: { race, timeline: null, session: null, rows: null } });
  step.effect({ type: 'roomGhosts', room: room.at, race });
}

/** How the ghosts went is here, or is not to be had. @param {Step} step @param {RoomEvent & {type: 'ghosts'}} event */
export function arrived(step, { race, timeline, failed = 'failed' }) {
  const ghosts = step.state.room?.ghosts;
  if (!ghosts || ghosts.race !== race || ghosts.timeline) return;
  if (!timeline) {
    dropGhosts(step);
    return step.notice(`ghosts.${failed}`, 'refusal');
  }
  setRoom(step, { ghosts: { ...ghosts, timeline } });
  askAgain(step);
}

/** The server names our game, or tells the places. @param {Step} step @param {RoomMessage & {kind: 'ghosts'}} message */
export function heardGhosts(step, { race, session, rows }) {
  const { room } = step.state;
  if (!room?.ghosts?.timeline || room.ghosts.race !== race) return;
  setRoom(step, { ghosts: { ...room.ghosts, session, rows }, dropped: null });
  step.set({ panel: null, notice: null });
  step.effect({ type: 'roomKeep', room: room.at, race });
}

/** Asks for what is missing: the cards, or the places when our game is over. @param {Step} step */
export function askAgain(step) {
  const { room, game, connection } = step.state;
  const ghosts = room?.ghosts;
  if (connection !== 'open' || !ghosts?.timeline || ghosts.rows) return;
  if (!ghosts.session || (game?.session === ghosts.session && isOver(game))) step.send(askGhosts(ghosts.race));
}

/** The time limit of the race is over for us too, by our own clock. @param {Step} step */
export function limitOver(step) {
  const found = ghostRace(step.state);
  if (found && !found.race.rows && step.state.connection === 'open') step.send(askGhosts(found.race.race));
}

/** Our game against ghosts has just ended. @param {Step} step @param {State} before */
export function ghostsEnded(step, before) {
  const found = ghostRace(step.state);
  if (found && isOver(found.game) && before.game?.session === found.game.session && !isOver(before.game)) askAgain(step);
}

/** Back in the room: a page that was loaded again, or a connection that was lost. @param {Step} step @param {boolean} isDealtIn a race of the room runs with us */
export function resumeGhosts(step, isDealtIn) {
  const { room } = step.state;
  if (!room) return;
  const { back } = room;
  setRoom(step, { back: null });
  if (isDealtIn) dropGhosts(step);
  else if (back !== null) raceGhosts(step, back);
  else askAgain(step);
}

/** The command was refused. @param {Step} step @param {{code: string, reason: string, again: boolean}} message */
export function ghostsRefused(step, { code, reason, again }) {
  if (again) return step.effect({ type: 'retry', kind: 'asking' });
  backToRoom(step);
  step.notice(`refusal.${code}`, 'refusal', { reason });
}

/** The room's own next race goes before, if we are in it. @param {Step} step */
export function yieldToRace(step) {
  const { room } = step.state;
  if (room?.ghosts && isPlaying(room)) dropGhosts(step);
}

/** Whether a race of the room is about to give us a board, or has. @param {RoomState} room */
export function isPlaying({ room, seat, standings }) {
  if (!room || seat === null || standings) return false;
  return room.state === COUNTDOWN || (room.state === RUNNING && room.lanes.some((lane) => lane.seat === seat));
}

/** The ghosts are raced no more; their cards are taken from the table. @param {Step} step */
export function dropGhosts(step) {
  const { room } = step.state;
  if (!room?.ghosts) return;
  if (ghostRace(step.state)) clearTable(step);
  setRoom(step, { ghosts: null, dropped: room.ghosts.session });
  step.effect({ type: 'roomKeep', room: room.at, race: null });
}

/** @param {Step} step */
export function backToRoom(step) {
  if (ghostRace(step.state) && step.state.connection === 'open') step.send(leaveSession());
  dropGhosts(step);
}
