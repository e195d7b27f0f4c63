/** Whole games over a connection that does everything a connection can do, at random: no move is lost or doubled. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { findCard, groupCard } from '../../client/js/board.js';
import { initialState } from '../../client/js/state.js';
import { update } from '../../client/js/update.js';
import { PAUSE, RESUME, SPECIAL, STOCK, UNDO } from '../../client/js/wire.js';
import { ModelServer, dealt, legalIn, played, randomOf, viewOf } from './modelserver.js';

/** @typedef {import('../../client/js/types.js').Action} Action */
/** @typedef {import('../../client/js/types.js').Event} Event */
/** @typedef {import('../../client/js/types.js').Move} Move */
/** @typedef {import('../../client/js/types.js').ServerMessage} ServerMessage */
/** @typedef {import('./modelserver.js').Place} Place */

const GAMES = 150;
const STEPS = 150;

/** A browser tab and its connection: what is sent arrives later, in order, or never. */
class Tab {
  /** @param {ModelServer} server @param {Tab[]} tabs all of them, this one included */
  constructor(server, tabs) {
    this.server = server;
    this.tabs = tabs;
    this.state = initialState();
    this.up = /** @type {any[][]} */ ([]);
    this.down = /** @type {ServerMessage[]} */ ([]);
    this.retries = /** @type {('pending' | 'dealing' | 'opening' | 'asking')[]} */ ([]);
    this.open = false;
    this.sessionOpen = false;
    this.take({ type: 'start', session: 's', offer: null, request: new Uint8Array(8) });
    this.connect();
  }

  /** @param {Event} event */
  take(event) {
    const { state, effects } = update(this.state, event);
    this.state = state;
    for (const effect of effects) {
      if (effect.type === 'send') {
        assert.ok(this.open, 'nothing is sent into a lost connection');
        this.up.push(effect.message);
      }
      if (effect.type === 'retry') this.retries.push(effect.kind);
    }
    this.check();
  }

  /** What must hold after every single event. */
  check() {
    const { game } = this.state;
    if (!game) return;
    const { board, confirmed, version, pending, queue } = game;
    assert.ok(this.server.views.get(version)?.has(JSON.stringify(confirmed)), `the confirmed board is one that the server had at ${version}`);
    if (!pending && !queue.length) assert.deepEqual(board, confirmed);
    const seen = [...board.columns.flatMap(({ cards }) => cards), ...board.foundations.flat(), ...board.waste];
    const known = seen.filter((card) => card >= 0);
    assert.equal(new Set(known).size, known.length, 'no card is on the board twice');
    assert.equal(seen.length + board.stock + board.columns.reduce((sum, { down }) => sum + down, 0), 52, 'no card is lost');
    if (this.tabs.length > 1) return;
    const underWay = this.up.filter(([kind]) => kind >= 4 && kind <= 10);
    assert.ok(underWay.length <= 1, 'one command is under way');
  }

  /** @param {Action} action */
  act(action) {
    this.take({ type: 'act', action, now: 0 });
  }

  connect() {
    if (this.open) return;
    this.open = true;
    this.sessionOpen = false;
    this.take({ type: 'connection', status: 'open', now: 0 });
  }

  lose() {
    if (!this.open) return;
    this.open = false;
    this.sessionOpen = false;
    this.up = [];
    this.down = [];
    this.take({ type: 'connection', status: 'lost', now: 0 });
  }

  /** The server reads one message of this tab. @param {'well' | 'before' | 'after' | 'fast'} luck of a command: the store fails before or after it is kept */
  arrive(luck = 'well') {
    const message = this.up.shift();
    if (!message) return;
    const [kind, version] = message;
    const isCommand = kind >= 4 && kind <= 10;
    /** @param {string} code @param {boolean} again @returns {ServerMessage} */
    const refusal = (code, again) => ({ kind: 'refusal', command: kind, about: isCommand ? version : null, code, reason: code, again });
    if (luck === 'fast') return void this.down.push(refusal('too_fast', true));
    if (luck === 'before') return void this.down.push(refusal('unavailable', true));
    if (kind === 3) this.sessionOpen = true;
    if (!this.sessionOpen) return void this.down.push(refusal('no_session', false));
    const { answers, event } = this.server.hear(message);
    if (luck === 'after' && isCommand) this.down.push(refusal('unavailable', true));
    else this.down.push(...answers);
    if (event) for (const tab of this.tabs) if (tab !== this && tab.sessionOpen) tab.down.push(event);
  }

