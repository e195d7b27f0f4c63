/** What is said without a dialog: a word for a moment, the connection, a game without a move. */

import { h, icon, setText } from '../dom.js';
import { has, t } from '../i18n.js';
import { inRoom, isLost, isNewer } from '../state.js';
import { button } from './dialog.js';

/** @typedef {import('../types.js').State} State */
/** @typedef {import('../types.js').Notice} Notice */
/** @typedef {import('./dialog.js').Context} Context */

/** A lost connection that is back within this is not worth a word. */
const PATIENCE = 900;
const SHORTEST = 3200;
const PER_LETTER = 45;
/** The panel for new games tells this beside its field. */
export const BAD_CODE = 'refusal.bad_code';

/** The text of a notice; a refusal that this client has no words for is told in the server's. @param {Notice} notice */
export function words({ key, params }) {
  if (has(key)) return t(key, params);
  return String(params.reason || t('refusal.other'));
}

/** @param {State} state @returns {string} what to say about the connection, empty when all is well */
export function connectionWords({ connection, stopCode, stopping }) {
  if (connection === 'open') return '';
  if (stopping && connection !== 'stopped') return t('notice.stopping');
  if (connection !== 'stopped') return t(`connection.${connection}`);
  const key = `connection.stopped_${stopCode}`;
  return t(has(key) ? key : 'connection.stopped');
}

/** A banner never takes the focus by itself, as a panel does. @param {string} label @param {() => void} click */
const goldButton = (label, click) => h('button', { type: 'button', class: 'button button-gold', onclick: click }, label);

/** @param {HTMLElement} root with role=status @param {Context} context @param {() => void} reload */
export function createNotices(root, { act }, reload) {
  const toast = h('p', { class: 'toast', hidden: true });
  const connectionText = h('span', {});
  const again = goldButton(t('action.reload'), reload);
  const connection = h('div', { class: 'banner banner-connection', hidden: true }, connectionText, again);
  const another = goldButton(t('lost.new'), () => act({ type: 'panel', panel: 'new' }));
  const lost = h('div', { class: 'banner banner-lost', hidden: true },
    h('strong', {}, t('lost.title')), h('span', {}, t('lost.about')),
    button(t('lost.undo'), () => act({ type: 'undo' })), another);
  const newer = h('div', { class: 'banner banner-newer', role: 'status', hidden: true },
    h('span', {}, t('notice.newer')), goldButton(t('action.reload'), reload),
    h('button', { type: 'button', class: 'panel-close', 'aria-label': t('action.close'), onclick: () => act({ type: 'later' }) }, icon('close')));
  root.replaceChildren(connection, lost, toast, newer);

  let shown = 0;
  let timer = 0;
  let waiting = 0;
  /** @type {State['panel']} */
  let panel = null;
  /** A dialog lies above everything: the toast has to be inside the open one to be seen. */
  const place = () => {
    const open = [...document.querySelectorAll('dialog[open]')].at(-1) ?? root;
    if (toast.parentNode !== open) open.append(toast);
  };

  /** @param {Notice} notice */
  function say(notice) {
    shown = notice.id;
    const text = words(notice);
    toast.className = `toast toast-${notice.tone}`;
    toast.hidden = false;
    toast.setAttribute('role', 'status');
    setText(toast, text);
    clearTimeout(timer);
    timer = window.setTimeout(() => (toast.hidden = true), Math.max(SHORTEST, text.length * PER_LETTER));
  }

  /** @param {State} state */
  function render(state) {
    const text = connectionWords(state);
    if (!text) {
      clearTimeout(waiting);
      waiting = 0;
      connection.hidden = true;
    } else {
      setText(connectionText, text);
      again.hidden = state.connection !== 'stopped';
      waiting ||= window.setTimeout(() => (connection.hidden = false), PATIENCE);
    }
    lost.hidden = state.covered || !isLost(state);
    another.hidden = inRoom(state);
    newer.hidden = !isNewer(state);
    // What lies below makes room for it: no card is under it.
    document.documentElement.toggleAttribute('data-newer', !newer.hidden);
    // A refusal was about what was open then.
    if (state.panel !== panel && toast.classList.contains('toast-refusal')) toast.hidden = true;
    panel = state.panel;
    if (!state.notice) toast.hidden = true;
    if (state.notice && state.notice.id !== shown && !(state.notice.key === BAD_CODE && state.panel === 'new')) say(state.notice);
    place();
  }
  return { render };
}
