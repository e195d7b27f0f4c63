/** update(state, event): the state after an event and what main has to do. Pure: no clock, no network, no document. */

import { groupCard, isColumn, isFoundation } from './board.js';
import { doubleTapChoice, dropChoice, groupSize, isBlind, isLegal, ownFoundation, tapChoice } from './choices.js';
import { askForSnapshot, enqueue, keptSelection, play, refuse, resend, special, Step } from './play.js';
import { receive } from './receive.js';
import { inRoom, isNewer, isOver } from './state.js';
import { DRAW, FINISH, PAUSE, RESIGN, RESUME, SPECIAL, STOCK, UNDO, WASTE, newGame, open, turnUp } from './wire.js';

/** @typedef {import('./types.js').State} State */
/** @typedef {import('./types.js').Event} Event */
/** @typedef {import('./types.js').Effect} Effect */
/** @typedef {import('./types.js').Action} Action */
/** @typedef {import('./types.js').Game} Game */
/** @typedef {import('./choices.js').Choice} Choice */

/**
 * @param {State} state
 * @param {Event} event
 * @returns {{state: State, effects: Effect[]}}
 */
export function update(state, event) {
  const step = new Step(state);
  apply(step, event);
  if (step.state.selection && step.state.selection === state.selection) {
    step.set({ selection: keptSelection(state, step.state) });
  }
  return { state: step.state, effects: step.effects };
}

/** @param {Step} step @param {Event} event */
function apply(step, event) {
  switch (event.type) {
    case 'act': return act(step, event.action, event.now, event.request);
    case 'message': return receive(step, event.message, event.now);
    case 'connection': return connection(step, event);
    case 'retry': return retry(step, event.kind);
    case 'settings': {
      const settings = { ...step.state.settings, ...event.changes };
      step.set({ settings });
      return step.effect({ type: 'saveSettings', settings });
    }
    case 'rules': return step.set({ rulesets: event.rulesets });
    case 'player': return step.set({ player: event.player });
    case 'cover': return cover(step, event);
    case 'start': return start(step, event);
    case 'failed': return failed(step, event.panel);
    case 'notice': return step.notice(event.key, event.tone, event.params);
  }
}

/**
 * The page opened: the last session goes on, a link's deal is offered, a first visit gets a board at once, which may have been
 * asked for already.
 * @param {Step} step @param {Event & {type: 'start'}} event
 */
function start(step, { session, offer, request, asked = false }) {
  step.set({ opening: session, offer, panel: offer ? 'offer' : null });
  somethingToPlay(step, request, asked);
  if (step.state.dealing) return;
  if (step.state.connection === 'open') greet(step);
}

/** Deals a game where there is none to see. @param {Step} step @param {Uint8Array} request @param {boolean} [asked] the server has it already */
function somethingToPlay(step, request, asked = false) {
  const { offer, game, dealing, opening, covered, settings } = step.state;
  if (!offer && !game && !dealing && !opening && !covered && !inRoom(step.state)) deal(step, 0, settings.lastRuleset, request, asked);
}

/**
 * A part that is loaded later did not come, or cannot run: where the server has another client, because it is of that one.
 * @param {Step} step @param {State['panel'] | 'pause'} [panel] what should have opened; whoever still wants it asks again
 */
function failed(step, panel) {
  if (step.state.newer) step.set({ newer: 'here', unwanted: '' });
  const told = isNewer(step.state);
  // A dialog would lie over the banner. What could not be asked for again is wanted still: a link's deal, and a result.
  if (panel ? panel !== 'win' : told) step.set({ panel: step.state.offer ? 'offer' : null });
  if (!told) step.notice('notice.page_failed', 'refusal');
}

/** A page lies over the table, or lies there no more. @param {Step} step @param {Event & {type: 'cover'}} event */
function cover(step, { covered, request }) {
  const { game, offer, panel: before } = step.state;
  // What was open over the table is closed; a result waits until the table is seen again.
  const waits = game && isOver(game) && (before === 'win' || before === 'new') ? before : null;
  step.set({ covered, panel: offer ? 'offer' : waits, selection: null });
  somethingToPlay(step, request);
}

