import assert from 'node:assert/strict';
import { test } from 'node:test';

import { decode, encode } from '../../client/js/msgpack.js';
import { Connection } from '../../client/js/socket.js';

/** @typedef {import('../../client/js/types.js').ServerMessage} ServerMessage */

class FakeSocket {
  constructor() {
    this.binaryType = '';
    /** @type {((event: any) => void) | null} */
    this.onopen = null;
    /** @type {((event: any) => void) | null} */
    this.onmessage = null;
    /** @type {((event: any) => void) | null} */
    this.onclose = null;
    /** @type {((event: any) => void) | null} */
    this.onerror = null;
    /** @type {unknown[]} */
    this.sent = [];
    this.isClosed = false;
    this.readyState = 1;
  }

  /** @param {Uint8Array} data */
  send(data) {
    this.sent.push(decode(data));
  }

  close() {
    this.isClosed = true;
  }

  /** @param {unknown} message */
  hear(message) {
    this.onmessage?.({ data: encode(message).buffer });
  }
}

/** A connection with a clock of its own; timers run only when the clock is moved. */
class World {
  /** @param {import('../../client/js/socket.js').Early | null} [early] */
  constructor(early = null) {
    this.time = 0;
    /** @type {Map<number, {at: number, run: () => void}>} */
    this.timers = new Map();
    /** @type {FakeSocket[]} */
    this.sockets = [];
    /** @type {string[]} */
    this.statuses = [];
    /** @type {ServerMessage[]} */
    this.messages = [];
    this.random = 0.5;
    let serial = 0;
    this.connection = new Connection({
      makeSocket: () => {
        const socket = new FakeSocket();
        this.sockets.push(socket);
        return socket;
      },
      early,
      onMessage: (message) => this.messages.push(message),
      onStatus: (status, code) => this.statuses.push(code ? `${status} ${code}` : status),
      now: () => this.time,
      setTimer: (run, ms) => {
        this.timers.set(++serial, { at: this.time + ms, run });
        return serial;
      },
      clearTimer: (timer) => this.timers.delete(timer),
      random: () => this.random,
    });
  }

  get socket() {
    const socket = this.sockets.at(-1);
    assert.ok(socket);
    return socket;
  }

  /** Lets promises that are ready go on. */
  async settle() {
    for (let i = 0; i < 10; i++) await Promise.resolve();
  }

  /** @param {number} ms */
  async pass(ms) {
    const end = this.time + ms;
    for (;;) {
      const due = [...this.timers].filter(([, timer]) => timer.at <= end).sort(([, a], [, b]) => a.at - b.at)[0];
      if (!due) break;
      this.time = Math.max(this.time, due[1].at);
      this.timers.delete(due[0]);
      due[1].run();
      await this.settle();
    }
    this.time = end;
  }

  async start() {
    this.connection.start();
    await this.settle();
    return this;
  }

  async open() {
    this.socket.onopen?.({});
    this.socket.hear([64, 1, 'p', null, 0, []]);
    await this.settle();
    return this;
  }

  /** @param {number} code */
  async close(code) {
    this.socket.onclose?.({ code });
    await this.settle();
    return this;
  }
}

const started = async () => (await new World().start()).open();

test('says hello before anything else', async () => {
  const world = await started();
  assert.equal(world.socket.binaryType, 'arraybuffer');
  assert.deepEqual(world.socket.sent[0], [1, 1, [], 'web']);
  assert.deepEqual(world.statuses, ['open']);
  assert.equal(world.messages[0].kind, 'welcome');
});

test('what is sent while the status becomes open follows the hello at once', async () => {
  const world = await new World().start();
  world.connection.options.onStatus = () => world.connection.send([3, 's1', 4]);
  await world.open();
  assert.deepEqual(world.socket.sent.slice(0, 2), [[1, 1, [], 'web'], [3, 's1', 4]]);
});

