/** The update while ghosts may be raced, put around that of rooms: the cards, at the end the places, and the way back. Pure. */

import { Step } from '../play.js';
import { isOver } from '../state.js';
import { leave as leaveSession, open } from '../wire.js';

/** @typedef {import('../types.js').State} State */
/** @typedef {import('../types.js').Event} Event */
/** @typedef {import('../types.js').Effect} Effect */
/** @typedef {import('./types.js').RoomEvent} RoomEvent */
/** @typedef {import('./types.js').RoomMessage} RoomMessage */
/** @typedef {import('./types.js').RoomState} RoomState */

/**
 * What the part for rooms gives to this one, so that nothing is loaded twice.
 * @typedef {object} Parts
 * @property {typeof import('./update.js').updateRooms} updateRooms
 * @property {typeof import('./steps.js').setRoom} setRoom
 * @property {typeof import('./steps.js').clearTable} clearTable
 * @property {typeof import('./ghosts.js').ghostRace} ghostRace
 * @property {typeof import('./wire.js')} wire
 */

/** @param {Parts} parts @returns {Parts['updateRooms']} */
export function createUpdate({ updateRooms, setRoom, clearTable, ghostRace, wire }) {
  const { COUNTDOWN, GHOSTS, LOBBY, RUNNING, askGhosts } = wire;

  /** @param {State} state @param {Event} event @returns {{state: State, effects: Effect[]}} */
  function updateGhosts(state, event) {
    const step = new Step(state);
    if (event.type === 'ghosts') arrived(step, event);
    else if (event.type === 'room' && event.action.type === 'ghostsOver') limitOver(step);
    else if (event.type === 'room' && event.action.type === 'ghostsBack') backToRoom(step);
    else if (isStray(state, event)) again(step);
    else {
      const { state: after, effects } = updateRooms(state, event);
      step.set(after);
      step.effects.push(...effects);
      follow(step, state, event);
    }
    return { state: step.state, effects: step.effects };
  }

  /** What follows for the ghosts when rooms have taken an event. @param {Step} step @param {State} before @param {Event} event */
  function follow(step, before, event) {
    const { room } = step.state;
    if (!room && before.room?.ghosts) step.effect({ type: 'roomKeep', room: before.room.at, race: null });
    if (!room?.ghosts) return;
    if (event.type === 'retry' && event.kind === 'asking') askAgain(step);
    if (event.type === 'message') heard(step, before, event.message);
    ended(step, before);
  }

  /** @param {Step} step @param {State} before @param {import('../types.js').ServerMessage} message */
  function heard(step, before, message) {
    switch (message.kind) {
      case 'ghosts': return places(step, message);
      case 'joined': return message.session === null ? askAgain(step) : drop(step);
      case 'room': return yieldToRace(step, before);
      case 'closed': return drop(step);
      case 'refusal': if (message.command === GHOSTS) refused(step, message);
    }
  }

  /** How the ghosts went is here, or is not to be had. @param {Step} step @param {RoomEvent & {type: 'ghosts'}} event */
  function arrived(step, { race, timeline, failed = 'failed' }) {
    const { room } = step.state;
    if (!room?.ghosts || room.ghosts.race !== race || room.ghosts.timeline) return;
    if (isPlaying(room)) return drop(step);
    if (!timeline) {
      drop(step);
      return step.notice(`ghosts.${failed}`, 'refusal');
    }
    setRoom(step, { ghosts: { ...room.ghosts, timeline } });
    askAgain(step);
  }

  /** The server names our game, or tells the places. @param {Step} step @param {RoomMessage & {kind: 'ghosts'}} message */
  function places(step, { race, session, rows }) {
    const { room } = step.state;
    if (!room?.ghosts?.timeline || room.ghosts.race !== race) return;
    setRoom(step, { ghosts: { ...room.ghosts, session, rows }, dropped: null });
    step.set({ panel: null, notice: null });
    step.effect({ type: 'roomKeep', room: room.at, race });
  }

  /** Asks for what is missing: the cards, or the places when our game is over. @param {Step} step */
  function askAgain(step) {
    const { room, game, connection } = step.state;
    const ghosts = room?.ghosts;
    if (connection !== 'open' || !ghosts?.timeline || ghosts.rows) return;
    if (!ghosts.session || (game?.session === ghosts.session && isOver(game))) step.send(askGhosts(ghosts.race));
  }

  /** The time limit of the race is over for us too, by our own clock. @param {Step} step */
  function limitOver(step) {
    const found = ghostRace(step.state);
    if (found && !found.race.rows && step.state.connection === 'open') step.send(askGhosts(found.race.race));
  }

  /** Our game against ghosts has just ended. @param {Step} step @param {State} before */
  function ended(step, before) {
    const found = ghostRace(step.state);
    if (found && isOver(found.game) && before.game?.session === found.game.session && !isOver(before.game)) askAgain(step);
  }

  /** @param {Step} step @param {{code: string, reason: string, again: boolean}} refusal */
  function refused(step, { code, reason, again: helps }) {
    // Without a room, rooms join again, and then it is asked again.
    if (code === 'no_room') return;
    if (helps) return step.effect({ type: 'retry', kind: 'asking' });
    backToRoom(step);
    step.notice(`refusal.${code}`, 'refusal', { reason });
  }

  /** The room's own next race goes before, if we are in it. @param {Step} step @param {State} before */
  function yieldToRace(step, { room: was }) {
    const { room } = step.state;
    if (room && isPlaying(room)) drop(step);
    else if (room?.room?.state === LOBBY && was?.room && was.room.state !== LOBBY && ghostRace(step.state)) step.notice('ghosts.next_race');
  }

  /** Whether a race of the room is about to give us a board, or has. @param {RoomState} room */
  function isPlaying({ room, seat, standings }) {
    if (!room || seat === null || standings) return false;
    return room.state === COUNTDOWN || (room.state === RUNNING && room.lanes.some((lane) => lane.seat === seat));
  }

  /** A game against ghosts that a connection opened again, when a race of the room turned out to run. @param {State} state @param {Event} event */
  function isStray({ room }, event) {
    if (event.type !== 'message' || event.message.kind !== 'snapshot' || room?.stage !== 'in') return false;
    return isPlaying(room) && event.message.session === room.dropped;
  }

  /** The board of the race is what this socket shows. @param {Step} step */
  function again(step) {
    const { game } = step.state;
    if (game) step.send(open(game.session, game.version));
  }

  /** The ghosts are raced no more; their cards are taken from the table. @param {Step} step */
  function drop(step) {
    const { room } = step.state;
    if (!room?.ghosts) return;
    if (ghostRace(step.state)) clearTable(step);
    setRoom(step, { ghosts: null, dropped: room.ghosts.session });
    step.effect({ type: 'roomKeep', room: room.at, race: null });
  }

  /** @param {Step} step */
  function backToRoom(step) {
    if (ghostRace(step.state) && step.state.connection === 'open') step.send(leaveSession());
    drop(step);
  }

  return updateGhosts;
}
