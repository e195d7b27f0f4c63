/** The player's own page: statistics by ruleset, all games, another device, and an end to it all. */

import { request } from '../api.js';
import { h, setText } from '../dom.js';
import { t } from '../i18n.js';
import { hrefOf } from './address.js';
import { chart } from './chart.js';
import { createHistory } from './history.js';
import { figure, percent, time } from './format.js';
import { createAsker, fact, failure, play, redraw, rulesetLinks, showCurrent } from './parts.js';
import { devicePart, deletePart } from './self.js';

/** @typedef {import('../route.js').Context} Context */
/** @typedef {import('./parts.js').Page} Page */
/** @typedef {import('./address.js').MeView} MeView */
/**
 * @typedef {{letter: string, games: number, wins: number, win_rate: number | null, streak: number, longest_streak: number,
 *   best_time: number | null, mean_time: number | null, fewest_moves: number | null, best_score: number | null,
 *   recent: import('./chart.js').Recent[]}} Statistics
 */

/** The ruleset to show: the one asked for, else the one played most. @param {readonly Statistics[]} all @param {string | null} letter */
export function chosen(all, letter) {
  const most = all.reduce((/** @type {Statistics | null} */ best, one) => (one.games > (best?.games ?? 0) ? one : best), null);
  return all.find((one) => one.letter === letter) ?? most;
}

/** @param {Statistics} one */
function figures(one) {
  return h('dl', { class: 'facts figures-of' },
    fact(t('me.games'), figure(one.games), 'main'), fact(t('me.wins'), figure(one.wins), 'main'), fact(t('me.win_rate'), percent(one.win_rate), 'main'),
    fact(t('me.streak'), figure(one.streak)), fact(t('me.longest_streak'), figure(one.longest_streak)),
    fact(t('me.best_time'), time(one.best_time)), fact(t('me.mean_time'), time(one.mean_time)),
    fact(t('me.fewest_moves'), figure(one.fewest_moves)), fact(t('me.best_score'), figure(one.best_score)));
}

/** @param {Statistics} one */
function lastGames({ recent }) {
  return h('figure', { class: 'chart-figure' }, chart(recent, Date.now()),
    h('figcaption', {}, h('span', {}, t('me.chart')), h('span', { class: 'key key-won' }, t('me.chart_won')), h('span', { class: 'key' }, t('me.chart_lost'))));
}

/** @param {Context} context @returns {Page} */
export function mePage(context) {
  const asker = createAsker();
  const name = h('h1', { tabindex: -1 });
  const rename = h('button', { type: 'button', class: 'button', onclick: () => context.act({ type: 'panel', panel: 'name' }) });
  const rulesets = h('div', {});
  const statistics = h('div', { class: 'statistics' });
  const history = createHistory(context);
  const device = devicePart(context);
  const element = h('article', { class: 'sheet me' },
    h('div', { class: 'title-line' }, name, rename), rulesets, statistics, history.element, device.element, deletePart(context));

  /** @type {MeView | null} */
  let view = null;
  /** @type {Statistics[] | null} */
  let all = null;

  /** @type {Statistics[]} */
  let shown = [];
  function draw() {
    if (!all || !view) return;
    const state = context.state();
    const one = chosen(all, view.letter);
    shown = all;
    if (!one?.games) {
      rulesets.replaceChildren();
      return statistics.replaceChildren(h('div', { class: 'page-empty' }, h('h2', {}, t('me.none')), h('p', {}, t('me.none_about')),
        h('button', { type: 'button', class: 'button button-gold', onclick: () => play(context, 0, state.settings.lastRuleset) }, t('me.play'))));
    }
    const played = new Map(all.map(({ letter, games }) => [letter, games]));
    const mine = { ...state, rulesets: state.rulesets.filter(({ letter }) => (played.get(letter) ?? 0) > 0) };
    const strip = rulesetLinks(mine, one.letter, (letter) => hrefOf({ page: 'me', letter }), (letter) => figure(played.get(letter) ?? 0));
    redraw(rulesets, strip);
    showCurrent(strip);
    statistics.replaceChildren(figures(one), ...(one.recent.length ? [lastGames(one)] : []));
  }

  function read() {
    asker.ask(async () => {
      await context.ready;
      return request('/api/me/statistics');
    }, (answer) => {
      all = answer.rulesets;
      draw();
    }, (error) => statistics.replaceChildren(failure(error, read)));
    history.read();
  }

  let letters = '';
  return {
    element,
    title: () => t('me.title'),
    show(next) {
      const wasShown = view !== null && all !== null;
      view = next;
      if (wasShown) draw();
      else read();
    },
    hide() {
      asker.forget();
      history.forget();
      device.forget();
      view = all = null;
    },
    tick: () => device.tick(),
    render(state) {
      const { player } = state;
      setText(name, player?.name ?? t('me.title'));
      setText(rename, t(player?.name ? 'me.rename' : 'me.name'));
      const now = state.rulesets.map(({ letter }) => letter).join('');
      if (now === letters) return;
      letters = now;
      history.draw();
      if (shown.length) draw();
    },
    connected() {
      if (view && asker.hasFailed()) read();
    },
  };
}
