/** MessagePack: bytes to values and back. Knows nothing of what the values mean. */

const MAX_DEPTH = 32;
const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const utf8 = new TextEncoder();

/** Bytes that are not one whole MessagePack value. */
export class MalformedError extends Error {}

/** An extension value (a timestamp is type -1), kept as it came. */
export class Extension {
  /** @param {number} type @param {Uint8Array} data */
  constructor(type, data) {
    this.type = type;
    this.data = data;
  }
}

class Reader {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = 0;
  }

  /** Moves on by `size` bytes and gives the place they begin. @param {number} size */
  take(size) {
    const start = this.at;
    if (size > this.bytes.length - start) throw new MalformedError('the bytes end too early');
    this.at = start + size;
    return start;
  }

  /** @param {number} size 1, 2 or 4 bytes */
  unsigned(size) {
    const start = this.take(size);
    if (size === 1) return this.view.getUint8(start);
    return size === 2 ? this.view.getUint16(start) : this.view.getUint32(start);
  }

  /** @param {number} size */
  binary(size) {
    const start = this.take(size);
    return this.bytes.slice(start, start + size);
  }

  /** @param {number} size */
  string(size) {
    const start = this.take(size);
    try {
      return text.decode(this.bytes.subarray(start, start + size));
    } catch {
      throw new MalformedError('a text is not UTF-8');
    }
  }

  /** @param {number} size @param {number} depth @returns {unknown[]} */
  array(size, depth) {
    // Every item takes at least one byte: a false length must not make a huge array.
    if (size > this.bytes.length - this.at) throw new MalformedError('the bytes end too early');
    const items = [];
    for (let i = 0; i < size; i++) items.push(this.value(depth + 1));
    return items;
  }

  /** @param {number} size @param {number} depth */
  map(size, depth) {
    if (size * 2 > this.bytes.length - this.at) throw new MalformedError('the bytes end too early');
    /** @type {Map<unknown, unknown>} */
    const map = new Map();
    for (let i = 0; i < size; i++) {
      const key = this.value(depth + 1);
      map.set(key, this.value(depth + 1));
    }
    return map;
  }

  /** @param {number} size */
  extension(size) {
    const type = this.view.getInt8(this.take(1));
    return new Extension(type, this.binary(size));
  }

  /** @param {number} depth @returns {unknown} */
  value(depth) {
    if (depth > MAX_DEPTH) throw new MalformedError('nested too deeply');
    const head = this.unsigned(1);
    if (head < 0x80) return head;
    if (head < 0x90) return this.map(head & 0x0f, depth);
    if (head < 0xa0) return this.array(head & 0x0f, depth);
    if (head < 0xc0) return this.string(head & 0x1f);
    if (head >= 0xe0) return head - 0x100;
    switch (head) {
      case 0xc0: return null;
      case 0xc2: return false;
      case 0xc3: return true;
      case 0xc4: case 0xc5: case 0xc6: return this.binary(this.unsigned(1 << (head - 0xc4)));
      case 0xc7: case 0xc8: case 0xc9: return this.extension(this.unsigned(1 << (head - 0xc7)));
      case 0xca: return this.view.getFloat32(this.take(4));
      case 0xcb: return this.view.getFloat64(this.take(8));
      case 0xcc: case 0xcd: case 0xce: return this.unsigned(1 << (head - 0xcc));
      case 0xcf: return exact(this.view.getBigUint64(this.take(8)));
      case 0xd0: return this.view.getInt8(this.take(1));
      case 0xd1: return this.view.getInt16(this.take(2));
      case 0xd2: return this.view.getInt32(this.take(4));
      case 0xd3: return exact(this.view.getBigInt64(this.take(8)));
      case 0xd4: case 0xd5: case 0xd6: case 0xd7: case 0xd8: return this.extension(1 << (head - 0xd4));
      case 0xd9: case 0xda: case 0xdb: return this.string(this.unsigned(1 << (head - 0xd9)));
      case 0xdc: case 0xdd: return this.array(this.unsigned(head === 0xdc ? 2 : 4), depth);
      case 0xde: case 0xdf: return this.map(this.unsigned(head === 0xde ? 2 : 4), depth);
      default: throw new MalformedError('a byte that MessagePack never uses');
    }
  }
}

/** A number where that is exact, else the bigint. @param {bigint} big */
function exact(big) {
  const number = Number(big);
  return Number.isSafeInteger(number) ? number : big;
}

/**
 * One value from bytes: null, booleans, numbers (bigint beyond the safe integers), strings, Uint8Array, arrays, Map, Extension.
 * @param {Uint8Array} bytes
 * @returns {unknown}
 * @throws {MalformedError} malformed, truncated, too deep, or with bytes left over
 */
