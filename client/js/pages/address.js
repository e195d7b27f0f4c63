/** Addresses of the pages: what an address shows, the address of what is shown, and the request behind it. Pure. */

export const ORDERS = /** @type {const} */ (['best', 'moves']);
export const SPANS = /** @type {const} */ (['day', 'week', 'all']);

/**
 * A leaderboard: of a ruleset over a span, of one deal (`code`), or of a day's deal (`day`, with its ruleset's letter).
 * @typedef {object} BoardView
 * @property {'boards'} page
 * @property {string} letter
 * @property {typeof ORDERS[number]} order
 * @property {typeof SPANS[number]} span
 * @property {string | null} code
 * @property {string | null} day
 * @property {boolean} around the rows around mine instead of the first ones
 *
 * @typedef {{page: 'daily', letter: string, month: string | null}} DailyView
 * @typedef {{page: 'me', letter: string | null}} MeView
 * @typedef {{page: 'replay', session: string}} ReplayView
 * @typedef {{page: 'transfer', secret: string | null}} TransferView
 * @typedef {BoardView | DailyView | MeView | ReplayView | TransferView} View
 */

/** @template {string} T @param {readonly T[]} known @param {string | null} value @returns {T} the first where it is none of them */
const oneOf = (known, value) => known.find((each) => each === value) ?? known[0];

/** @param {string | null} value @param {string} otherwise */
const letterOf = (value, otherwise) => (value && /^[A-Z]$/i.test(value) ? value.toUpperCase() : otherwise);

/** @param {string} part of an address; one that is not well written stands for itself */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** @param {URLSearchParams} query @param {string} letter @returns {BoardView} */
function boardView(query, letter) {
  const daily = /^([A-Z]):(\d{4}-\d{2}-\d{2})$/.exec(query.get('daily') ?? '');
  const code = query.get('code');
  return {
    page: 'boards',
    letter: daily?.[1] ?? (/^yu1[\s-]*([a-z])/i.exec(code ?? '')?.[1].toUpperCase() || letterOf(query.get('ruleset'), letter)),
    order: oneOf(ORDERS, query.get('order')),
    span: oneOf(SPANS, query.get('window')),
    code: daily ? null : code,
    day: daily?.[2] ?? null,
    around: query.get('place') === 'mine',
  };
}

/**
 * What an address shows; null where it is none of a page.
 * @param {{pathname: string, search: string, hash: string}} location
 * @param {string} letter the ruleset where the address names none
 * @returns {View | null}
 */
export function viewOf({ pathname, search, hash }, letter) {
  const query = new URLSearchParams(search);
  const [, page, rest = ''] = pathname.split('/');
  switch (page) {
    case 'boards': return boardView(query, letter);
    case 'daily': return { page, letter: letterOf(query.get('ruleset'), letter), month: /^\d{4}-\d{2}$/.exec(query.get('month') ?? '')?.[0] ?? null };
    case 'me': return { page, letter: query.has('ruleset') ? letterOf(query.get('ruleset'), letter) : null };
    case 'replay': return { page, session: decoded(rest) };
    case 'transfer': return { page, secret: hash.length > 1 ? hash.slice(1) : null };
    default: return null;
  }
}

/** @param {View} view @returns {string} the address that shows the same again; never with a secret */
export function hrefOf(view) {
  /** @type {Record<string, string>} */
  const query = {};
  switch (view.page) {
    case 'boards':
      if (view.code) query.code = view.code;
      else if (view.day) query.daily = `${view.letter}:${view.day}`;
      else query.ruleset = view.letter;
      query.order = view.order;
      if (!view.code && !view.day) query.window = view.span;
      if (view.around) query.place = 'mine';
      break;
    case 'daily':
      query.ruleset = view.letter;
      if (view.month) query.month = view.month;
      break;
    case 'me':
      if (view.letter) query.ruleset = view.letter;
      break;
    case 'replay': return `/replay/${encodeURIComponent(view.session)}`;
    case 'transfer': break;
  }
  // A colon is allowed in a query, and reads better so.
  const search = new URLSearchParams(query).toString().replaceAll('%3A', ':');
  return `/${view.page}${search && `?${search}`}`;
}

/** The request for the rows of a board. @param {BoardView} view */
export function boardPath({ letter, order, span, code, day }) {
  if (code) return `/api/boards/code/${encodeURIComponent(code)}/${order}`;
  return `/api/boards/${day ? `daily/${letter}/${day}` : `${letter}/${span}`}/${order}`;
}

/** A board's address. @param {Partial<BoardView>} changes */
export const boardHref = (changes) =>
  hrefOf({ page: 'boards', letter: 'C', order: 'best', span: 'day', code: null, day: null, around: false, ...changes });
