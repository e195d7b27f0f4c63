import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { Extension, MalformedError, decode, encode } from '../../client/js/msgpack.js';

/** @type {{type: string, value: any, bytes: string}[]} what Python's msgpack makes; test_msgpack_vectors.py proves it */
const vectors = JSON.parse(readFileSync(new URL('msgpack_vectors.json', import.meta.url), 'utf8'));

/** @param {string} hex */
const fromHex = (hex) => new Uint8Array(Buffer.from(hex, 'hex'));
/** @param {Uint8Array} bytes */
const toHex = (bytes) => Buffer.from(bytes).toString('hex');
/** As the vectors shorten long bytes. @param {Uint8Array} bytes */
const shortened = (bytes) => (bytes.length <= 600 ? toHex(bytes) : `${toHex(bytes.subarray(0, 40))}…${bytes.length}`);

/** @param {unknown} value @returns {unknown} JSON with objects as Maps */
function mapped(value) {
  if (Array.isArray(value)) return value.map(mapped);
  if (value && typeof value === 'object') return new Map(Object.entries(value).map(([key, item]) => [key, mapped(item)]));
  return value;
}

/** The value that a vector tells of. @param {{type: string, value: any}} vector @returns {unknown} */
function meant({ type, value }) {
  switch (type) {
    case 'int': {
      const big = BigInt(value);
      return Number.isSafeInteger(Number(big)) ? Number(big) : big;
    }
    case 'str': return value.repeat.repeat(value.times);
    case 'bin': return Uint8Array.from({ length: value }, (_, i) => i % 251);
    case 'array': return Array.from({ length: value }, (_, i) => i % 3);
    case 'map': return new Map(Array.from({ length: value }, (_, i) => [i, i % 2 === 0]));
    case 'ext': return new Extension(value.type, new Uint8Array(value.size));
    default: return mapped(value);
  }
}

test('the vectors cover every kind of value', () => {
  const kinds = new Set(vectors.map(({ type }) => type));
  for (const kind of ['nil', 'bool', 'int', 'float', 'str', 'bin', 'array', 'map', 'ext', 'single', 'json']) assert.ok(kinds.has(kind), kind);
});

for (const vector of vectors) {
  const name = `${vector.type} ${JSON.stringify(vector.value)}`;
  if (!vector.bytes.includes('…')) {
    test(`reads what Python wrote: ${name}`, () => assert.deepEqual(decode(fromHex(vector.bytes)), meant(vector)));
  }
  if (vector.type === 'ext' || vector.type === 'single') continue;
  test(`writes what Python writes, and reads it back: ${name}`, () => {
    const bytes = encode(meant(vector));
    assert.equal(shortened(bytes), vector.bytes);
    assert.deepEqual(decode(bytes), meant(vector));
  });
}

test('long extensions are read', () => {
  for (const [head, size] of [['c80100', 256], ['c900010000', 65536]]) {
    const bytes = Buffer.concat([Buffer.from(`${head}05`, 'hex'), Buffer.alloc(Number(size), 9)]);
    const read = decode(new Uint8Array(bytes));
    assert.ok(read instanceof Extension);
    assert.equal(read.type, 5);
    assert.equal(read.data.length, size);
  }
});

test('bytes are copies: a later change of the frame does not reach them', () => {
  const frame = fromHex('c4020102');
  const read = decode(frame);
  frame[2] = 99;
  assert.deepEqual(read, new Uint8Array([1, 2]));
});

test('a view into a larger buffer is read from its own beginning', () => {
  const whole = fromHex('ffff93010203ffff');
  assert.deepEqual(decode(whole.subarray(2, 6)), [1, 2, 3]);
});

test('every truncation of every vector is an error', () => {
  for (const { bytes } of vectors) {
    if (bytes.includes('…')) continue;
    const whole = fromHex(bytes);
    for (let end = 0; end < whole.length; end++) assert.throws(() => decode(whole.subarray(0, end)), MalformedError);
  }
});

test('malformed bytes are errors', () => {
  for (const [hex, why] of [
    ['c1', 'never used'],
    ['c0c0', 'left over'],
    ['a1ff', 'not UTF-8'],
    ['ddffffffff', 'a false length of an array'],
    ['dfffffffff', 'a false length of a map'],
    ['c6ffffffff00', 'a false length of bytes'],
    ['91'.repeat(40) + 'c0', 'too deep'],
    ['81'.repeat(40) + 'c0', 'too deep in keys'],
  ]) assert.throws(() => decode(fromHex(hex)), MalformedError, why);
});

test('random bytes give a value or a MalformedError, nothing else', () => {
  let seed = 12345;
  const next = () => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) >> 16;
  for (let round = 0; round < 3000; round++) {
    const bytes = Uint8Array.from({ length: next() % 40 }, () => next() & 255);
    try {
      decode(bytes);
    } catch (error) {
      assert.ok(error instanceof MalformedError, String(error));
    }
  }
});

test('what MessagePack has no place for is refused when writing', () => {
  assert.throws(() => encode(2n ** 64n), RangeError);
  assert.throws(() => encode(-(2n ** 63n) - 1n), RangeError);
  assert.throws(() => encode(() => 1), TypeError);
  /** @type {unknown[]} */
  let deep = [];
  for (let i = 0; i < 40; i++) deep = [deep];
  assert.throws(() => encode(deep), RangeError);
});
