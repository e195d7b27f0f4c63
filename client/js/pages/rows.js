/** Rows of a leaderboard as data: who is new, and the first page read again put over what is shown. Pure. */

/**
 * @typedef {object} Row
 * @property {number} place
 * @property {string} player
 * @property {string | null} name
 * @property {number} time milliseconds
 * @property {number} score the ranked score
 * @property {number} moves
 * @property {boolean} won
 * @property {string | null} code null while it is hidden
 * @property {number} ended Unix milliseconds
 * @property {string | null} replay a session, null while it is hidden
 */

/** The rows of players who have none among others: each has one, with the best result. @param {readonly Row[]} others @param {readonly Row[]} rows */
function without(others, rows) {
  const known = new Set(others.map(({ player }) => player));
  return rows.filter(({ player }) => !known.has(player));
}

/** The rows with results that were not there before. @param {readonly Row[]} before @param {readonly Row[]} after */
export function newRows(before, after) {
  const known = new Map(before.map(({ player, ended }) => [player, ended]));
  return after.filter(({ player, ended }) => known.get(player) !== ended);
}

/** Puts a page that was read after the others beneath them. @param {readonly Row[]} rows @param {readonly Row[]} page */
export const withPage = (rows, page) => [...rows, ...without(rows, page)];

/**
 * The first page was read again: what it pushed down follows it, places counted on.
 * @param {readonly Row[]} rows all that are shown @param {readonly Row[]} first the first page as it is now
 * @param {boolean} isAll there is no further page
 * @returns {Row[]}
 */
export function withFirst(rows, first, isAll) {
  if (isAll) return [...first];
  return [...first, ...without(first, rows)].map((row, index) => ({ ...row, place: first[0].place + index }));
}
