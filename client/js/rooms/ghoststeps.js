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

/** Whether the server may be asked for the cards or the places: it was not yet, and no joining goes before. @param {State} state */
export function mayAsk({ room, connection }) {
  const ghosts = room?.ghosts;
  return connection === 'open' && !room?.asking && Boolean(ghosts?.timeline && !ghosts.rows && !ghosts.asked);
}

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
    if (room && !room.ghosts && event.type === 'message' && event.message.kind === 'ghosts') tooLate(step, event.message);
    if (!room?.ghosts) return;
    if (event.type === 'connection') answered(step);
    if (event.type === 'retry' && event.kind === 'asking') {
      answered(step);
      askAgain(step);
    }
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
      case 'snapshot': return before.game?.session !== message.session && ghostRace(step.state) ? answered(step) : undefined;
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
    const { room, game } = step.state;
    if (!room?.ghosts?.timeline || room.ghosts.race !== race) return;
    // The cards follow.
    setRoom(step, { ghosts: { ...room.ghosts, session, rows, asked: !rows }, dropped: null });
    step.effect({ type: 'roomKeep', room: room.at, race });
    // For the server our game is not over yet: it is not asked again at once.
    if (!rows && game?.session === session) return step.effect({ type: 'retry', kind: 'asking' });
    step.set({ panel: null, notice: null });
  }

  /** The server names a game that was asked for before something else came between: it shows it, and that is not to be seen. @param {Step} step @param {RoomMessage & {kind: 'ghosts'}} message */
  function tooLate(step, { session, rows }) {
    if (!rows) setRoom(step, { dropped: session });
  }

  /** Nothing that was asked for is on its way any more. @param {Step} step */
  function answered(step) {
    const ghosts = step.state.room?.ghosts;
    if (ghosts?.asked) setRoom(step, { ghosts: { ...ghosts, asked: false } });
  }

  /** @param {Step} step */
  function ask(step) {
    const ghosts = step.state.room?.ghosts;
    if (!ghosts || !mayAsk(step.state)) return;
    setRoom(step, { ghosts: { ...ghosts, asked: true } });
    step.send(askGhosts(ghosts.race));
  }

  /** Asks for what is missing: the cards, or the places when our game is over. @param {Step} step */
  function askAgain(step) {
    const found = ghostRace(step.state);
    if (!found || isOver(found.game)) ask(step);
  }

  /** The time limit of the race is over for us too, by our own clock. @param {Step} step */
  function limitOver(step) {
    if (ghostRace(step.state)) ask(step);
  }

  /** Our game against ghosts has just ended. @param {Step} step @param {State} before */
  function ended(step, before) {
    const found = ghostRace(step.state);
    if (found && isOver(found.game) && before.game?.session === found.game.session && !isOver(before.game)) askAgain(step);
  }

  /** @param {Step} step @param {{code: string, reason: string, again: boolean}} refusal */
  function refused(step, { code, reason, again: helps }) {
    // Without a room, rooms join again, and then it is asked again.
    if (code === 'no_room') return answered(step);
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

  /** A game against ghosts that is shown although it was left, because the room's own race went before. @param {State} state @param {Event} event */
  function isStray({ room }, event) {
    if (event.type !== 'message' || event.message.kind !== 'snapshot' || room?.stage !== 'in') return false;
    return event.message.session === room.dropped;
  }

  /** The board of the race, if it is there already, is what this socket shows. @param {Step} step */
  function again(step) {
    const { game, room } = step.state;
    // Who wants to race them again has asked for that.
    if (room?.ghosts) return;
    step.send(game ? open(game.session, game.version) : leaveSession());
  }

  /** The ghosts are raced no more; their cards are taken from the table. @param {Step} step */
  function drop(step) {
    const { room } = step.state;
    if (!room?.ghosts) return;
    if (ghostRace(step.state)) {
      clearTable(step);
      step.set({ panel: null });
    }
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
