/** The leaderboards: which one is shown, its rows read page by page, and kept as they are while others play. */

import { request } from '../api.js';
import { h, setText } from '../dom.js';
import { t } from '../i18n.js';
import { watch } from '../wire.js';
import { ORDERS, SPANS, boardPath, hrefOf } from './address.js';
import { createRowList } from './boardrows.js';
import { count, dayName, left, ordinal } from './format.js';
import { choices, createAsker, createVoice, failure, play, redraw, rulesetLinks, showCurrent, waiting } from './parts.js';
import { newRows, withFirst, withPage } from './rows.js';

/** @typedef {import('./address.js').BoardView} BoardView */
/** @typedef {import('./rows.js').Row} Row */
/** @typedef {import('../route.js').Context} Context */
/** @typedef {import('./parts.js').Page} Page */
/** @typedef {{board: string, total: number, rows: Row[], next?: string | null, ends?: number | null, place?: number | null}} Answer */

/** Whoever plays fast on a full board: it is read again no more often than this, in milliseconds. */
const READ_EVERY = 1000;
/** Rows that were read longer ago than this are read again when the connection comes back, in milliseconds. */
const AWAY = 5000;

/** @param {BoardView} view */
const kindOf = ({ code, day }) => (code ? 'code' : day ? 'daily' : 'ruleset');

/** @param {BoardView} view */
function titleOf({ code, day }) {
  if (code) return t('boards.title_code');
  return day ? t('boards.title_daily', { day: dayName(day, 'short') }) : t('boards.title');
}

/** The choices above the rows. @param {BoardView} view @param {import('../types.js').State} state @returns {HTMLElement[]} */
function heads(view, state) {
  const href = (/** @type {Partial<BoardView>} */ changes) => hrefOf({ ...view, around: false, ...changes });
  const orders = ORDERS.map((order) => ({ text: t(`boards.${order}`), href: href({ order }), isCurrent: order === view.order }));
  const spans = SPANS.map((span) => ({ text: t(`boards.${span}`), href: href({ span }), isCurrent: span === view.span }));
  const switches = h('div', { class: 'switchers' }, choices('switcher', t('boards.order'), orders),
    kindOf(view) === 'ruleset' && choices('switcher', t('boards.window'), spans));
  if (kindOf(view) === 'code') return [switches];
  return [rulesetLinks(state, view.letter, (letter) => href({ letter })), switches];
}

/** What stands where there are no rows. @param {BoardView} view @param {Context} context */
function empty(view, context) {
  const kind = kindOf(view);
  const { span, letter, code } = view;
  const title = kind === 'ruleset' && span !== 'all' ? t(`boards.empty_${span}`) : t('boards.empty');
  const about = kind === 'ruleset' ? t('boards.empty_about') : t(`boards.empty_${kind}`);
  const go = kind === 'daily'
    ? h('a', { class: 'button button-gold', href: `/daily?ruleset=${letter}` }, t('boards.play_daily'))
    : h('button', { type: 'button', class: 'button button-gold', onclick: () => (code ? play(context, 1, code) : play(context, 2, letter)) },
      t(code ? 'boards.play_these' : 'boards.play_ranked'));
  return h('div', { class: 'page-empty' }, h('h2', {}, title), h('p', {}, view.order === 'moves' ? t('boards.empty_moves') : about), go);
}

