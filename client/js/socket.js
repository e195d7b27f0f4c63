/** Keeps one connection to the server alive: hello, clock, finding out that it is dead, coming back. Knows no game. */

import { decode, encode } from './msgpack.js';
import { hello, ping, readMessage } from './wire.js';

/** @typedef {import('./types.js').ServerMessage} ServerMessage */

const FIRST_DELAY = 500;
const LONGEST_DELAY = 15_000;
const PING_EVERY = 15_000;
/** Nothing at all heard for so long after a ping: the connection is dead. */
const PONG_WITHIN = 8_000;
/** The same when there is a reason for doubt: the page was away or the network changed. */
const PONG_WITHIN_DOUBT = 3_000;
const OPEN_WITHIN = 10_000;
const MEASURES = 4;
const MEASURE_EVERY = 200;
/** Close codes from here on mean: do not come back. */
const STOP = 4500;

/**
 * The part of WebSocket that is used.
 * @typedef {object} Socket
 * @property {string} binaryType
 * @property {((event: any) => void) | null} onopen
 * @property {((event: any) => void) | null} onmessage
 * @property {((event: any) => void) | null} onclose
 * @property {((event: any) => void) | null} onerror
 * @property {(data: Uint8Array<ArrayBuffer>) => void} send
 * @property {(code?: number) => void} close
 *
 * What early.js began: its socket, the frames that came, and whether it said hello.
 * @typedef {{socket: Socket & {readyState: number}, heard: unknown[], greeted: boolean, request: Uint8Array | null}} Early
 *
 * @typedef {object} Options
 * @property {() => Socket} makeSocket
 * @property {Early | null} [early] a socket that is there already
 * @property {(frame: unknown) => ServerMessage | null} [readOther] reads a decoded frame whose kind wire.js does not know
 * @property {(message: ServerMessage) => void} onMessage
 * @property {(status: 'connecting' | 'open' | 'lost' | 'stopped', code: number) => void} onStatus
 * @property {() => number} now milliseconds, never going back
 * @property {(run: () => void, ms: number) => number} setTimer
 * @property {(timer: number) => void} clearTimer
 * @property {() => number} random from 0 to below 1
 */

export class Connection {
  /** @param {Options} options */
  constructor(options) {
    this.options = options;
    /** @type {Socket | null} */
    this.socket = null;
    this.open = false;
    this.stopped = false;
    this.attempts = 0;
    /** Server's Unix milliseconds minus our clock, from the quickest ping so far; null before the first. @type {number | null} */
    this.offset = null;
    this.roundTrip = Infinity;
    /** @type {Map<string, number>} */
    this.timers = new Map();
    this.early = options.early ?? null;
  }

  start() {
    this.stopped = false;
    this.attempts = 0;
    this.connect();
  }

  /** Leaves for good. */
  stop() {
    this.end(1000);
    this.status('stopped', 1000);
  }

  /** Comes back at once with a socket of its own: who this browser is has changed. */
  again() {
    this.end(1000);
    this.status('lost');
    this.start();
  }

  /** Sends a message if the connection is open; says whether it was. @param {unknown[]} message */
  send(message) {
    if (!this.open || !this.socket) return false;
    this.socket.send(encode(message));
    return true;
  }

  /** The browser is online, or the page is seen again: a good moment to try, or to doubt what seems open. */
  wake() {
    if (this.stopped) return;
    if (this.open) this.ping(PONG_WITHIN_DOUBT);
    else if (!this.socket) {
      this.attempts = 0;
      this.connect();
    }
  }

  /** @param {string} name @param {number} ms @param {() => void} run */
  timer(name, ms, run) {
    this.cancel(name);
    this.timers.set(name, this.options.setTimer(() => {
      this.timers.delete(name);
      run();
    }, ms));
  }

  /** @param {string} name */
  cancel(name) {
    const timer = this.timers.get(name);
    if (timer !== undefined) this.options.clearTimer(timer);
    this.timers.delete(name);
  }

