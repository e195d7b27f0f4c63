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

/** A result's own name: nobody ends two games in one instant. @param {Row} row */
export const keyOf = ({ player, ended }) => `${player}:${ended}`;

/** The rows that were not there before. @param {readonly Row[]} before @param {readonly Row[]} after */
export function newRows(before, after) {
  const known = new Set(before.map(keyOf));
  return after.filter((row) => !known.has(keyOf(row)));
}

/** Puts a page that was read after the others beneath them. @param {readonly Row[]} rows @param {readonly Row[]} page */
export const withPage = (rows, page) => [...rows, ...newRows(rows, page)];

/**
 * The first page was read again: what it pushed down follows it, places counted on.
 * @param {readonly Row[]} rows all that are shown @param {readonly Row[]} first the first page as it is now
 * @param {boolean} isAll there is no further page
 * @returns {Row[]}
 */
export function withFirst(rows, first, isAll) {
  if (isAll) return [...first];
  return [...first, ...newRows(first, rows)].map((row, index) => ({ ...row, place: first[0].place + index }));
}