export function decode(bytes) {
  const reader = new Reader(bytes);
  const value = reader.value(0);
  if (reader.at !== bytes.length) throw new MalformedError('bytes are left over');
  return value;
}

class Writer {
  constructor() {
    this.bytes = new Uint8Array(64);
    this.view = new DataView(this.bytes.buffer);
    this.at = 0;
  }

  /** Makes room for `size` bytes and gives the place they begin. @param {number} size */
  room(size) {
    const start = this.at;
    this.at += size;
    if (this.at > this.bytes.length) {
      const grown = new Uint8Array(this.at * 2);
      grown.set(this.bytes);
      this.bytes = grown;
      this.view = new DataView(grown.buffer);
    }
    return start;
  }

  /** @param {number} head @param {number} size of the number: 0, 1, 2 or 4 bytes @param {number} [number] */
  head(head, size = 0, number = 0) {
    const start = this.room(1 + size);
    this.view.setUint8(start, head);
    if (size === 1) this.view.setUint8(start + 1, number);
    else if (size === 2) this.view.setUint16(start + 1, number);
    else if (size === 4) this.view.setUint32(start + 1, number);
  }

  /** @param {number} length @param {[number, number][]} heads [greatest length for a one-byte head or 0, that head], then 1, 2, 4 byte heads */
  length(length, heads) {
    const [fix, one, two, four] = heads;
    if (length <= fix[0]) this.head(fix[1] | length);
    else if (one[0] && length < 0x100) this.head(one[1], 1, length);
    else if (length < 0x10000) this.head(two[1], 2, length);
    else this.head(four[1], 4, length);
  }

  /** @param {Uint8Array} raw */
  raw(raw) {
    const start = this.room(raw.length);
    this.bytes.set(raw, start);
  }

  /** @param {bigint} big */
  big(big) {
    if (big < -0x8000000000000000n || big > 0xffffffffffffffffn) throw new RangeError('an integer beyond 64 bits');
    const start = this.room(9);
    this.view.setUint8(start, big < 0n ? 0xd3 : 0xcf);
    if (big < 0n) this.view.setBigInt64(start + 1, big);
    else this.view.setBigUint64(start + 1, big);
  }

  /** @param {number} number */
  number(number) {
    if (!Number.isSafeInteger(number) || Object.is(number, -0)) {
      const start = this.room(9);
      this.view.setUint8(start, 0xcb);
      this.view.setFloat64(start + 1, number);
    } else if (number >= 0) {
      if (number < 0x80) this.head(number);
      else if (number < 0x100) this.head(0xcc, 1, number);
      else if (number < 0x10000) this.head(0xcd, 2, number);
      else if (number < 0x100000000) this.head(0xce, 4, number);
      else this.big(BigInt(number));
    } else if (number >= -0x20) this.head(number & 0xff);
    else if (number >= -0x80) this.head(0xd0, 1, number);
    else if (number >= -0x8000) this.head(0xd1, 2, number);
    else if (number >= -0x80000000) this.head(0xd2, 4, number);
    else this.big(BigInt(number));
  }

  /** @param {unknown} value @param {number} depth */
  value(value, depth) {
    if (depth > MAX_DEPTH) throw new RangeError('nested too deeply');
    if (value === null || value === undefined) this.head(0xc0);
    else if (typeof value === 'boolean') this.head(value ? 0xc3 : 0xc2);
    else if (typeof value === 'number') this.number(value);
    else if (typeof value === 'bigint') {
      const number = exact(value);
      if (typeof number === 'number') this.number(number);
      else this.big(value);
    } else if (typeof value === 'string') {
      const raw = utf8.encode(value);
      this.length(raw.length, [[31, 0xa0], [1, 0xd9], [1, 0xda], [1, 0xdb]]);
      this.raw(raw);
    } else if (value instanceof Uint8Array) {
      this.length(value.length, [[-1, 0], [1, 0xc4], [1, 0xc5], [1, 0xc6]]);
      this.raw(value);
    } else if (Array.isArray(value)) {
      this.length(value.length, [[15, 0x90], [0, 0], [1, 0xdc], [1, 0xdd]]);
      for (const item of value) this.value(item, depth + 1);
    } else if (value instanceof Map) {
      this.length(value.size, [[15, 0x80], [0, 0], [1, 0xde], [1, 0xdf]]);
      for (const [key, item] of value) {
        this.value(key, depth + 1);
        this.value(item, depth + 1);
      }
    } else throw new TypeError(`MessagePack has no place for ${typeof value}`);
  }
}

/**
 * Bytes of one value, as short as they can be, the same that Python's msgpack.packb makes.
 * @param {unknown} value null, boolean, number, bigint, string, Uint8Array, array or Map
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function encode(value) {
  const writer = new Writer();
  writer.value(value, 0);
  return writer.bytes.slice(0, writer.at);
}
