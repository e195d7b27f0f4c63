/** The player's days as a calendar, a month at a time, with the streaks beneath. */

import { request } from '../api.js';
import { h } from '../dom.js';
import { clock, t } from '../i18n.js';
import { boardHref, hrefOf } from './address.js';
import { monthAfter, weeksOf } from './calendar.js';
import { count, dayName, monthName } from './format.js';
import { createAsker, fact, mark, redraw } from './parts.js';

/** @typedef {import('./address.js').DailyView} DailyView */
/** @typedef {import('./calendar.js').Day} Day */
/** @typedef {{letter: string, month: string, days: Day[], streaks: {played: number, longest_played: number, won: number, longest_won: number}}} Answer */

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

/** @param {Day} day @param {string} today */
function dayWords({ day, mark: made }, today) {
  const name = dayName(day, 'short');
  if (made) return t(made.won ? 'daily.day_won' : 'daily.day_tried', { day: name, time: clock(made.time ?? 0), n: made.moves, score: made.score });
  return t(day === today ? 'daily.day_today' : 'daily.day_none', { day: name });
}

/** @param {Day | null} day @param {string} today @param {string} letter */
function cell(day, today, letter) {
  if (!day) return h('td', {});
  const number = String(Number(day.day.slice(8)));
  const kind = `day${day.mark ? (day.mark.won ? ' won' : ' tried') : ''}${day.day === today ? ' today' : ''}`;
  const words = dayWords(day, today);
  // A day to come has no board.
  const inside = day.day <= today
    ? h('a', { class: kind, href: boardHref({ letter, day: day.day }), 'aria-label': words, title: words }, number)
    : h('span', { class: `${kind} to-come` }, number);
  return h('td', {}, inside);
}

/** @param {import('../route.js').Context} context */
export function createCalendar(context) {
  const asker = createAsker();
  const element = h('section', { class: 'part calendar', hidden: true });

  /** @param {Answer} answer @param {string} today */
  function draw({ letter, month, days, streaks }, today) {
    const step = (/** @type {number} */ by, /** @type {'back' | 'on'} */ icon, /** @type {string} */ key) =>
      h('a', { class: 'row-action', href: hrefOf({ page: 'daily', letter, month: monthAfter(month, by) }), 'aria-label': t(key) }, mark(icon));
    const isNow = month >= today.slice(0, 7);
    redraw(element,
      h('h2', {}, t('daily.calendar')),
      h('div', { class: 'month' }, step(-1, 'back', 'daily.before'), h('strong', {}, monthName(month)), isNow ? h('span', { class: 'row-action' }) : step(1, 'on', 'daily.after')),
      h('table', { class: 'days', 'aria-label': monthName(month) },
        h('thead', {}, h('tr', {}, ...WEEKDAYS.map((name) => h('th', { scope: 'col' }, t(`daily.${name}`))))),
        h('tbody', {}, ...weeksOf(month, days).map((week) => h('tr', {}, ...week.map((day) => cell(day, today, letter)))))),
      h('h3', {}, t('daily.streaks')),
      h('dl', { class: 'facts' },
        fact(t('daily.played'), count(streaks.played)), fact(t('daily.longest_played'), count(streaks.longest_played)),
        fact(t('daily.won_row'), count(streaks.won)), fact(t('daily.longest_won'), count(streaks.longest_won))));
    element.hidden = false;
  }

  return {
    element,
    forget: asker.forget,
    /** @param {DailyView} view @param {string} today a UTC day */
    show({ letter, month }, today) {
      const wanted = month ?? today.slice(0, 7);
      asker.ask(async () => {
        await context.ready;
        return /** @type {Promise<Answer>} */ (request(`/api/daily/${letter}/calendar?month=${wanted}`));
      }, (answer) => draw(answer, today), () => (element.hidden = true));
    },
  };
}
