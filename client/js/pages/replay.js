/** A finished game played back: the board, and everything that moves through its time. */

import { request } from '../api.js';
import { h, setText } from '../dom.js';
import { clock, t } from '../i18n.js';
import { boardHref } from './address.js';
import { readFilm } from './film.js';
import { count, when, whenExactly } from './format.js';
import { createAsker, failure, mark, nameOf, play, waiting } from './parts.js';
import { START, advance, isAtEnd, seek, toggle } from './reel.js';
import { createScrubber, createSpeeds } from './scrubber.js';
import { createStage } from './stage.js';

/** @typedef {import('./film.js').Film} Film */
/** @typedef {import('./reel.js').Reel} Reel */
/** @typedef {import('../route.js').Context} Context */
/** @typedef {import('./parts.js').Page} Page */

/** The longest step of a clock that stood while the page was not seen, in milliseconds. */
const LONGEST_STEP = 250;

/** @param {Film} film */
function resultWords({ state, time, moves, score, frames }) {
  const undos = frames.filter(({ kind }) => kind === 'undo').length;
  const how = t(state === 'won' ? 'replay.won' : state === 'given_up' ? 'replay.given_up' : 'replay.over', { time: clock(time) });
  const parts = [how, t('replay.moves', { n: moves }), t('replay.score', { score: count(score) })];
  if (undos) parts.push(t('replay.undos', { n: undos }));
  return parts.join(' · ');
}

/** Who played what, how it went, and what one may do with it. @param {Film} film @param {Context} context */
function about(film, context) {
  const { player, letter, dealt, code, session } = film;
  const ended = dealt + film.time;
  return [
    h('div', { class: 'film-about' },
      h('p', { class: 'film-game' }, h('span', {}, nameOf(context.state(), letter)), h('time', { title: whenExactly(ended) }, when(ended, Date.now())), code && h('span', { class: 'film-code', title: code }, code)),
      h('p', { class: 'film-result' }, h('strong', {}, player.name ?? t('boards.no_name')), resultWords(film))),
    h('div', { class: 'film-actions' },
      code && h('button', { type: 'button', class: 'button small', onclick: () => play(context, 1, code) }, t('replay.same')),
      code && h('a', { class: 'button small', href: boardHref({ letter, code }) }, t('replay.deal_board')),
      h('a', { class: 'button small', href: `/api/replay/${session}/text`, download: true }, t('replay.text'))),
  ];
}

