/** The races of the evening: who won which, in a few lines. */

import { h, setText } from '../dom.js';
import { clock, t } from '../i18n.js';
import { mayRace } from './ghosts.js';

/** @typedef {import('../types.js').State} State */
/** @typedef {import('./types.js').Past} Past */
/** @typedef {import('./rooms.js').Tools} Tools */

/** @param {Past} past @param {State} state @param {Tools} tools */
function line({ race, code, places }, state, { room }) {
  const [best] = places;
  const letter = /^YU1-(\w)/.exec(code)?.[1];
  const rules = state.rulesets.find((ruleset) => ruleset.letter === letter)?.name ?? '';
  const won = best?.outcome === 'won';
  const result = !best ? '' : won ? t('past.won', { name: best.name, time: clock(best.ms ?? 0) }) : t('past.led', { name: best.name, score: best.ranked });
  return h('li', { class: 'evening-race' }, h('span', { class: 'evening-number' }, t('race.number', { number: race })), h('span', { class: 'evening-rules' }, rules), h('span', { class: 'evening-result' }, result),
    mayRace(state, race) && h('button', { type: 'button', class: 'button evening-ghosts', onclick: () => room({ type: 'ghosts', race }) }, t('ghosts.race')));
}

/** @param {Tools} tools */
export function createPast(tools) {
  const title = h('h2', { class: 'room-part' }, t('past.title'));
  const list = h('ol', { class: 'evening-races' });
  const tally = h('p', { class: 'quiet' });
  const element = h('section', { class: 'evening', hidden: true }, title, list, tally);
  /** @type {Past[] | null} */
  let shown = null;
  return {
    element,
    /** @param {State} state @param {Past[]} evening */
    render(state, evening) {
      element.hidden = !evening.length;
      if (evening === shown || !evening.length) return;
      shown = evening;
      list.replaceChildren(...evening.toReversed().map((past) => line(past, state, tools)));
      setText(tally, tallyOf(evening));
    },
  };
}

/** First places by name, most first; nothing to say of a single race. @param {Past[]} evening */
function tallyOf(evening) {
  if (evening.length < 2) return '';
  /** @type {Map<string, number>} */
  const firsts = new Map();
  for (const { places: [best] } of evening) if (best) firsts.set(best.name, (firsts.get(best.name) ?? 0) + 1);
  const sorted = [...firsts].sort((a, b) => b[1] - a[1]);
  return t('past.firsts', { names: sorted.map(([name, n]) => t('past.count', { name, n })).join(', ') });
}