  /** This tab hears one message. */
  hear() {
    const message = this.down.shift();
    if (message) this.take({ type: 'message', message, now: 0 });
  }

  retry() {
    const kind = this.retries.shift();
    if (kind) this.take({ type: 'retry', kind, now: 0 });
  }

  /** Everything that is on its way arrives, and all is well from here on. */
  settle() {
    this.connect();
    for (let rounds = 0; this.up.length || this.down.length || this.retries.length; rounds += 1) {
      assert.ok(rounds < 1000, 'it comes to rest');
      this.arrive();
      this.hear();
      this.retry();
    }
  }

  /** Nothing is under way, and what is shown is what the server has. */
  rests() {
    const { game } = this.state;
    assert.ok(game);
    assert.equal(game.pending, null);
    assert.deepEqual(game.queue, []);
    assert.equal(game.asked, false);
    assert.equal(game.version, this.server.log.length);
    assert.deepEqual(game.board, viewOf(this.server.place.truth));
    assert.deepEqual(game.legal, this.server.counters().legal);
  }
}

/** @param {Move} move @returns {Action} */
const dropOf = ({ source, count, target }) =>
  source === STOCK ? { type: 'draw' } : { type: 'drop', source, count, target, area: target < 16 ? 'tableau' : 'foundations' };

/**
 * A move that the player can make on the board that is shown, and what it is in the game as it will be by then: cards that went
 * home by themselves are not in the group any more.
 * @param {Tab} tab @param {Place} intended @param {(bound: number) => number} random
 * @returns {{shown: Move, meant: Move} | null}
 */
function choose(tab, intended, random) {
  const { game } = tab.state;
  const moves = legalIn(intended.truth);
  if (!game || !moves.length) return null;
  const meant = moves[random(moves.length)];
  if (meant.source === STOCK) return game.board.stock ? { shown: meant, meant } : null;
  const card = groupCard(viewOf(intended.truth), meant.source, meant.count);
  const found = card === null ? null : findCard(game.board, card);
  // A card that only the server knows cannot be taken yet; nor is a place that is another one on the screen meant.
  if (!found || found.pile === meant.target) return null;
  const shown = { source: found.pile, count: found.count, target: meant.target };
  if (found.pile >= 16 && found.count !== 1) return null;
  const same = found.pile === meant.source && found.count === meant.count;
  return same || meant.target < 16 ? { shown, meant } : null;
}

/** One step of what a connection does, well or badly. @param {Tab} tab @param {(bound: number) => number} random */
function weather(tab, random) {
  const luck = /** @type {const} */ (['well', 'well', 'before', 'after', 'fast'])[random(5)];
  [() => tab.arrive(luck), () => tab.arrive(luck), () => tab.hear(), () => tab.hear(), () => tab.retry(),
    () => tab.arrive(), () => tab.hear(), () => tab.connect(), () => random(5) === 0 && tab.lose(),
    () => random(6) === 0 && tab.sessionOpen && tab.down.push(tab.server.snapshot()),
  ][random(10)]();
}

