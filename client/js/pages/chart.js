/** The last games as a small drawing: one bar for each, as high as its score, filled where it was won. */

import { svg } from '../cards.js';
import { t } from '../i18n.js';
import { count, time, when } from './format.js';

/** @typedef {{won: boolean, score: number, time: number | null, moves: number, ended: number}} Recent */

const WIDTH = 600;
const HEIGHT = 120;
const MOST = 30;
/** Few games take no more room than these. */
const LEAST = 15;

/** Where the bars stand, in a box of 600 by 120: the newest at the right. @param {readonly Recent[]} games oldest first */
export function bars(games) {
  const top = Math.max(1, ...games.map(({ score }) => score));
  const shown = games.slice(-MOST);
  const slots = Math.max(LEAST, shown.length);
  const step = WIDTH / slots;
  return shown.map(({ score }, index) => {
    const height = Math.max(2, (Math.max(0, score) / top) * (HEIGHT - 4));
    return { x: (slots - shown.length + index) * step + step * 0.19, y: HEIGHT - height, width: step * 0.62, height };
  });
}

/** @param {readonly Recent[]} games oldest first @param {number} now */
export function chart(games, now) {
  const shown = games.slice(-MOST);
  const top = Math.max(0, ...shown.map(({ score }) => score));
  const wins = shown.filter(({ won }) => won).length;
  const drawing = svg('svg', { class: 'chart', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img' }, [
    svg('path', { class: 'chart-line', d: `M0 4H${WIDTH}M0 ${HEIGHT / 2 + 2}H${WIDTH}` }),
    svg('path', { class: 'chart-base', d: `M0 ${HEIGHT}H${WIDTH}` }),
    ...bars(shown).map((box, index) => {
      const { won, score, time: ms, moves, ended } = shown[index];
      const title = svg('title', {});
      title.textContent = t(won ? 'me.bar_won' : 'me.bar_lost', { date: when(ended, now), time: time(ms), score: count(score), n: moves });
      return svg('rect', { class: won ? 'chart-bar won' : 'chart-bar', ...box }, [title]);
    }),
  ]);
  drawing.setAttribute('aria-label', t('me.chart_about', { n: shown.length, wins, top }));
  return drawing;
}
