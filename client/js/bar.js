/** The bar (score, moves, time, code) and the row of actions. Shows the state; asks for actions; knows no game. */

import { h, icon, setText } from './dom.js';
import { clock, t } from './i18n.js';
import { clockAt, inRoom, isOver, rulesetOf } from './state.js';

/** @typedef {import('./types.js').State} State */
/** @typedef {import('./types.js').Action} Action */

/** @param {string} name */
function item(name) {
  const value = h('span', { class: 'bar-value' }, '–');
  const element = h('div', { class: `bar-item bar-${name}` }, value, h('span', { class: 'bar-label' }, t(`bar.${name}`)));
  return { element, value };
}

/** The rules, and what a ranked game or a daily deal is worth. @param {State} state @param {import('./types.js').Game} game */
function kindOfGame(state, { letter, origin, counts, first }) {
  const name = rulesetOf(state, letter)?.name ?? '';
  if (origin === 2) return t(counts ? 'bar.ranked' : 'bar.unranked', { name });
  // The try of the day stays that when it was paused, or goes on after its day.
  return origin === 3 ? t(counts ? 'bar.daily' : first ? 'bar.daily_unranked' : 'bar.practice', { name }) : name;
}

/**
 * @param {HTMLElement} bar @param {HTMLElement} actions
 * @param {(action: Action) => void} act
 * @param {() => number} now
 */
export function createBar(bar, actions, act, now) {
  const score = item('score');
  const moves = item('moves');
  const time = item('time');
  const name = h('span', { class: 'bar-name' });
  const codeText = h('span', { class: 'code-text' });
  const code = h('button', { type: 'button', class: 'bar-code', onclick: () => act({ type: 'copy', what: 'code' }) }, codeText, icon('copy'));
  bar.replaceChildren(
    h('div', { class: 'bar-items' }, score.element, moves.element, time.element),
    h('div', { class: 'bar-deal' }, name, code),
  );

  /** @param {string} key @param {Action} action @param {string} [about] */
  const button = (key, action, about = '') => h(
    'button',
    { type: 'button', class: `action action-${key}`, 'data-act': key, title: about && t(about), onclick: () => act(action) },
    icon(key), h('span', { class: 'action-label' }, t(`action.${key}`)),
  );
  const buttons = {
    menu: button('menu', { type: 'panel', panel: 'menu' }),
    new: button('new', { type: 'panel', panel: 'new' }, 'action.new_about'),
    pause: button('pause', { type: 'pause' }),
    show: button('show', { type: 'showMoves' }, 'action.show_about'),
    finish: button('finish', { type: 'finish' }, 'action.finish_about'),
    undo: button('undo', { type: 'undo' }),
  };
  actions.replaceChildren(...Object.values(buttons));

  /** @param {State} state */
  function tick({ game }) {
    setText(time.value, game ? clock(clockAt(game, now())) : '–');
  }

  /** @param {State} state */
  function render(state) {
    const { game } = state;
    tick(state);
    setText(score.value, game ? String(game.score) : '–');
    setText(moves.value, game ? String(game.moves) : '–');
    setText(name, game ? kindOfGame(state, game) : '');
    code.hidden = !game;
    code.disabled = !game?.code;
    setText(codeText, game?.code ?? t('bar.sealed'));
    code.title = game?.code ? t('bar.code', { code: game.code }) : t('bar.sealed_about');
    const playable = game !== null && !isOver(game) && !game.flags.paused;
    buttons.undo.disabled = !playable || !(game.flags.canUndo || game.pending?.shown || game.queue.length);
    buttons.show.disabled = !playable || !game.legal.length;
    buttons.show.setAttribute('aria-pressed', String(state.showMoves));
    buttons.pause.disabled = !playable;
    buttons.new.hidden = inRoom(state);
    buttons.pause.hidden = inRoom(state) && !state.room?.ghosts;
    buttons.finish.hidden = !playable || !game.flags.finishable;
    buttons.new.classList.toggle('goes-on', game !== null && isOver(game));
  }

  return { render, tick };
}