/** @param {Context} context @returns {Page} */
export function boardsPage(context) {
  const asker = createAsker();
  const mineAsker = createAsker();
  const voice = createVoice();
  const list = createRowList(context);
  const title = h('h1', { tabindex: -1 });
  const about = h('p', { class: 'page-about' });
  const codeLine = h('div', { class: 'board-code', hidden: true });
  const head = h('div', { class: 'board-head' });
  const total = h('span', {});
  const ends = h('span', {});
  const live = h('span', { class: 'live', title: t('boards.live_about'), hidden: true }, t('boards.live'));
  const you = h('a', { class: 'board-you', hidden: true });
  const content = h('div', { class: 'board-content' });
  const more = h('button', { type: 'button', class: 'button board-more', hidden: true, onclick: () => readMore() }, t('page.more'));
  const element = h('article', { class: 'sheet boards' }, title, about, codeLine, head,
    h('p', { class: 'board-line' }, h('span', { class: 'board-facts' }, total, ends, live), you), content, more, voice.element);

  /** @type {BoardView | null} */
  let view = null;
  /** @type {Answer | null} what was read first, with all rows since */
  let shown = null;
  let rulesets = '';
  let watched = '';
  let answered = false;
  let readAt = 0;
  let again = 0;

  /** @param {boolean} on */
  function watchBoard(on) {
    const board = on ? shown?.board ?? '' : '';
    if (!board && !watched) return;
    watched = board;
    answered = false;
    live.hidden = true;
    context.send(watch(board || null));
  }

  function drawHead() {
    if (!view) return;
    const state = context.state();
    rulesets = state.rulesets.map(({ letter }) => letter).join('');
    redraw(head, ...heads(view, state));
    const strip = head.querySelector('.strip');
    if (strip instanceof HTMLElement) showCurrent(strip);
  }

  /** @param {Row[]} fresh rows that came while one looked */
  function drawRows(fresh) {
    if (!view || !shown) return;
    content.classList.remove('stale');
    setText(total, t('boards.total', { n: shown.total, number: count(shown.total) }));
    more.hidden = !shown.next;
    if (!shown.rows.length) return content.replaceChildren(empty(view, context));
    list.draw(shown.rows, { order: view.order, me: context.state().player?.id ?? '', fresh, hasCode: !view.code });
    if (!list.element.isConnected) content.replaceChildren(list.element);
  }

  /** @param {unknown} error */
  const failed = (error) => {
    more.hidden = true;
    content.classList.remove('stale');
    setText(total, '');
    setText(ends, '');
    content.replaceChildren(failure(error, () => view && show(view)));
  };

  /** Reads the page from its start, or its first rows again. @param {boolean} isAgain */
  function read(isAgain) {
    if (!view) return;
    const { around } = view;
    const path = boardPath(view);
    readAt = performance.now();
    asker.ask(async () => {
      if (around) await context.ready;
      return /** @type {Promise<Answer>} */ (request(around ? `${path}/me` : path));
    }, (answer) => {
      const before = shown?.rows ?? [];
      const rows = isAgain && !around ? withFirst(before, answer.rows, !answer.next) : answer.rows;
      // The cursor of the last page that was read still goes on where that page ended.
      const next = isAgain && rows.length > answer.rows.length ? shown?.next : answer.next;
      shown = { ...answer, rows, next };
      const fresh = isAgain ? newRows(before, answer.rows) : [];
      drawRows(fresh);
      if (fresh.length === 1) voice.say(t('boards.new_one', { name: fresh[0].name ?? t('boards.no_name'), place: ordinal(fresh[0].place) }));
      else if (fresh.length) voice.say(t('boards.new_many', { n: fresh.length }));
      if (watched !== answer.board) watchBoard(true);
      tick();
    }, (error) => {
      if (!isAgain) failed(error);
    });
    readMine(path, around);
  }

  /** @param {string} path @param {boolean} around */
  function readMine(path, around) {
    mineAsker.ask(async () => {
      await context.ready;
      return /** @type {Promise<Answer>} */ (request(`${path}/me`));
    }, ({ place, total: all }) => {
      you.hidden = place == null;
      if (place == null || !view) return;
      you.href = hrefOf({ ...view, around: !around });
      you.replaceChildren(h('strong', {}, t('boards.you', { place: ordinal(place), total: count(all) })),
        h('span', {}, t(around ? 'boards.you_top' : 'boards.you_show')));
    }, () => (you.hidden = true));
  }

  async function readMore() {
    if (!view || !shown?.next) return;
    more.disabled = true;
    const cursor = shown.next;
    asker.ask(() => request(`${boardPath(/** @type {BoardView} */ (view))}?cursor=${encodeURIComponent(cursor)}`), (answer) => {
      more.disabled = false;
      if (!shown) return;
      const first = shown.rows.length;
      shown = { ...shown, next: answer.next, rows: withPage(shown.rows, answer.rows) };
      drawRows([]);
      list.focus(first);
    }, () => {
      more.disabled = false;
      context.notice('page.failed', 'refusal');
    });
  }

  /** @param {BoardView} next */
  function show(next) {
    const isSame = view && shown && hrefOf({ ...view, around: false }) === hrefOf({ ...next, around: false });
    view = next;
    setText(title, titleOf(view));
    const kind = kindOf(view);
    setText(about, t(kind === 'ruleset' ? 'boards.about' : `boards.about_${kind}`));
    drawCode(view.code);
    drawHead();
    if (!isSame) {
      you.hidden = true;
      content.classList.add('stale');
      if (!content.firstChild) content.replaceChildren(waiting());
    }
    shown = null;
    more.hidden = true;
    read(false);
  }

  /** @param {string | null} code */
  function drawCode(code) {
    codeLine.hidden = !code;
    if (!code) return;
    codeLine.replaceChildren(h('span', { class: 'board-code-text' }, code),
      h('button', { type: 'button', class: 'button', onclick: () => play(context, 1, code) }, t('boards.play_these')));
  }

  function tick() {
    const remaining = shown?.ends ? shown.ends - Date.now() : null;
    setText(ends, remaining === null || remaining <= 0 ? '' : t('boards.ends', { left: left(remaining) }));
  }

  return {
    element,
    title: () => (view ? titleOf(view) : t('boards.title')),
    show,
    hide() {
      watchBoard(false);
      clearTimeout(again);
      again = 0;
      asker.forget();
      mineAsker.forget();
      view = shown = null;
      content.replaceChildren();
    },
    tick,
    render(state) {
      if (state.rulesets.map(({ letter }) => letter).join('') !== rulesets) drawHead();
    },
    heard({ board, total: all }) {
      if (!board || board !== shown?.board) return;
      live.hidden = false;
      // The first answer says that the board is watched; what it says may be known already.
      const isNews = answered || all !== shown.total;
      answered = true;
      if (!isNews || again) return;
      again = window.setTimeout(() => {
        again = 0;
        read(true);
      }, Math.max(0, readAt + READ_EVERY - performance.now()));
    },
    connected() {
      if (!view) return;
      if (asker.hasFailed() && !shown) return show(view);
      if (!shown) return;
      watchBoard(true);
      // What happened while there was no connection was not told.
      if (performance.now() - readAt > AWAY) read(true);
    },
  };
}
