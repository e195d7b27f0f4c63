/** The frame that all panels share: a modal dialog with a title, closed by its button, Escape or a touch beside it. */

import { h, icon } from '../dom.js';
import { t } from '../i18n.js';

/** @typedef {import('../types.js').State} State */
/** @typedef {import('../types.js').Action} Action */
/** @typedef {{element: HTMLDialogElement, render: (state: State) => void}} Panel */

/**
 * What panels may use.
 * @typedef {object} Context
 * @property {(action: Action) => void} act
 * @property {(changes: Partial<import('../types.js').Settings>) => void} settings
 * @property {(name: string) => Promise<void>} rename
 * @property {(error: unknown, panel?: import('../panels.js').Name) => void} failed tells that something did not come or cannot run
 * @property {() => void} race opens the panel for racing friends
 */

/**
 * @param {string} name of the panel, for its class and title
 * @param {string} title
 * @param {(() => void) | null} close null: the panel cannot be closed, only answered
 * @param {...import('../dom.js').Child} children
 */
export function dialog(name, title, close, ...children) {
  const id = `panel-${name}`;
  const element = h(
    'dialog', { class: `panel panel-${name}`, 'aria-labelledby': id },
    h('header', { class: 'panel-head' },
      h('h2', { id, class: 'panel-title', tabindex: -1 }, title),
      close && h('button', { type: 'button', class: 'panel-close', 'aria-label': t('action.close'), onclick: close }, icon('close'))),
    ...children,
  );
  element.addEventListener('cancel', (event) => {
    event.preventDefault();
    close?.();
  });
  element.addEventListener('pointerdown', (event) => {
    // The dialog's own box fills it: what hits the element itself hit the backdrop, or the box's edge.
    if (event.target !== element || !close) return;
    const box = element.getBoundingClientRect();
    const inside = event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top && event.clientY <= box.bottom;
    if (!inside) close();
  });
  return element;
}

/** The gold button is the one that goes on: it has the focus when its panel opens. @param {string} label @param {() => void} click @param {'plain' | 'gold' | 'warning'} [tone] */
export const button = (label, click, tone = 'plain') =>
  h('button', { type: 'button', class: `button button-${tone}`, autofocus: tone === 'gold', onclick: click }, label);

/** @param {...import('../dom.js').Child} children */
export const buttons = (...children) => h('div', { class: 'buttons' }, ...children);

/** @param {string} text */
export const paragraph = (text) => h('p', {}, text);
