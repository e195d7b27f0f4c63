/** The player's games, the newest first: go on with one, watch one, or play its cards again. */

import { request } from '../api.js';
import { h } from '../dom.js';
import { clock, t } from '../i18n.js';
import { count, when, whenExactly } from './format.js';
import { createAsker, failure, nameOf, play, redraw, toTable } from './parts.js';

/** @typedef {import('../route.js').Context} Context */
/**
 * @typedef {{session: string, letter: string, code: string | null, origin: number, state: string, score: number, moves: number,
 *   time: number, dealt: number, touched: number, replay: boolean}} Past
 */

const OPEN = ['playing', 'paused', 'blocked'];
/** @param {Past} game */
export const isUnfinished = ({ state }) => OPEN.includes(state);

/** What can be done with a game. @param {Past} game @param {Context} context @param {string} name */
function actions(game, context, name) {
  const { session, code, replay } = game;
  const date = when(game.touched, Date.now());
  const button = (/** @type {string} */ key, /** @type {Record<string, string>} */ params, /** @type {() => void} */ onclick, kind = '') =>
    h('button', { type: 'button', class: `button small ${kind}`, 'aria-label': t(`${key}_about`, params), onclick }, t(key));
  if (isUnfinished(game)) {
    const goOn = () => toTable(context, () => context.act({ type: 'open', session }));
    return [button('me.resume', { name, date }, goOn, 'go-on')];
  }
  return [
    replay && h('a', { class: 'button small', href: `/replay/${session}`, 'aria-label': t('me.watch_about', { name, date }) }, t('me.watch')),
    code && button('me.again', { code }, () => play(context, 1, code)),
    code && button('me.race', { code }, () => toTable(context, () => context.race(code))),
  ];
}

/** @param {Past} game @param {Context} context */
function item(game, context) {
  const state = context.state();
  const name = nameOf(state, game.letter);
  const isHere = state.game?.session === game.session;
  const origin = game.origin > 1 ? `, ${t(`me.origin_${game.origin}`)}` : '';
  const how = isHere && isUnfinished(game) ? t('me.on_table') : t(`me.state_${game.state}`);
  return h('li', { class: `past ${game.state}` },
    h('div', { class: 'past-what' }, h('strong', {}, name), h('span', {}, origin), h('span', { class: 'past-state' }, how)),
    h('div', { class: 'past-figures' },
      h('span', {}, clock(game.time)), h('span', {}, count(game.moves), h('small', {}, t('boards.moves_unit', { n: game.moves }))), h('span', {}, count(game.score), h('small', {}, t('boards.score_unit', { n: game.score }))),
      h('time', { datetime: new Date(game.touched).toISOString(), title: whenExactly(game.touched) }, when(game.touched, Date.now()))),
    h('div', { class: 'past-actions' }, ...actions(game, context, name)));
}

/** @param {Context} context */
export function createHistory(context) {
  const asker = createAsker();
  const unfinished = h('ul', { class: 'pasts' });
  const finished = h('ul', { class: 'pasts' });
  const none = h('p', { class: 'quiet', hidden: true }, t('me.history_none'));
  const more = h('button', { type: 'button', class: 'button board-more', hidden: true, onclick: () => read(next) }, t('page.more'));
  const open = h('section', { class: 'part', hidden: true }, h('h2', { id: 'unfinished' }, t('me.unfinished')), unfinished);
  const past = h('section', { class: 'part' }, h('h2', {}, t('me.history')), none, finished, more);
  const element = h('div', { class: 'history' }, open, past);
  /** @type {Past[]} */
  let games = [];
  /** @type {string | null} */
  let next = null;

  function draw() {
    const waiting = games.filter(isUnfinished);
    open.hidden = !waiting.length;
    none.hidden = games.length > 0 || next !== null;
    redraw(unfinished, ...waiting.map((game) => item(game, context)));
    redraw(finished, ...games.filter((game) => !isUnfinished(game)).map((game) => item(game, context)));
    more.hidden = !next;
  }

  /** @param {string | null} [cursor] */
  function read(cursor = null) {
    more.disabled = true;
    asker.ask(async () => {
      await context.ready;
      return request(`/api/me/games${cursor ? `?cursor=${encodeURIComponent(cursor)}` : ''}`);
    }, (answer) => {
      more.disabled = false;
      games = cursor ? [...games, ...answer.games] : answer.games;
      next = answer.next ?? null;
      draw();
    }, (error) => {
      more.disabled = false;
      if (!cursor) finished.replaceChildren(h('li', {}, failure(error, () => read())));
      else context.notice('page.failed', 'refusal');
    });
  }

  return { element, draw, read: () => read(), forget: asker.forget };
}
