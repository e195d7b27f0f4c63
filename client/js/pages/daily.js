/** The daily deal: today's for each set of rules, what the player made of it, the day's board, and the days before. */

import { request } from '../api.js';
import { h, setText } from '../dom.js';
import { clock, t } from '../i18n.js';
import { boardHref, boardPath, hrefOf } from './address.js';
import { smallList } from './boardrows.js';
import { createCalendar } from './days.js';
import { count, dayAfter, dayName, left, shareText } from './format.js';
import { createAsker, failure, nameOf, play, redraw, rulesetLinks, showCurrent, waiting } from './parts.js';

/** @typedef {import('./address.js').DailyView} DailyView */
/** @typedef {import('../route.js').Context} Context */
/** @typedef {import('./parts.js').Page} Page */
/** @typedef {{session: string, state: 'playing' | 'won' | 'not_won', score: number, moves: number, time: number | null}} Mine */
/** @typedef {{letter: string, commitment: string | null, players: number, mine: Mine | null}} Deal */
/** @typedef {{day: string, ends: number, rulesets: Deal[]}} Today */

/** How many rows of the day's board are shown here. */
const ROWS = 10;

/** @param {Mine} mine */
const resultWords = ({ state, time, score, moves }) =>
  state === 'won' ? t('daily.won', { time: clock(time ?? 0), n: moves }) : t('daily.not_won', { score, n: moves });

/** @param {string} day @param {string} letter @returns {import('./address.js').BoardView} */
const boardOf = (day, letter) => ({ page: 'boards', letter, order: 'best', span: 'day', code: null, day, around: false });

/** Sends the result to friends: by the device's own way, else by the clipboard. @param {Context} context @param {string} text */
async function share(context, text) {
  if (!navigator.share || !matchMedia('(pointer: coarse)').matches) return context.copy(text, 'result');
  try {
    await navigator.share({ text });
  } catch (error) {
    // Closing the sheet is no failure.
    if (!(error instanceof DOMException && error.name === 'AbortError')) context.copy(text, 'result');
  }
}

/** What can be done with today's deal, and what came of it. @param {Context} context @param {Today} today @param {Deal} deal */
function playing(context, today, { letter, mine, players }) {
  const start = (/** @type {string} */ key, /** @type {string} */ kind) =>
    h('button', { type: 'button', class: `button ${kind}`, onclick: () => play(context, 3, letter) }, t(key));
  const others = h('p', { class: 'daily-players' }, players ? t('daily.players', { n: players }) : t('daily.players_none'));
  if (!mine) return [h('div', { class: 'buttons' }, start('daily.play', 'button-gold')), others];
  if (mine.state === 'playing') {
    return [h('p', { class: 'daily-now' }, t('daily.playing')), h('div', { class: 'buttons' }, start('daily.go_on', 'button-gold')), others];
  }
  const text = () => shareText({
    name: nameOf(context.state(), letter), day: today.day, won: mine.state === 'won', score: mine.score, moves: mine.moves, time: mine.time,
    link: new URL(`/daily?ruleset=${letter}`, location.href).href,
  });
  return [
    h('p', { class: `daily-result ${mine.state}` }, h('span', {}, t('daily.yours')), h('strong', {}, resultWords(mine))),
    h('div', { class: 'buttons' },
      h('button', { type: 'button', class: 'button button-gold', onclick: () => share(context, text()) }, t('daily.share')),
      start('daily.practise', '')),
    h('p', { class: 'quiet' }, t('daily.practise_about')), others,
  ];
}

/** What proves later that the deal was this one; there is none before somebody has dealt it. @param {string | null} commitment */
const seal = (commitment) => (commitment ? [h('details', { class: 'day-seal' },
  h('summary', {}, t('daily.seal'), h('code', {}, commitment.slice(0, 12))),
  h('code', { class: 'day-seal-whole' }, commitment), h('p', {}, t('daily.seal_about')))] : []);

