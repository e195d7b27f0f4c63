/** A client for testing update(): what it is told, what it sends, and a small board to play on. */

import assert from 'node:assert/strict';

import { initialState } from '../../client/js/state.js';
import { update } from '../../client/js/update.js';
import { readFlags } from '../../client/js/wire.js';

/** @typedef {import('../../client/js/types.js').State} State */
/** @typedef {import('../../client/js/types.js').Event} Event */
/** @typedef {import('../../client/js/types.js').Effect} Effect */
/** @typedef {import('../../client/js/types.js').Action} Action */
/** @typedef {import('../../client/js/types.js').Game} Game */
/** @typedef {import('../../client/js/types.js').Move} Move */
/** @typedef {import('../../client/js/types.js').ServerMessage} ServerMessage */
/** @typedef {import('../../client/js/types.js').SnapshotMessage} SnapshotMessage */
/** @typedef {import('../../client/js/types.js').EventMessage} EventMessage */

export const REQUEST = new Uint8Array(16).fill(7);

/** @param {unknown} value */
export function freeze(value) {
  if (value && typeof value === 'object' && !(value instanceof Uint8Array) && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(freeze);
  }
}

/** A client under test: every state is frozen, so a change in place fails. */
export class Client {
  constructor() {
    /** @type {State} */
    this.state = initialState();
    /** @type {Effect[]} */
    this.effects = [];
    this.now = 1000;
  }

  /** @param {Event} event */
  take(event) {
    freeze(this.state);
    const result = update(this.state, event);
    this.state = result.state;
    this.effects.push(...result.effects);
    return this;
  }

  /** @param {Action} action */
  act(action) {
    return this.take({ type: 'act', action, now: (this.now += 10), request: REQUEST });
  }

  /** @param {ServerMessage} message */
  hear(message) {
    return this.take({ type: 'message', message, now: (this.now += 10) });
  }

  /** @param {'open' | 'lost' | 'stopped'} status */
  connection(status, code = 0) {
    return this.take({ type: 'connection', status, code, now: (this.now += 10) });
  }

  /** The messages sent since the last question. */
  sent() {
    const messages = this.effects.flatMap((effect) => (effect.type === 'send' ? [effect.message] : []));
    this.effects = this.effects.filter((effect) => effect.type !== 'send');
    return messages;
  }

  /** @returns {Game} */
  get game() {
    assert.ok(this.state.game);
    return this.state.game;
  }

  get shown() {
    return this.game.board.columns.map(({ down, cards }) => `${down}:${cards.join(',')}`);
  }
}

/** @param {string} text "source count target" */
export const move = (text) => {
  const [source, count, target] = text.split(' ').map(Number);
  return { source, count, target };
};

/** @param {Partial<SnapshotMessage>} [changes] @returns {SnapshotMessage} */
export const snapshot = (changes = {}) => ({
  kind: 'snapshot', session: 's1', version: 4, flags: readFlags(1), score: 15, moves: 4, letter: 'C', code: 'YU1-C-AAAAAAB',
  commitment: null, elapsed: 5000,
  board: {
    columns: [{ down: 0, cards: [12] }, { down: 2, cards: [24, 3, 10] }, { down: 0, cards: [] }, { down: 1, cards: [5, 0] }],
    foundations: [[], [13], [], []], stock: 0, waste: [],
  },
  legal: [move('1 3 0'), move('0 1 2'), move('1 1 3'), move('3 1 16'), move('17 1 3')],
  ranked: 15, origin: 0, counts: false, day: null, first: false, ...changes,
});

/** @param {Partial<EventMessage> & {command: Move}} changes @returns {EventMessage} */
export const event = (changes) => ({
  kind: 'event', version: 5, flags: readFlags(1), score: 20, moves: 5, legal: [], elapsed: null,
  changes: [{ type: 'move', ...changes.command }], ...changes,
});

/** @param {number} command @param {number | Uint8Array | null} about @param {string} code @returns {ServerMessage} */
export const refusal = (command, about, code, again = false) => ({ kind: 'refusal', command, about, code, reason: code, again });

/** A client that shows the snapshot above. @param {Partial<SnapshotMessage>} [changes] */
export function playing(changes) {
  const client = new Client();
  client.take({ type: 'start', session: 's1', offer: null, request: REQUEST }).connection('open').hear(snapshot(changes));
  client.sent();
  return client;
}
