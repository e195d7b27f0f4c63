/** The player as a whole: a link that moves them to another device, and deleting all that is known of them. */

import { request } from '../api.js';
import { svg } from '../cards.js';
import { h, setText } from '../dom.js';
import { t } from '../i18n.js';
import { left } from './format.js';
import { becomePlayer } from './transfer.js';

/** @typedef {import('../route.js').Context} Context */

/** The drawing in an SVG text, made anew from its lines alone: nothing else of the text gets into the page. @param {string} text @returns {SVGElement | null} */
function drawingOf(text) {
  const root = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
  const lines = [...root.querySelectorAll('path[stroke]')];
  const viewBox = root.getAttribute('viewBox');
  if (root.nodeName !== 'svg' || !lines.length || !viewBox) return null;
  return svg('svg', { viewBox, class: 'qr', role: 'img', 'aria-label': t('me.device_qr') }, lines.map((line) => svg('path', { d: line.getAttribute('d') ?? '' })));
}

/** @param {Context} context */
export function devicePart(context) {
  const make = h('button', { type: 'button', class: 'button' }, t('me.device_make'));
  const rest = h('p', { class: 'quiet', role: 'status' });
  const result = h('div', { class: 'device-result', hidden: true });
  let ends = 0;

  make.addEventListener('click', async () => {
    make.disabled = true;
    try {
      const { path, qr, expires } = await request('/api/me/transfer', 'POST', {});
      ends = expires;
      const link = new URL(path, location.href).href;
      const drawing = drawingOf(qr);
      result.replaceChildren(...(drawing ? [drawing] : []), h('div', {},
        h('p', {}, t('me.device_scan')),
        h('button', { type: 'button', class: 'button', onclick: () => context.copy(link, 'link') }, t('me.copy_link')), rest));
      result.hidden = false;
      tick();
    } catch {
      context.notice('me.failed', 'refusal');
    }
    make.disabled = false;
  });

  /** The link is not kept longer than it works. */
  function forget() {
    ends = 0;
    result.hidden = true;
    result.replaceChildren();
  }

  function tick() {
    if (!ends) return;
    const remaining = ends - Date.now();
    if (remaining > 0) return setText(rest, t('me.device_ends', { left: left(remaining) }));
    forget();
    context.notice('me.device_over');
  }

  const element = h('section', { class: 'part device' }, h('h2', {}, t('me.device')), h('p', {}, t('me.device_about')), make, result);
  return { element, tick, forget };
}

/** @param {Context} context */
export function deletePart(context) {
  const ask = h('div', { class: 'delete-ask', hidden: true, role: 'group' });
  const first = h('button', { type: 'button', class: 'button button-warning' }, t('me.delete'));
  const yes = h('button', { type: 'button', class: 'button button-warning' }, t('me.delete_yes'));
  const no = h('button', { type: 'button', class: 'button' }, t('me.delete_no'));
  ask.append(h('p', { id: 'delete-words' }, t('me.delete_ask')), h('div', { class: 'buttons' }, no, yes));
  ask.setAttribute('aria-labelledby', 'delete-words');
  const open = (/** @type {boolean} */ isOpen) => {
    ask.hidden = !isOpen;
    first.hidden = isOpen;
    (isOpen ? no : first).focus();
  };
  first.addEventListener('click', () => open(true));
  no.addEventListener('click', () => open(false));
  yes.addEventListener('click', async () => {
    yes.disabled = true;
    try {
      await request('/api/me', 'DELETE');
      becomePlayer(null, '/');
    } catch {
      yes.disabled = false;
      context.notice('me.failed', 'refusal');
    }
  });
  return h('section', { class: 'part delete' }, h('h2', {}, t('me.delete')), h('p', {}, t('me.delete_about')), first, ask);
}