/** @param {Context} context @returns {Page} */
export function dailyPage(context) {
  const asker = createAsker();
  const boardAsker = createAsker();
  const yesterdayAsker = createAsker();
  const day = h('p', { class: 'daily-day' });
  const ends = h('p', { class: 'daily-ends' });
  const rulesets = h('div', {});
  const now = h('section', { class: 'daily-now-part' });
  const board = h('section', { class: 'part daily-board' });
  const yesterday = h('section', { class: 'part daily-yesterday' });
  const calendar = createCalendar(context);
  const content = h('div', { class: 'daily-content' }, h('div', { class: 'daily-left' }, now, board), h('div', { class: 'daily-right' }, calendar.element, yesterday));
  const trouble = h('div', {});
  const element = h('article', { class: 'sheet daily' },
    h('div', { class: 'title-line' }, h('h1', { tabindex: -1 }, t('daily.title')), day), ends, rulesets, trouble, content);

  /** @type {DailyView | null} */
  let view = null;
  /** @type {Today | null} */
  let today = null;
  let letters = '';

  const deal = () => today?.rulesets.find(({ letter }) => letter === view?.letter) ?? today?.rulesets[0] ?? null;

  function drawRulesets() {
    if (!view) return;
    const state = context.state();
    letters = state.rulesets.map(({ letter }) => letter).join('');
    const mine = new Map(today?.rulesets.map((one) => [one.letter, one.mine?.state]) ?? []);
    const strip = rulesetLinks(state, view.letter, (letter) => hrefOf({ page: 'daily', letter, month: null }),
      (letter) => (mine.get(letter) ? t(`daily.mark_${mine.get(letter)}`) : ''));
    redraw(rulesets, strip);
    showCurrent(strip);
  }

  function drawNow() {
    const one = deal();
    if (!today || !one) return;
    setText(day, dayName(today.day));
    now.replaceChildren(...playing(context, today, one), ...seal(one.commitment));
    tick();
  }

  function readBoard() {
    const one = deal();
    if (!today || !one) return;
    const shown = boardOf(today.day, one.letter);
    const title = h('h2', {}, h('a', { href: hrefOf(shown) }, t('daily.board')));
    boardAsker.ask(() => request(boardPath(shown)), ({ rows, total }) => {
      const me = context.state().player?.id ?? '';
      board.hidden = !rows.length;
      board.replaceChildren(title, smallList(rows.slice(0, ROWS), context, { order: 'best', me, hasCode: false }),
        h('p', { class: 'part-foot' }, h('a', { href: hrefOf(shown) }, t('daily.board_all'), ` (${count(total)})`)));
    }, () => (board.hidden = true));
    readYesterday(dayAfter(today.day, -1), one.letter);
  }

  /** @param {string} before @param {string} letter */
  function readYesterday(before, letter) {
    yesterdayAsker.ask(() => request(`/api/daily/${letter}/${before}`), ({ code }) => {
      const link = h('a', { href: boardHref({ letter, day: before }) }, t('daily.yesterday_board'));
      yesterday.hidden = !code;
      yesterday.replaceChildren(h('h2', {}, t('daily.yesterday')),
        h('div', { class: 'board-code' }, h('span', { class: 'board-code-text' }, code),
          h('button', { type: 'button', class: 'button', onclick: () => play(context, 1, code) }, t('boards.play_these'))),
        h('p', { class: 'part-foot' }, link));
    }, () => (yesterday.hidden = true));
  }

  function read() {
    asker.ask(async () => {
      await context.ready;
      return /** @type {Promise<Today>} */ (request('/api/daily'));
    }, (answer) => {
      today = answer;
      trouble.replaceChildren();
      content.hidden = false;
      drawRulesets();
      drawNow();
      readBoard();
      if (view) calendar.show(view, today.day);
    }, (error) => {
      content.hidden = true;
      trouble.replaceChildren(failure(error, read));
    });
  }

  function tick() {
    if (!today) return;
    const remaining = today.ends - Date.now();
    setText(ends, t('daily.ends', { left: left(Math.max(0, remaining)) }));
    if (remaining > 0) return;
    today = null;
    read();
  }

  return {
    element,
    title: () => t('daily.title'),
    show(next) {
      const onlyMonth = view && today && view.letter === next.letter && view.month !== next.month;
      view = next;
      if (onlyMonth && today) return calendar.show(next, today.day);
      drawRulesets();
      if (today) drawNow();
      else {
        content.hidden = true;
        trouble.replaceChildren(waiting());
      }
      read();
    },
    hide() {
      for (const each of [asker, boardAsker, yesterdayAsker]) each.forget();
      calendar.forget();
      today = null;
    },
    tick,
    render(state) {
      if (state.rulesets.map(({ letter }) => letter).join('') !== letters) drawRulesets();
    },
    connected() {
      if (view && asker.hasFailed()) read();
    },
  };
}
