/** The wire contract: message arrays to objects and actions to message arrays. Decides nothing. */

/** @typedef {import('./types.js').Move} Move */
/** @typedef {import('./types.js').Board} Board */
/** @typedef {import('./types.js').Change} Change */
/** @typedef {import('./types.js').Flags} Flags */
/** @typedef {import('./types.js').ServerMessage} ServerMessage */

const PROTOCOL = 1;
export const FOUNDATIONS = 16;
export const STOCK = 24;
export const WASTE = 25;
export const SPECIAL = 255;

/** @type {(source: number, count: number, target: number) => Move} */
const move = (source, count, target) => ({ source, count, target });
export const DRAW = move(STOCK, 1, WASTE);
export const FINISH = move(SPECIAL, 1, 0);
export const UNDO = move(SPECIAL, 2, 0);
export const PAUSE = move(SPECIAL, 3, 0);
export const RESUME = move(SPECIAL, 4, 0);
export const RESIGN = move(SPECIAL, 5, 0);
/** @param {number} column */
export const turnUp = (column) => move(SPECIAL, 7, column);

/** @param {Move} a @param {Move} b */
export const sameMove = (a, b) => a.source === b.source && a.count === b.count && a.target === b.target;

/** A message that is not as the contract says. */
export class ContractError extends Error {}

/** @param {unknown} value */
export function int(value) {
  if (typeof value === 'number' && Number.isInteger(value)) return value;
  throw new ContractError('a whole number was expected');
}

/** @param {unknown} value */
export function string(value) {
  if (typeof value === 'string') return value;
  throw new ContractError('a text was expected');
}

/** @param {unknown} value */
export const optional = (value) => (value === null || value === undefined ? null : string(value));

/** @param {unknown} value */
export function bin(value) {
  if (value instanceof Uint8Array) return value;
  throw new ContractError('bytes were expected');
}

/** @param {unknown} value @returns {unknown[]} */
export function list(value) {
  if (Array.isArray(value)) return value;
  throw new ContractError('an array was expected');
}

/** @param {unknown} bits @returns {Flags} */
export function readFlags(bits) {
  const value = int(bits);
  const has = (/** @type {number} */ bit) => (value & bit) !== 0;
  return { canUndo: has(1), finishable: has(2), blocked: has(4), paused: has(8), won: has(16), givenUp: has(32) };
}

/** One legal move from its two-byte code; null for a code that this client does not know. @param {number} code */
export function readCode(code) {
  if (code < 0x8000) return move((code >> 4) & 15, code >> 8, code & 15);
  if (code < 0xc000) return move((code >> 5) & 31, 1, code & 31);
  if (code >= 0xc000 && code < 0xc010) return turnUp(code & 15);
  return code === 0xe000 ? FINISH : null;
}

/** @param {Uint8Array} bytes @returns {Move[]} */
export function readLegal(bytes) {
  if (bytes.length % 2) throw new ContractError('half a legal move');
  const moves = [];
  for (let i = 0; i < bytes.length; i += 2) {
    const read = readCode((bytes[i] << 8) | bytes[i + 1]);
    if (read) moves.push(read);
  }
  return moves;
}

/**
 * The command and what it changed, in order.
 * @param {Uint8Array} bytes
 * @returns {{command: Move, changes: Change[]}}
 */
export function readChanges(bytes) {
  let at = 0;
  const next = () => {
    if (at >= bytes.length) throw new ContractError('the changes end too early');
    return bytes[at++];
  };
  const command = move(next(), next(), next());
  /** @type {Change[]} */
  const changes = [];
  if (command.source !== SPECIAL) changes.push({ type: 'move', ...command });
  while (at < bytes.length) {
    const first = next();
    if (first <= WASTE) changes.push({ type: 'move', source: first, count: next(), target: next() });
    else if (first >= 128 && first < 144) changes.push({ type: 'up', column: first - 128, card: next() });
    else if (first >= 160 && first < 176) changes.push({ type: 'down', column: first - 160 });
    else if (first === 192) changes.push({ type: 'waste', card: next() });
    else throw new ContractError(`unknown change ${first}`);
  }
  return { command, changes };
}