/** Another game of this player, instead of the one on the table. @param {Step} step @param {string} session */
function openOther(step, session) {
  step.set({ panel: null });
  if (step.state.game?.session === session || step.state.dealing) return;
  step.set({ opening: session });
  if (step.state.connection === 'open') step.send(open(session, null));
}

/** @param {Step} step @param {number} origin @param {string} text @param {Uint8Array} request @param {boolean} [asked] the server has it already */
function deal(step, origin, text, request, asked = false) {
  const send = !asked && step.state.connection === 'open';
  step.set({ dealing: { request, origin, text, sent: asked || send } });
  if (send) step.send(newGame(request, origin, text));
}

/** @param {Step} step @param {Event & {type: 'connection'}} event */
function connection(step, { status, code = 0 }) {
  step.set({ connection: status, stopCode: status === 'stopped' ? code : 0, stopping: step.state.stopping && status !== 'open' });
  const { game, dealing } = step.state;
  if (status === 'open') return greet(step);
  if (dealing) step.set({ dealing: { ...dealing, sent: false } });
  if (!game) return;
  const { pending } = game;
  // A try that was only made to hear the reason is not worth making again.
  const probe = pending && !pending.shown && pending.move.source !== SPECIAL;
  // A snapshot that was asked for stays awaited: what is known may be behind, and nothing may be sent that is made on it.
  step.game({ pending: pending && !probe ? { ...pending, sent: false } : null });
}

/** A connection opened: what was under way goes out again, first of all. @param {Step} step */
function greet(step) {
  const { dealing, opening, game } = step.state;
  if (dealing?.sent) return;
  if (dealing) {
    step.set({ dealing: { ...dealing, sent: true } });
    step.send(newGame(dealing.request, dealing.origin, dealing.text));
  } else if (opening) step.send(open(opening, null));
  else if (game) {
    step.send(open(game.session, game.version));
    // Until the snapshot is here, what the player does waits.
    step.game({ asked: true });
    resend(step);
  }
}

/** @param {Step} step @param {'pending' | 'dealing' | 'opening' | 'asking'} kind */
function retry(step, kind) {
  const { dealing, opening, game, connection: status } = step.state;
  if (status !== 'open') return;
  if (kind === 'pending') resend(step);
  else if (kind === 'dealing' && dealing && !dealing.sent) greet(step);
  else if (kind === 'opening' && opening) step.send(open(opening, null));
  else if (kind === 'opening' && game) {
    if (game.asked) step.send(open(game.session, game.version));
    else askForSnapshot(step);
  }
}

/** @param {Step} step @param {Action} action @param {number} now @param {Uint8Array} [request] */
function act(step, action, now, request) {
  if (action.type !== 'showMoves' && step.state.showMoves) step.set({ showMoves: false });
  // What was refused before is not what the player does now.
  if (step.state.notice?.tone === 'refusal') step.set({ notice: null });
  switch (action.type) {
    case 'panel': return panel(step, action, request);
    case 'new': return request && !step.state.dealing ? deal(step, action.origin, action.text, request) : undefined;
    case 'open': return openOther(step, action.session);
    case 'copy': return copy(step, action.what);
    case 'deselect': case 'lift': return step.set({ selection: null });
    case 'showMoves': return step.set({ showMoves: !step.state.showMoves, selection: null });
    case 'later': return step.set({ newer: 'away', unwanted: step.state.served });
    case 'resume': return special(step, RESUME, now);
    case 'resign': return special(step, RESIGN, now);
    default: if (step.state.game && isPlayable(step.state.game)) return touch(step, step.state.game, action, now);
  }
}

/** @param {Step} step @param {Action & {type: 'panel'}} action @param {Uint8Array} [request] */
function panel(step, { panel: name, code = null }, request) {
  const { offer } = step.state;
  step.set({ panel: name, offer: name ? offer : null, raceOn: code });
  if (name || !offer) return;
  // The link's deal was not taken: it is offered no more, and there is always something to play.
  step.effect({ type: 'address', path: '/' });
  if (request) somethingToPlay(step, request);
}

/** @param {Game} game */
const isPlayable = (game) => !game.flags.paused && !isOver(game);

