/** What the server says, put into the state: snapshots win, events confirm or correct, refusals roll back. */

import { withChanges } from './board.js';
import { advance, askForSnapshot, resend } from './play.js';
import { inRoom, isOver, rulesetOf, withBoard } from './state.js';
import { SPECIAL, UNDO, commandKind, open, sameMove } from './wire.js';

/** @typedef {import('./types.js').Game} Game */
/** @typedef {import('./types.js').ServerMessage} ServerMessage */
/** @typedef {import('./types.js').SnapshotMessage} SnapshotMessage */
/** @typedef {import('./types.js').EventMessage} EventMessage */
/** @typedef {import('./types.js').LastMove} LastMove */
/** @typedef {import('./play.js').Step} Step */
/** @typedef {ServerMessage & {kind: 'refusal'}} Refusal */

/** @param {Step} step @param {ServerMessage} message @param {number} now */
export function receive(step, message, now) {
  switch (message.kind) {
    case 'welcome': return welcome(step, message);
    case 'snapshot': return snapshot(step, message, now);
    case 'event': return event(step, message, now);
    case 'confirmed': return confirmed(step, message.version, now);
    case 'refusal': return refusal(step, message, now);
    case 'notice': return notice(step, message.code, message.text);
  }
}

/** Who we are, and whether the page would be another one today. @param {Step} step @param {ServerMessage & {kind: 'welcome'}} message */
function welcome(step, { player, name, capabilities }) {
  const { client, player: before, unwanted } = step.state;
  const served = capabilities.find((one) => one.startsWith('client:'))?.slice(7) ?? '';
  // A page that just came may be the newer one, at a worker that has still to be upgraded: that is told when it lasts.
  const newer = !client || !served || served === client ? '' : !before || served === unwanted ? 'away' : 'here';
  step.set({ player: { id: player, name }, newer, served });
}

/** @param {Step} step @param {string} code @param {string | null} text */
function notice(step, code, text) {
  if (code === 'stopping') step.set({ stopping: true });
  else if (code === 'name' && step.state.player) step.set({ player: { ...step.state.player, name: text } });
}

/** @param {import('./types.js').Flags} flags */
const isRunning = (flags) => !flags.paused && !flags.won && !flags.givenUp;

/** @param {SnapshotMessage} message @param {number} now @returns {Game} */
function gameFrom(message, now) {
  const { session, letter, code, commitment, origin, counts, day, first, version, flags, score, moves, ranked, board, legal } = message;
  return {
    session, letter, code, commitment, origin, counts, day, first, version, flags, score, moves, ranked, board, legal,
    confirmed: board,
    elapsed: { ms: message.elapsed, at: now, running: isRunning(flags) },
    pending: null,
    queue: [],
    lastMove: null,
    asked: false,
  };
}

/** @param {Step} step @param {SnapshotMessage} message @param {number} now */
function snapshot(step, message, now) {
  const { game } = step.state;
  if (!game || game.session !== message.session) return begin(step, message, now);
  // Today's deal, asked for again while it is unfinished, is the game on the table.
  if (step.state.dealing?.origin === 3 && message.origin === 3) step.set({ dealing: null, panel: null });
  const fresh = gameFrom(message, now);
  const back = message.version < game.version;
  let { pending, queue } = game;
  if (back) {
    // The store has forgotten what this was made on. What is on its way will be answered; the rest was meant for another board.
    if (pending && !pending.sent) pending = null;
    queue = [];
  }
  const lastMove = message.version === game.version || pending ? game.lastMove : null;
  step.set({ game: withBoard({ ...fresh, pending, queue, lastMove }) });
  resend(step);
  ended(step, game);
  advance(step, now);
}

/** Another session than the one that was shown. @param {Step} step @param {SnapshotMessage} message @param {number} now */
function begin(step, message, now) {
  const { dealing, offer, opening } = step.state;
  const resumed = !dealing && opening === message.session;
  const game = gameFrom(message, now);
  // A game resumed behind the offer of a link leaves the offer open.
  const panel = resumed && offer ? step.state.panel : null;
  step.set({ game, dealing: null, opening: null, selection: null, showMoves: false, panel, offer: resumed ? offer : null });
  // A race's session is its room's to remember.
  if (inRoom(step.state)) return;
  step.effect({ type: 'saveSession', session: message.session });
  if (!resumed) {
    const settings = { ...step.state.settings, lastRuleset: message.letter };
    step.set({ settings });
    step.effect({ type: 'saveSettings', settings });
    step.effect({ type: 'address', path: '/' });
  }
  if (isOver(game) && !panel) step.set({ panel: game.flags.won ? 'win' : 'new' });
}

/** Opens the result when the game has just ended, and asks for what was sealed until then. @param {Step} step @param {Game} before */
function ended(step, before) {
  const { game } = step.state;
  if (!game || !isOver(game) || isOver(before)) return;
  step.game({ queue: [] });
  step.set({ selection: null });
  if (inRoom(step.state)) return;
  step.set({ panel: game.flags.won ? 'win' : 'new' });
  if (!game.code) askForSnapshot(step);
}

/** The move to mark after an event: of a finish the last one, of an undo what went back. @param {EventMessage} message @param {number} now @returns {LastMove | null} */
function lastMoveOf(message, now) {
  for (const change of message.changes.slice().reverse()) {
    if (change.type === 'move') {
      const { source, count, target } = change;
      return { source, count, target, at: now, undo: sameMove(message.command, UNDO) };
    }
  }
  return null;
}

