/** Moving a player to this device: says what will happen, and acts only when the button is pressed. */

import { request } from '../api.js';
import { h, setText } from '../dom.js';
import { t } from '../i18n.js';
import { savePlayer, saveSession } from '../settings.js';

/** @typedef {import('../route.js').Context} Context */
/** @typedef {import('./parts.js').Page} Page */

/** What happens next is another player's: nothing of the one before may be left in memory. @param {string | null} player @param {string} path */
export function becomePlayer(player, path) {
  savePlayer(() => localStorage, player);
  saveSession(() => localStorage, null);
  location.replace(path);
}

/** @param {Context} context @returns {Page} */
export function transferPage(context) {
  const title = h('h1', { tabindex: -1 }, t('transfer.title'));
  const before = h('p', {});
  const trouble = h('p', { class: 'transfer-trouble', role: 'alert' });
  const yes = h('button', { type: 'button', class: 'button button-gold' }, t('transfer.yes'));
  const offer = h('div', {}, h('p', {}, t('transfer.about')), before,
    h('div', { class: 'buttons' }, h('a', { class: 'button', href: '/' }, t('transfer.no')), yes));
  const element = h('article', { class: 'sheet narrow' }, title, trouble, offer);
  /** Kept in memory alone; the address bar and the history lose it at once. @type {string | null} */
  let secret = null;

  /** @param {import('../types.js').State} state */
  function render({ player }) {
    setText(before, player?.name ? t('transfer.before_name', { name: player.name }) : t('transfer.before'));
  }

  yes.addEventListener('click', async () => {
    if (!secret) return;
    yes.disabled = true;
    try {
      const { id } = await request('/api/transfer', 'POST', { secret });
      becomePlayer(id, '/me');
    } catch {
      setText(trouble, t('transfer.failed'));
      offer.hidden = true;
      secret = null;
    }
  });

  return {
    element,
    title: () => t('transfer.title'),
    show(view) {
      if (view.secret) {
        secret = view.secret;
        context.replace('/transfer');
      }
      yes.disabled = false;
      offer.hidden = !secret;
      setText(trouble, secret ? '' : t('transfer.none'));
    },
    hide() {
      secret = null;
    },
    render,
  };
}