test('nothing is sent while it is not open', async () => {
  const world = await new World().start();
  assert.equal(world.connection.send([11]), false);
  await world.open();
  assert.equal(world.connection.send([11]), true);
});

test('below 4500 it comes back, with full jitter over a doubling time with a ceiling', async () => {
  const world = await started();
  await world.close(4000);
  assert.deepEqual(world.statuses, ['open', 'lost']);
  for (const ceiling of [500, 1000, 2000, 4000, 8000, 15_000, 15_000]) {
    const before = world.sockets.length;
    await world.pass(ceiling * 0.5 - 1);
    assert.equal(world.sockets.length, before);
    await world.pass(1);
    assert.equal(world.sockets.length, before + 1);
    await world.close(1006);
  }
  world.random = 0;
  const before = world.sockets.length;
  await world.pass(15_000);
  await world.close(1006);
  await world.pass(0);
  assert.ok(world.sockets.length >= before + 2);
});

test('a welcome starts the backing off anew', async () => {
  const world = await started();
  for (let i = 0; i < 4; i++) {
    await world.close(1006);
    await world.pass(15_000);
  }
  await world.open();
  await world.close(1006);
  const before = world.sockets.length;
  await world.pass(250);
  assert.equal(world.sockets.length, before + 1);
});

test('from 4500 it stops for good', async () => {
  const world = await started();
  await world.close(4500);
  await world.pass(100_000);
  world.connection.wake();
  await world.settle();
  assert.deepEqual(world.statuses, ['open', 'stopped 4500']);
  assert.equal(world.sockets.length, 1);
});

/** What early.js leaves behind. @param {boolean} greeted @param {unknown[]} heard */
function early(greeted, ...heard) {
  const socket = new FakeSocket();
  return { socket, greeted, heard: heard.map((message) => encode(message).buffer), request: null };
}

test('a socket that is open and greeted is taken over with all that it heard', async () => {
  const began = early(true, [64, 1, 'p', null, 0, []], [68, 0, 5]);
  const world = await new World(began).start();
  assert.deepEqual(world.statuses, ['open']);
  assert.deepEqual(world.messages.map(({ kind }) => kind), ['welcome', 'pong']);
  assert.deepEqual(began.socket.sent, [[13, 0]]);
  began.socket.hear([69, 1]);
  assert.equal(world.messages.length, 3);
  assert.equal(world.sockets.length, 0);
});

test('a socket that is still opening is taken over, and greeted when it opens', async () => {
  const began = early(false);
  const world = await new World(began).start();
  assert.deepEqual(world.statuses, []);
  began.socket.onopen?.({});
  assert.deepEqual(began.socket.sent[0], [1, 1, [], 'web']);
  assert.deepEqual(world.statuses, ['open']);
});

test('a socket that was taken over and is lost is followed by one of our own', async () => {
  for (const greeted of [true, false]) {
    const began = early(greeted);
    const world = await new World(began).start();
    began.socket.onclose?.({ code: 1006 });
    await world.pass(250);
    assert.equal(world.sockets.length, 1);
    await world.open();
    assert.deepEqual(world.socket.sent[0], [1, 1, [], 'web']);
  }
});

test('what was heard before and cannot be read starts the connection over', async (context) => {
  context.mock.method(console, 'error', () => {});
  const world = await new World(early(true, 'nonsense', [64, 1, 'p', null, 0, []])).start();
  assert.deepEqual(world.statuses, ['open', 'lost']);
  assert.equal(world.messages.length, 0);
});

test('back online or seen again: tries at once, and only once', async () => {
  const world = await started();
  for (let i = 0; i < 6; i++) {
    await world.close(1006);
    await world.pass(15_000);
  }
  await world.close(1006);
  const before = world.sockets.length;
  world.connection.wake();
  world.connection.wake();
  await world.settle();
  assert.equal(world.sockets.length, before + 1);
  await world.pass(9_000);
  assert.equal(world.sockets.length, before + 1);
});