test('one player, any connection: the log is exactly what was played, in order', () => {
  let commands = 0;
  let waited = 0;
  for (let seed = 0; seed < GAMES; seed += 1) {
    const random = randomOf(seed);
    const deal = dealt(random);
    const server = new ModelServer(deal);
    /** @type {Tab[]} */
    const tabs = [];
    const tab = new Tab(server, tabs);
    tabs.push(tab);
    tab.settle();
    /** @type {Move[]} */
    const wanted = [];
    let intended = deal;
    /** @param {Move} move */
    const want = (move) => {
      const outcome = played(intended, move);
      assert.ok(typeof outcome !== 'string');
      intended = outcome.board;
      wanted.push(move);
    };
    for (let step = 0; step < STEPS; step += 1) {
      const { game } = tab.state;
      assert.ok(game);
      if (random(3) || game.queue.length >= 30) {
        weather(tab, random);
        continue;
      }
      // An undo or a pause that is not there yet changes what is on the board: the player looks first.
      const special = game.pending && !game.pending.shown || game.queue.some((waiting) => waiting.type === 'special');
      if (special || (game.asked && wanted.at(-1)?.source === SPECIAL)) {
        weather(tab, random);
        continue;
      }
      if (game.flags.paused) {
        want(RESUME);
        tab.act({ type: 'resume' });
      } else if (random(8) === 0 && intended.undo.length && game.flags.canUndo) {
        want(UNDO);
        tab.act({ type: 'undo' });
      } else if (random(20) === 0) {
        want(PAUSE);
        tab.act({ type: 'pause' });
      } else {
        const choice = choose(tab, intended, random);
        if (!choice) continue;
        if (game.pending) waited += 1;
        want(choice.meant);
        tab.act(dropOf(choice.shown));
      }
    }
    tab.settle();
    assert.deepEqual(server.log, wanted, `seed ${seed}`);
    tab.rests();
    commands += wanted.length;
  }
  assert.ok(commands > GAMES * 10, `the games were played: ${commands}`);
  assert.ok(waited > GAMES, `and moves waited for one another: ${waited}`);
});

test('two tabs, lost events and a store that forgets: both end on the same board, and nothing is played twice', () => {
  let commands = 0;
  for (let seed = 1000; seed < 1000 + GAMES; seed += 1) {
    const random = randomOf(seed);
    const server = new ModelServer(dealt(random));
    /** @type {Tab[]} */
    const tabs = [];
    tabs.push(new Tab(server, tabs), new Tab(server, tabs));
    tabs.forEach((tab) => tab.settle());
    let acts = 0;
    let kept = 0;
    for (let step = 0; step < STEPS * 2; step += 1) {
      const tab = tabs[random(2)];
      const before = server.log.length;
      const { game } = tab.state;
      assert.ok(game);
      if (random(5)) weather(tab, random);
      else if (random(10) === 0) {
        // A foreign event that gets lost on the bus: a gap.
        const lost = tab.down.findIndex((message) => message.kind === 'event' && game.pending?.version !== message.version - 1);
        if (lost >= 0) tab.down.splice(lost, 1);
      } else if (random(30) === 0) {
        server.forget(1 + random(3));
        // After a failover every connection of the worker begins anew.
        tabs.forEach((each) => each.lose());
      } else {
        acts += 1;
        const moves = game.legal.filter((move) => move.source !== SPECIAL);
        const action = /** @type {Action} */ (game.flags.paused && random(3) ? { type: 'resume' } : [
          () => (moves.length ? dropOf(moves[random(moves.length)]) : { type: 'undo' }),
          () => ({ type: 'undo' }), () => ({ type: 'draw' }), () => ({ type: game.flags.paused ? 'resume' : 'pause' }),
          () => ({ type: 'tap', pile: random(6), index: random(8) }), () => ({ type: 'doubleTap', pile: random(6), index: random(8) }),
          () => ({ type: 'drop', source: random(6), count: 1 + random(4), target: random(6), area: 'tableau' }),
        ][Math.max(0, random(14) - 7)]());
        tab.act(action);
      }
      kept += Math.max(0, server.log.length - before);
    }
    // The last events may have been lost as well: what comes next shows the gap.
    for (let round = 0; round < 2; round += 1) {
      tabs.forEach((tab) => tab.lose());
      tabs.forEach((tab) => tab.settle());
    }
    for (let round = 0; round < 3; round += 1) tabs.forEach((tab) => tab.settle());
    tabs.forEach((tab) => tab.rests());
    assert.ok(kept <= acts, `seed ${seed}: ${kept} commands were kept of ${acts}`);
    commands += kept;
  }
  assert.ok(commands > GAMES * 5, `the games were played: ${commands}`);
});
