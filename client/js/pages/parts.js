/** Small parts that the pages share: line drawings, links side by side, waiting and failing, playing a deal. */

import { RequestError } from '../api.js';
import { drawing, h, setText } from '../dom.js';
import { has, t } from '../i18n.js';

/** @typedef {import('../route.js').Context} Context */
/** @typedef {import('../types.js').State} State */

/**
 * One page of the part. All but `element`, `title` and `show` are only there where the page needs them.
 * @typedef {object} Page
 * @property {HTMLElement} element
 * @property {() => string} title of the window, when it is shown
 * @property {(view: any) => void} show
 * @property {() => void} [hide]
 * @property {(state: State) => void} [render]
 * @property {() => void} [tick] once a second while it is shown
 * @property {(message: import('../types.js').BoardMessage) => void} [heard]
 * @property {() => void} [connected]
 * @property {(event: KeyboardEvent) => void} [key]
 */

/** @type {Record<string, string>} */
const PATHS = {
  back: 'M15 5l-7 7 7 7',
  on: 'M9 5l7 7-7 7',
  play: 'M8 5.5v13l10.5-6.5Z',
  pause: 'M8.5 5.5v13M15.5 5.5v13',
  again: 'M5 12a7 7 0 1 0 2.2-5.1M4.5 4.5v3.8h3.8',
  cards: 'M8.5 4.5l8.6-1.6 2.4 12.6M4.5 7h10v14h-10z',
  film: 'M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17ZM10.2 8.6v6.8l5.4-3.4Z',
};

/** @param {keyof typeof PATHS} name */
export const mark = (name) => drawing(PATHS[name]);

/** Links of which one is shown now, side by side. @param {string} kind strip (may be scrolled) or switcher @param {string} label @param {{text: string, href: string, isCurrent: boolean, about?: string}[]} links */
export function choices(kind, label, links) {
  return h('nav', { class: kind, 'aria-label': label }, ...links.map(({ text, href, isCurrent, about }) =>
    h('a', { href, 'aria-current': isCurrent ? 'true' : null }, text, about && h('small', {}, about))));
}

/** Brings the current link of a strip into sight, without moving the page. @param {HTMLElement} strip */
export function showCurrent(strip) {
  const current = strip.querySelector('[aria-current]');
  if (!(current instanceof HTMLElement)) return;
  strip.scrollLeft = current.offsetLeft - strip.offsetLeft - (strip.clientWidth - current.clientWidth) / 2;
}

/** The rulesets as links. @param {State} state @param {string} letter @param {(letter: string) => string} href @param {(letter: string) => string} [about] */
export function rulesetLinks(state, letter, href, about = () => '') {
  const links = state.rulesets.map((ruleset) => ({
    text: ruleset.name, href: href(ruleset.letter), isCurrent: ruleset.letter === letter, about: about(ruleset.letter),
  }));
  return choices('strip', t('page.rulesets'), links);
}

/** @param {State} state @param {string} letter */
export const nameOf = (state, letter) => state.rulesets.find((ruleset) => ruleset.letter === letter)?.name ?? letter;

/** @param {unknown} error */
function failureWords(error) {
  const key = `page.failed_${error instanceof RequestError ? error.status : ''}`;
  return t(has(key) ? key : 'page.failed');
}

/** A page's answer to a request that failed. @param {unknown} error @param {() => void} again */
export const failure = (error, again) => h('div', { class: 'page-empty', role: 'alert' },
  h('p', {}, failureWords(error)),
  h('button', { type: 'button', class: 'button', onclick: again }, t('page.again')));

/** Shown while the first answer is awaited; fades in late, so that a quick one does not flicker. */
export const waiting = () => h('p', { class: 'page-waiting', role: 'status' }, t('page.loading'));

/** Asks one thing after another: an answer that is no longer wanted is dropped. */
export function createAsker() {
  let number = 0;
  let failedLast = false;
  return {
    /** Whether what was asked last failed: a new connection is a good moment to try again. */
    hasFailed: () => failedLast,
    /** @template T @param {() => Promise<T>} work @param {(answer: T) => void} done @param {(error: unknown) => void} [failed] */
    async ask(work, done, failed = () => {}) {
      const mine = (number += 1);
      failedLast = false;
      try {
        const answer = await work();
        if (mine === number) done(answer);
      } catch (error) {
        if (mine !== number) return;
        failedLast = true;
        failed(error);
      }
    },
    forget: () => void (number += 1),
  };
}

/** Leaves the pages for the table, to do something there; in a room only the room's own game is played. @param {Context} context @param {() => void} begin */
export function toTable({ state, go, home, notice }, begin) {
  const { room } = state();
  if (room && room.stage !== 'making') {
    go(home());
    return notice('page.in_room', 'refusal');
  }
  begin();
  go('/');
}

/** Leaves the pages for a new game. @param {Context} context @param {number} origin @param {string} text */
export const play = (context, origin, text) => toTable(context, () => context.act({ type: 'new', origin, text }));

/** What a link or a button is called. @param {Element} element */
const nameOfElement = (element) => element.getAttribute('aria-label') ?? element.textContent;

/** Puts other children into an element; a link or button that had the focus gives it to the one of the same name. @param {Element} parent @param {...Node} children */
export function redraw(parent, ...children) {
  const active = document.activeElement;
  const name = active && active !== parent && parent.contains(active) ? nameOfElement(active) : null;
  parent.replaceChildren(...children);
  if (name === null) return;
  const same = [...parent.querySelectorAll('a, button')].find((element) => nameOfElement(element) === name);
  if (same instanceof HTMLElement) same.focus({ preventScroll: true });
}

/** A number with what it is, for a list of them. @param {string} label @param {string} value @param {string} [kind] */
export const fact = (label, value, kind = '') => h('div', { class: `fact ${kind}` }, h('dd', {}, value), h('dt', {}, label));

/** A text for people who listen, and for nobody else. */
export function createVoice() {
  const element = h('p', { class: 'unseen', role: 'status' });
  return { element, say: (/** @type {string} */ text) => setText(element, text) };
}