/** @param {Context} context @returns {Page} */
export function replayPage(context) {
  const asker = createAsker();
  const stage = createStage();
  const title = h('h1', { tabindex: -1, class: 'unseen' }, t('replay.title'));
  const info = h('div', { class: 'film-info' });
  const trouble = h('div', { class: 'film-trouble' });
  const scrubber = createScrubber((index) => become(seek(frames(), { ...reel, playing: false }, index), false));
  const speeds = createSpeeds((speed) => become({ ...reel, speed, since: 0 }, false));
  const position = h('span', { class: 'film-position' });
  const time = h('span', { class: 'film-time' });
  const step = (/** @type {number} */ by, /** @type {'back' | 'on'} */ name) =>
    h('button', { type: 'button', class: 'film-button', 'aria-label': t(`replay.${name}`), onclick: () => stepBy(by) }, mark(name));
  const player = h('button', { type: 'button', class: 'film-button film-play', onclick: () => become(toggle(frames(), reel), false) });
  const controls = h('div', { class: 'film-controls' },
    h('div', { class: 'film-buttons' }, step(-1, 'back'), player, step(1, 'on')),
    scrubber.element, h('div', { class: 'film-where' }, time, position), speeds.element);
  const element = h('article', { class: 'replay' }, title, info, trouble, stage.element, controls);

  /** @type {Film | null} */
  let film = null;
  /** @type {Reel} */
  let reel = { ...START };
  let session = '';
  let frame = 0;
  let before = 0;

  const frames = () => film?.frames ?? [];

  /** @param {Reel} next @param {boolean} animate */
  function become(next, animate) {
    if (!film) return;
    const isStep = Math.abs(next.index - reel.index) === 1;
    reel = next;
    draw(animate || isStep);
    if (reel.playing && !frame) {
      before = performance.now();
      frame = requestAnimationFrame(run);
    }
  }

  /** @param {number} by */
  const stepBy = (by) => become(seek(frames(), { ...reel, playing: false }, reel.index + by), true);

  function run() {
    frame = 0;
    if (!film || !reel.playing) return;
    const now = performance.now();
    const passed = Math.min(LONGEST_STEP, now - before);
    before = now;
    become(advance(film.frames, reel, passed), true);
  }

  /** @param {boolean} animate */
  function draw(animate) {
    if (!film) return;
    const { index, at, playing, speed } = reel;
    const last = film.frames.length - 1;
    stage.draw(film.frames[index], index, animate);
    scrubber.show(index, t('replay.at', { index, last, time: clock(at) }));
    setText(position, t('replay.position', { index, last }));
    setText(time, clock(at));
    const state = playing ? 'pause' : isAtEnd(film.frames, reel) ? 'again' : 'play';
    if (player.dataset.state !== state) {
      player.dataset.state = state;
      player.setAttribute('aria-label', t(`replay.${state}`));
      player.replaceChildren(mark(state));
    }
    speeds.show(speed);
  }

  /** @param {boolean} isThere */
  function reveal(isThere) {
    info.hidden = controls.hidden = stage.element.hidden = !isThere;
    trouble.hidden = isThere;
  }

  function read() {
    reveal(false);
    trouble.replaceChildren(waiting());
    asker.ask(async () => readFilm(await request(`/api/replay/${encodeURIComponent(session)}`)), (answer) => {
      film = answer;
      reveal(true);
      trouble.replaceChildren();
      info.replaceChildren(...about(film, context));
      stage.begin(film.frames[0]);
      scrubber.begin(film.frames);
      reel = { ...START, speed: reel.speed };
      document.title = `${titleOf()} · ${t('app.name')}`;
      setText(title, titleOf());
      draw(false);
    }, (error) => trouble.replaceChildren(failure(error, read)));
  }

  const titleOf = () => (film ? t('replay.of', { name: film.player.name ?? t('boards.no_name'), game: nameOf(context.state(), film.letter) }) : t('replay.title'));

  /** @type {Record<string, () => void>} */
  const keys = {
    ' ': () => become(toggle(frames(), reel), false),
    ArrowLeft: () => stepBy(-1),
    ArrowRight: () => stepBy(1),
    ArrowUp: () => speeds.next(1),
    ArrowDown: () => speeds.next(-1),
    Home: () => become(seek(frames(), { ...reel, playing: false }, 0), false),
    End: () => become(seek(frames(), { ...reel, playing: false }, frames().length - 1), false),
  };
  let rulesets = 0;

  return {
    element,
    title: titleOf,
    show(view) {
      session = view.session;
      film = null;
      read();
    },
    hide() {
      asker.forget();
      cancelAnimationFrame(frame);
      frame = 0;
      film = null;
    },
    render(state) {
      if (state.rulesets.length === rulesets) return;
      rulesets = state.rulesets.length;
      if (film) info.replaceChildren(...about(film, context));
    },
    key(event) {
      const target = event.target;
      // A button or a link has its own use for the space bar, a choice of speeds for the arrows.
      const own = target instanceof HTMLElement && (event.key === ' ' ? target.closest('button, a, summary') : /^Arrow/.test(event.key) && target.closest('.speeds'));
      if (own || !Object.hasOwn(keys, event.key) || !film) return;
      event.preventDefault();
      keys[event.key]();
    },
    connected() {
      if (asker.hasFailed()) read();
    },
  };
}