/** @param {Step} step @param {EventMessage} message @param {number} now */
function event(step, message, now) {
  const { game } = step.state;
  if (!game) return;
  let { pending } = game;
  const ours = pending !== null && message.version === pending.version + 1 && sameMove(message.command, pending.move);
  const shown = ours && pending?.shown === true;
  if (ours) pending = null;
  if (message.version !== game.version + 1) {
    step.game({ pending });
    // Our own command, which a snapshot already brought, is no gap.
    if (!ours || message.version !== game.version) askForSnapshot(step);
    advance(step, now);
    return;
  }
  const { version, flags, score, moves, legal } = message;
  const running = isRunning(flags);
  const elapsed = message.elapsed === null ? { ...game.elapsed, running } : { ms: message.elapsed, at: now, running };
  step.game({
    version, flags, score, moves, legal, pending, elapsed,
    // A game that was paused does not rank.
    counts: game.counts && !flags.paused,
    confirmed: withChanges(game.confirmed, message.changes),
    lastMove: shown ? game.lastMove : lastMoveOf(message, now),
  });
  ended(step, game);
  advance(step, now);
}

/** Our command had arrived before: what it did came, or comes, with a snapshot. @param {Step} step @param {number} version @param {number} now */
function confirmed(step, version, now) {
  const { game } = step.state;
  if (!game) return;
  if (game.pending && game.pending.version + 1 === version) step.game({ pending: null });
  if (game.version < version) askForSnapshot(step);
  advance(step, now);
}

/** @param {Step} step @param {Refusal} message @param {number} now */
function refusal(step, message, now) {
  if (message.command === 2) return notDealt(step, message);
  if (message.command === 3 || message.command === 11) return notOpened(step, message);
  const pending = step.state.game?.pending;
  if (!pending || commandKind(pending.move) !== message.command || pending.version !== message.about) return;
  if (message.again) {
    step.game({ pending: { ...pending, sent: false } });
    return step.effect({ type: 'retry', kind: 'pending' });
  }
  if (message.code === 'no_session') return reopen(step);
  step.game({ pending: null });
  if (message.code === 'stale') {
    // A snapshot follows by itself. What waits was meant for another board.
    if (pending.shown) step.notice('refusal.stale', 'refusal');
    return step.game({ queue: [], asked: true });
  }
  if (pending.shown) {
    step.flyBack(pending.move.source, pending.move.count);
    step.game({ queue: [], lastMove: null });
  }
  if (step.state.settings.interactiveRules || pending.move.source === SPECIAL) {
    refusalNotice(step, message);
  }
  advance(step, now);
}

/** Says which rule refused, as this ruleset has it. @param {Step} step @param {Refusal} message */
function refusalNotice(step, { code, reason }) {
  const ruleset = step.state.game && rulesetOf(step.state, step.state.game.letter);
  const either = code === 'wrong_rank' && ruleset?.steps && ruleset.steps.length > 1;
  step.notice(`refusal.${code}${either ? '_either' : ''}`, 'refusal', { reason, limit: ruleset?.group_limit ?? '' });
}

/** The socket shows no session (any more): it is opened again, then the pending command goes out again. @param {Step} step */
function reopen(step) {
  const { game } = step.state;
  if (!game?.pending) return;
  step.game({ pending: { ...game.pending, sent: false }, asked: true });
  step.send(open(game.session, game.version));
}

/** @param {Uint8Array} a @param {Uint8Array} b */
const sameBytes = (a, b) => a.length === b.length && a.every((byte, index) => byte === b[index]);

/** @param {Step} step @param {Refusal} message */
function notDealt(step, message) {
  const { dealing } = step.state;
  if (!dealing || (message.about instanceof Uint8Array && !sameBytes(message.about, dealing.request))) return;
  if (message.again) {
    step.set({ dealing: { ...dealing, sent: false } });
    return step.effect({ type: 'retry', kind: 'dealing' });
  }
  step.set({ dealing: null, panel: step.state.panel ?? 'new' });
  refusalNotice(step, message);
}

/** A random deal on which nothing was done. @param {Game} game */
const isUntouched = (game) => game.origin === 0 && !game.version && !game.pending && !game.queue.length;

/** @param {Step} step @param {Refusal} message */
function notOpened(step, message) {
  if (message.again) return step.effect({ type: 'retry', kind: 'opening' });
  const { game, opening, offer, covered } = step.state;
  if (!opening && !game) return;
  if (opening && game) {
    // The other game is not to be had: this one goes on.
    step.set({ opening: null });
    step.notice('refusal.no_such_session', 'refusal');
    return step.send(open(game.session, game.version));
  }
  // The socket shows nothing (any more), which says nothing of the game.
  if (game && !opening && message.code === 'no_session') return step.send(open(game.session, game.version));
  step.set({ opening: null });
  if (inRoom(step.state)) return;
  step.effect({ type: 'saveSession', session: null });
  if (game && isUntouched(game) && !offer) {
    // Nothing was played on these cards: others will do.
    step.effect({ type: 'deal', letter: game.letter });
  } else if (game) {
    // The server has lost or ended this game; the board stays to look at.
    step.game({ pending: null, queue: [], asked: false, legal: [] });
    step.set({ panel: 'new' });
    step.notice('notice.game_gone', 'refusal');
  } else if (!offer && !covered) step.effect({ type: 'deal', letter: step.state.settings.lastRuleset });
}
