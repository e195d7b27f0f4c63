/** The page that lies where the table was, as long as a room has no board to play: one of its views at a time, under one head. */

import { h, icon, setText } from '../dom.js';
import { t } from '../i18n.js';

/** @typedef {import('../types.js').State} State */
/** @typedef {import('./types.js').RoomState} RoomState */
/** @typedef {import('./rooms.js').Tools} Tools */

/**
 * One view of the page. `title` is what its head says; `tick` draws what goes on by itself and says after how many milliseconds
 * it wants to be called again, 0 for never.
 * @typedef {object} View
 * @property {HTMLElement} element
 * @property {HTMLElement} [foot] what stays below it, however long it is
 * @property {(state: State, room: RoomState) => string} title
 * @property {(state: State, room: RoomState) => void} render
 * @property {(room: RoomState) => number} [tick]
 */

/** The button of a page that goes on. Unlike a panel's it does not take the focus when it comes. @param {string} label @param {() => void} click */
export const goOn = (label, click) => h('button', { type: 'button', class: 'button button-gold', onclick: click }, label);

/** Puts children in place only where they are others: one that stays keeps the focus and the press upon it. @param {Element} parent @param {Element[]} children */
export function setChildren(parent, children) {
  if (children.length !== parent.children.length || children.some((child, i) => child !== parent.children[i])) parent.replaceChildren(...children);
}

/** @param {Tools} tools @param {Record<string, View>} views */
export function createPage({ act, room }, views) {
  const title = h('h1', { id: 'room-title', class: 'room-title', tabindex: -1 });
  const menu = h('button', { type: 'button', class: 'room-icon', 'aria-label': t('action.menu'), onclick: () => act({ type: 'panel', panel: 'menu' }) }, icon('menu'));
  const leave = h('button', { type: 'button', class: 'button room-leave' }, t('leave.short'));
  const body = h('div', { class: 'room-body' });
  const feet = h('div', { class: 'room-feet' });
  const element = h('section', { id: 'room', hidden: true, 'aria-labelledby': 'room-title' }, h('header', { class: 'room-head' }, title, menu, leave), body, feet);
  let shown = '';
  let isIn = false;
  // Whoever has a seat is asked once; before the door there is nothing to lose.
  leave.addEventListener('click', () => (isIn ? act({ type: 'panel', panel: 'leave' }) : room({ type: 'leave' })));

  return {
    element,
    /** @param {State} state @param {string} name of the view, or another word for none */
    render(state, name) {
      const view = views[name];
      element.hidden = !view;
      if (!view || !state.room) {
        shown = '';
        return;
      }
      isIn = state.room.stage === 'in' && state.room.seat !== null;
      setText(title, view.title(state, state.room));
      if (name !== shown) {
        shown = name;
        element.dataset.view = name;
        body.replaceChildren(view.element);
        feet.replaceChildren(...(view.foot ? [view.foot] : []));
        body.scrollTop = 0;
        if (!document.querySelector('dialog[open]')) title.focus({ preventScroll: true });
      }
      view.render(state, state.room);
    },
    /** @param {RoomState} state */
    tick: (state) => views[shown]?.tick?.(state) ?? 0,
  };
}