  /** @param {'connecting' | 'open' | 'lost' | 'stopped'} status @param {number} [code] */
  status(status, code = 0) {
    this.stopped = status === 'stopped';
    this.options.onStatus(status, code);
  }

  connect() {
    if (this.socket || this.stopped) return;
    this.cancel('retry');
    const { early } = this;
    this.early = null;
    const socket = early?.socket ?? this.options.makeSocket();
    this.socket = socket;
    socket.binaryType = 'arraybuffer';
    // A socket that was given up may still speak: only the current one is heard.
    socket.onopen = () => this.socket === socket && this.opened();
    socket.onmessage = ({ data }) => this.socket === socket && this.heard(data);
    socket.onclose = ({ code }) => this.socket === socket && this.closed(code);
    socket.onerror = null;
    this.timer('open', OPEN_WITHIN, () => this.closed(4002));
    if (!early?.greeted) return;
    this.opened(true);
    for (const data of early.heard) if (this.socket === socket) this.heard(data);
  }

  /** @param {boolean} [greeted] hello was said already */
  opened(greeted = false) {
    this.cancel('open');
    this.open = true;
    if (!greeted) this.send(hello());
    this.status('open');
    this.ping(PONG_WITHIN);
  }

  /** @param {number} within */
  ping(within) {
    this.cancel('ping');
    this.send(ping(Math.round(this.options.now())));
    // An earlier doubt is not put off by a later ping.
    if (!this.timers.has('pong') || within < PONG_WITHIN) this.timer('pong', within, () => this.closed(4001));
  }

  /** A few pings close together, before something that has to happen everywhere at one instant. */
  measure() {
    for (let i = 0; i < MEASURES; i += 1) this.timer(`measure${i}`, i * MEASURE_EVERY, () => this.open && this.ping(PONG_WITHIN));
  }

  /** @param {unknown} data */
  heard(data) {
    if (!(data instanceof ArrayBuffer)) return;
    this.cancel('pong');
    this.timer('ping', PING_EVERY, () => this.ping(PONG_WITHIN));
    let message;
    try {
      const frame = decode(new Uint8Array(data));
      message = readMessage(frame) ?? this.options.readOther?.(frame) ?? null;
    } catch (error) {
      // A frame that cannot be read may have been an event: starting over brings a snapshot.
      console.error(error);
      return this.closed(4001);
    }
    if (message?.kind === 'welcome') this.attempts = 0;
    if (message?.kind === 'pong') this.clock(message.echo, message.time);
    if (message) this.options.onMessage(message);
  }

  /** @param {number} sent our clock when the ping went out @param {number} serverTime */
  clock(sent, serverTime) {
    const now = this.options.now();
    const roundTrip = now - sent;
    // A slow answer says little; but an old best one is forgotten slowly, for clocks drift.
    if (roundTrip > this.roundTrip * 1.5) {
      this.roundTrip *= 1.1;
      return;
    }
    this.roundTrip = roundTrip;
    this.offset = serverTime + roundTrip / 2 - now;
  }

  /** The current socket is gone, or given up. @param {number} code */
  closed(code) {
    this.end(code);
    if (code >= STOP && code < 5000) this.status('stopped', code);
    else this.lost();
  }

  /** @param {number} code */
  end(code) {
    for (const name of [...this.timers.keys()]) this.cancel(name);
    const socket = this.socket;
    this.socket = null;
    this.open = false;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    try {
      socket.close(code === 1000 ? 1000 : undefined);
    } catch {
      // It was closed already.
    }
  }

  lost() {
    if (this.stopped) return;
    // Full jitter: after a restart of the server not everybody comes in the same moment.
    const ceiling = Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** this.attempts);
    this.attempts += 1;
    this.timer('retry', Math.round(this.options.random() * ceiling), () => this.connect());
    this.status('lost');
  }
}