/** @param {unknown} value @returns {{down: number, cards: number[]}} */
function readColumn(value) {
  const bytes = bin(value);
  if (!bytes.length) throw new ContractError('a column without its first byte');
  return { down: bytes[0], cards: [...bytes.subarray(1)] };
}

/** @param {unknown} columns @param {unknown} foundations @param {unknown} stock @param {unknown} waste @returns {Board} */
export function readBoard(columns, foundations, stock, waste) {
  return {
    columns: list(columns).map(readColumn),
    foundations: list(foundations).map((pile) => [...bin(pile)]),
    stock: int(stock),
    waste: [...bin(waste)],
  };
}

/** @param {unknown} bytes */
export function hex(bytes) {
  if (bytes === null || bytes === undefined) return null;
  return Array.from(bin(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** @param {unknown[]} m @returns {import('./types.js').SnapshotMessage} */
function readSnapshot(m) {
  return {
    kind: 'snapshot',
    session: string(m[1]),
    version: int(m[2]),
    flags: readFlags(m[3]),
    score: int(m[4]),
    moves: int(m[5]),
    letter: string(m[6]),
    code: optional(m[7]),
    commitment: hex(m[8]),
    elapsed: int(m[9]),
    board: readBoard(m[10], m[11], m[12], m[13]),
    legal: readLegal(bin(m[14])),
    ranked: int(m[15]),
    origin: int(m[16]),
    counts: m[17] === true,
    day: optional(m[18]),
    first: m[19] === true,
  };
}

/** @param {unknown} about */
const readAbout = (about) =>
  about instanceof Uint8Array ? about : about === null || about === undefined ? null : int(about);

/**
 * A server message as an object; null when its kind is unknown to this client (to be ignored).
 * @param {unknown} value a decoded frame
 * @returns {ServerMessage | null}
 * @throws {ContractError} a known kind that is not as the contract says
 */
export function readMessage(value) {
  const m = list(value);
  switch (int(m[0])) {
    case 64:
      return {
        kind: 'welcome', protocol: int(m[1]), player: string(m[2]), name: optional(m[3]), time: int(m[4]),
        capabilities: list(m[5]).map(string),
      };
    case 65:
      return readSnapshot(m);
    case 66:
      return {
        kind: 'event', version: int(m[1]), flags: readFlags(m[2]), score: int(m[3]), moves: int(m[4]),
        ...readChanges(bin(m[5])), legal: readLegal(bin(m[6])), elapsed: m[7] == null ? null : int(m[7]),
      };
    case 67:
      return {
        kind: 'refusal', command: int(m[1]), about: readAbout(m[2]), code: string(m[3]), reason: string(m[4]),
        again: m[5] === true,
      };
    case 68:
      return { kind: 'pong', echo: int(m[1]), time: int(m[2]) };
    case 69:
      return { kind: 'confirmed', version: int(m[1]) };
    case 70:
      return { kind: 'left' };
    case 71:
      return { kind: 'notice', code: string(m[1]), text: typeof m[2] === 'string' ? m[2] : null };
    case 72:
      return { kind: 'board', board: optional(m[1]), total: int(m[2]) };
    default:
      return null;
  }
}

export const hello = () => [1, PROTOCOL, [], 'web'];
/** @param {Uint8Array} request @param {number} origin @param {string} text */
export const newGame = (request, origin, text) => [2, request, origin, text];
/** @param {string} session @param {number | null} version */
export const open = (session, version) => [3, session, version];
export const askSnapshot = () => [11];
export const leave = () => [12];
/** @param {number} clock */
export const ping = (clock) => [13, clock];

/** Asks to be told when a leaderboard changes. @param {string | null} board its name as the server gave it */
export const watch = (board) => [14, board];

/** The kinds of the special commands, by their count. @type {Record<number, number>} */
const SPECIAL_KINDS = { 1: 6, 2: 5, 3: 7, 4: 8, 5: 9 };

/** A move or special command made on `version`. @param {Move} command @param {number} version @returns {unknown[]} */
export function command(command, version) {
  const { source, count, target } = command;
  if (source !== SPECIAL) return [4, version, source, count, target];
  if (count === 7) return [10, version, target];
  return [SPECIAL_KINDS[count], version];
}

/** The message kind of a command. @param {Move} move */
export const commandKind = (move) => /** @type {number} */ (command(move, 0)[0]);
