/** Numbers, dates and results as people read them. Pure: the present is handed in. */

import { clock, t } from '../i18n.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** @param {Intl.DateTimeFormatOptions} options */
const dates = (options) => new Intl.DateTimeFormat(t('date.language'), options);

/** An instant as short as it is clear: the time today, else the day, with the year where it is another. @param {number} ms @param {number} now Unix milliseconds */
export function when(ms, now) {
  const then = new Date(ms);
  const today = new Date(now);
  if (then.toDateString() === today.toDateString()) return dates({ hour: '2-digit', minute: '2-digit' }).format(then);
  const year = then.getFullYear() === today.getFullYear() ? undefined : 'numeric';
  return dates({ day: 'numeric', month: 'short', year }).format(then);
}

/** An instant in full, for those who ask. @param {number} ms */
export const whenExactly = (ms) => dates({ dateStyle: 'long', timeStyle: 'short' }).format(new Date(ms));

/** A UTC day in words. @param {string} day 2026-11-30 @param {'long' | 'short'} [length] */
export const dayName = (day, length = 'long') =>
  dates({ weekday: length === 'long' ? 'long' : undefined, day: 'numeric', month: 'long', timeZone: 'UTC' }).format(new Date(`${day}T00:00Z`));

/** @param {string} month 2026-11 */
export const monthName = (month) => dates({ month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date(`${month}-01T00:00Z`));

/** The UTC day before or after another. @param {string} day @param {number} by */
export const dayAfter = (day, by) => new Date(Date.parse(`${day}T00:00Z`) + by * 24 * HOUR).toISOString().slice(0, 10);

/** How long something still lasts. @param {number} ms */
export function left(ms) {
  if (ms < MINUTE) return t('left.moment');
  const days = Math.floor(ms / HOUR / 24);
  const hours = Math.floor(ms / HOUR) % 24;
  const minutes = Math.floor(ms / MINUTE) % 60;
  if (days) return t('left.days', { days, hours });
  return hours ? t('left.hours', { hours, minutes }) : t('left.minutes', { minutes });
}

/** 1st, 2nd, 17th. @param {number} n */
export const ordinal = (n) => t(`ordinal.${new Intl.PluralRules(t('date.language'), { type: 'ordinal' }).select(n)}`, { number: count(n) });

/** A number in groups of three. @param {number} n */
export const count = (n) => new Intl.NumberFormat(t('date.language')).format(n);

/** @param {number | null} rate 0 to 1 */
export const percent = (rate) => (rate === null ? '–' : t('percent', { number: Math.round(rate * 100) }));

/** @param {number | null} ms */
export const time = (ms) => (ms === null ? '–' : clock(ms));

/** @param {number | null} n */
export const figure = (n) => (n === null ? '–' : count(n));

/**
 * The result of a day to send to friends: how it went, never a card nor a code.
 * @param {{name: string, day: string, won: boolean, score: number, moves: number, time: number | null, link: string}} result
 */
export function shareText({ name, day, won, score, moves, time: ms, link }) {
  const head = t('daily.share_head', { name, day: dayName(day, 'short') });
  const how = won ? t('daily.share_won', { time: clock(ms ?? 0), n: moves }) : t('daily.share_tried', { score, n: moves });
  return `${head}\n${how}\n${link}`;
}
