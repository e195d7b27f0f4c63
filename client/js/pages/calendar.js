/** A month as rows of weeks, Monday first, with what the player made of each day's deal. Pure. */

/**
 * @typedef {{won: boolean, score: number, moves: number, time: number | null}} Mark
 * @typedef {{day: string, open: boolean, over: boolean, mark: Mark | null}} Day
 */

/** @param {string} month 2026-11 @param {number} by @returns {string} */
export function monthAfter(month, by) {
  const [year, number] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, 7);
}

/** @param {string} month @param {readonly Day[]} days those that are known @returns {(Day | null)[][]} weeks of seven; null outside the month */
export function weeksOf(month, days) {
  const [year, number] = month.split('-').map(Number);
  const length = new Date(Date.UTC(year, number, 0)).getUTCDate();
  const before = (new Date(Date.UTC(year, number - 1, 1)).getUTCDay() + 6) % 7;
  const known = new Map(days.map((day) => [day.day, day]));
  /** @type {(Day | null)[]} */
  const cells = Array(before).fill(null);
  for (let date = 1; date <= length; date += 1) {
    const day = `${month}-${String(date).padStart(2, '0')}`;
    cells.push(known.get(day) ?? { day, open: false, over: false, mark: null });
  }
  while (cells.length % 7) cells.push(null);
  return Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(week * 7, week * 7 + 7));
}