/** @param {Step} step @param {'code' | 'link'} what */
function copy(step, what) {
  const code = step.state.game?.code;
  if (code) step.effect({ type: 'copy', what, text: what === 'code' ? code : `/g/${code}` });
}

/** What is done to the board. @param {Step} step @param {Game} game @param {Action} action @param {number} now */
function touch(step, game, action, now) {
  switch (action.type) {
    case 'undo': case 'finish': case 'pause':
      step.set({ selection: null });
      return special(step, { undo: UNDO, finish: FINISH, pause: PAUSE }[action.type], now);
    case 'turnUp': return special(step, turnUp(action.column), now);
    case 'draw': return choose(step, isLegal(game.legal, DRAW) || isBlind(game) ? { type: 'move', move: DRAW } : { type: 'refuse', move: DRAW }, now);
    case 'tap': return tap(step, game, action.pile, action.index, now);
    case 'doubleTap': return doubleTap(step, game, action.pile, action.index, now);
    case 'drop': return drop(step, game, action, now);
  }
}

/** @param {Step} step @param {Choice} choice @param {number} now */
function choose(step, choice, now) {
  if (choice.type === 'select') step.set({ selection: choice.group });
  else {
    step.set({ selection: null });
    if (choice.type === 'refuse') refuse(step, choice.move, now);
    else if (choice.move.source === SPECIAL) special(step, choice.move, now);
    else play(step, choice.move, now);
  }
}

/** @param {Step} step @param {Game} game @param {number} pile @param {number} index @param {number} now */
function tap(step, game, pile, index, now) {
  const { selection } = step.state;
  if (!isBlind(game)) {
    const choice = tapChoice(game.legal, game.board, selection, pile, index);
    choose(step, choice, now);
    // Whoever taps another group instead may simply have changed their mind: it is selected.
    const count = groupSize(game.board, pile, index);
    if (choice.type === 'refuse' && selection && count) step.set({ selection: { pile, count } });
    const isDown = isColumn(pile) && index >= 0 && index < game.board.columns[pile].down;
    if (isDown && choice.type === 'select' && !selection && step.state.settings.interactiveRules) step.notice('refusal.face_down', 'refusal');
    return;
  }
  const count = groupSize(game.board, pile, index);
  if (pile === STOCK) return choose(step, { type: 'move', move: DRAW }, now);
  if (selection && selection.pile !== pile && pile !== WASTE) {
    const move = { source: selection.pile, count: selection.count, target: pile };
    return choose(step, { type: 'move', move }, now);
  }
  const card = count ? groupCard(game.board, pile, count) : null;
  if (count === 1 && card !== null && !isFoundation(pile)) return enqueue(step, { type: 'home', card }, now);
  const same = selection?.pile === pile && selection.count === count;
  step.set({ selection: count && !same ? { pile, count } : null });
}

/** @param {Step} step @param {Game} game @param {number} pile @param {number} index @param {number} now */
function doubleTap(step, game, pile, index, now) {
  step.set({ selection: null });
  if (!step.state.settings.doubleClick) return;
  if (!isBlind(game)) return choose(step, doubleTapChoice(game.legal, game.board, pile, index), now);
  const count = groupSize(game.board, pile, index);
  const card = count ? groupCard(game.board, pile, count) : null;
  if (card !== null) enqueue(step, { type: 'place', card }, now);
}

/** @param {Step} step @param {Game} game @param {Action & {type: 'drop'}} action @param {number} now */
function drop(step, game, action, now) {
  const { source, count, target, area } = action;
  const { autoPlacement } = step.state.settings;
  if (!isBlind(game)) return choose(step, dropChoice(game.legal, game.board, action, autoPlacement), now);
  step.set({ selection: null });
  const card = groupCard(game.board, source, count);
  if (card === null || target === source) return;
  if (target !== null && isColumn(target)) play(step, { source, count, target }, now);
  else if (area === 'foundations' && !isFoundation(source)) play(step, { source, count, target: ownFoundation(game.board, card) }, now);
  else if (area === 'tableau' && autoPlacement) enqueue(step, { type: 'place', card }, now);
}