test('a connection that seems open is doubted when the page is seen again', async () => {
  const world = await started();
  world.socket.hear([68, 0, 0]);
  world.connection.wake();
  assert.equal(/** @type {unknown[]} */ (world.socket.sent.at(-1))[0], 13);
  await world.pass(3_000);
  assert.ok(world.sockets[0].isClosed);
  assert.deepEqual(world.statuses.slice(0, 2), ['open', 'lost']);
});

test('silence after a ping is a dead connection; any message is life', async () => {
  const world = await started();
  await world.pass(15_000);
  const pings = () => world.socket.sent.filter((message) => /** @type {unknown[]} */ (message)[0] === 13).length;
  assert.equal(pings(), 2);
  await world.pass(7_000);
  world.socket.hear([69, 1]);
  await world.pass(5_000);
  assert.deepEqual(world.statuses, ['open']);
  await world.pass(10_000 + 7_999);
  assert.deepEqual(world.statuses, ['open']);
  await world.pass(1);
  assert.equal(world.statuses[1], 'lost');
});

test('a socket that never opens is given up', async () => {
  const world = await new World().start();
  await world.pass(10_000);
  assert.deepEqual(world.statuses, ['lost']);
  assert.ok(world.sockets[0].isClosed);
});

test('an old socket is not heard any more', async () => {
  const world = await started();
  const old = world.socket;
  const { onmessage, onclose } = old;
  await world.close(1006);
  await world.pass(250);
  await world.open();
  const count = world.messages.length;
  onmessage?.({ data: encode([69, 5]).buffer });
  onclose?.({ code: 4500 });
  assert.equal(world.messages.length, count);
  assert.deepEqual(world.statuses, ['open', 'lost', 'open']);
});

test('a frame that cannot be read starts the connection over', async (context) => {
  context.mock.method(console, 'error', () => {});
  for (const data of [new Uint8Array([0xc1]).buffer, encode([66, 'eight']).buffer]) {
    const world = await started();
    world.socket.onmessage?.({ data });
    assert.deepEqual(world.statuses, ['open', 'lost']);
  }
});

test('unknown kinds are passed over', async () => {
  const world = await started();
  world.socket.hear([199, 1, 2]);
  assert.deepEqual(world.statuses, ['open']);
  assert.equal(world.messages.length, 1);
});

test('the clock: the quickest ping tells how far the server is from ours', async () => {
  const world = await started();
  world.time = 100;
  world.socket.hear([68, 0, 1_000_000 + 50]);
  assert.equal(world.connection.offset, 1_000_000);
  world.time = 1_000;
  world.socket.hear([68, 500, 2_000_000]);
  assert.equal(world.connection.offset, 1_000_000);
  world.time = 2_000;
  world.socket.hear([68, 1_980, 1_000_010 + 1_990]);
  assert.equal(world.connection.offset, 1_000_010);
});

test('the clock is measured a few times close together where an instant matters', async () => {
  const world = await started();
  const pings = () => world.socket.sent.filter((/** @type {any} */ message) => message[0] === 13).length;
  const before = pings();
  world.connection.measure();
  await world.pass(700);
  assert.equal(pings() - before, 4);
});

test('leaving for good closes and stays away', async () => {
  const world = await started();
  world.connection.stop();
  await world.pass(60_000);
  assert.ok(world.socket.isClosed);
  assert.equal(world.sockets.length, 1);
});

test('coming again leaves the socket at once, says so, and opens another', async () => {
  const world = new World();
  world.connection.start();
  world.socket.onopen?.({});
  const first = world.socket;
  world.connection.again();
  assert.equal(first.isClosed, true);
  assert.equal(world.sockets.length, 2);
  world.socket.onopen?.({});
  await world.settle();
  assert.deepEqual(world.statuses, ['open', 'lost', 'open']);
});
