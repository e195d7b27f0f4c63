/** Before a room: a nickname for who has none, or why the room stays shut; and after it was left. */

import { h, setText } from '../dom.js';
import { has, t } from '../i18n.js';
import { button, buttons } from '../panels/dialog.js';
import { goOn } from './page.js';
import { createNameField } from './namefield.js';

/** @typedef {import('./rooms.js').Tools} Tools */
/** @typedef {import('./page.js').View} View */

/**
 * Which buttons the door has. Where all seats are taken watching may still work, and where too many watch, a seat may be free.
 * @param {string | null} refused @param {boolean} wants a name first
 */
export function waysFrom(refused, wants) {
  const away = refused !== null && refused !== 'bad_name';
  const again = away && refused !== 'no_such_room' && refused !== 'removed';
  return { away, watch: wants || refused === 'room_full', sit: refused === 'too_many', again, join: wants };
}

/** @param {Tools} tools @returns {View} */
export function createDoor({ room }) {
  let at = '';
  const about = h('p', { class: 'door-about', role: 'status' });
  const name = createNameField();
  const join = h('button', { type: 'submit', class: 'button button-gold' }, t('room.join_in'));
  const watch = button(t('room.watch'), () => room({ type: 'enter', room: at, seated: false, door: true }));
  const sit = button(t('room.sit'), () => room({ type: 'enter', room: at, seated: true, door: true }));
  const again = goOn(t('room.again'), () => room({ type: 'enter', room: at, door: true }));
  const away = button(t('room.go_away'), () => room({ type: 'leave' }));
  const form = h('form', { class: 'door', method: 'dialog' }, about, name.element, buttons(away, watch, sit, again, join));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    room({ type: 'enter', room: at, name: name.read(), seated: true, door: true });
  });
  let asks = false;
  return {
    element: form,
    title: () => t('race.title'),
    render(state, { at: now, refused, asking, stage }) {
      at = now;
      const wants = stage === 'door' && !asking && (refused === 'bad_name' || (!refused && state.player !== null && !state.player.name));
      const ways = waysFrom(refused, wants);
      const key = `refusal.${refused}`;
      setText(about, ways.away ? t(has(key) ? key : 'refusal.other') : wants ? t('room.name_wanted') : t('room.opening'));
      name.want(wants);
      away.hidden = !ways.away;
      watch.hidden = !ways.watch;
      sit.hidden = !ways.sit;
      again.hidden = !ways.again;
      join.hidden = !ways.join;
      if (wants && !asks) name.input.focus();
      asks = wants;
    },
  };
}

/** @param {Tools} tools @returns {View} */
export function createShut({ room }) {
  const about = h('p', { class: 'door-about', role: 'status' });
  let at = '';
  const again = goOn(t('room.again'), () => room({ type: 'enter', room: at, door: true }));
  return {
    element: h('div', { class: 'door' }, about, buttons(button(t('room.go_away'), () => room({ type: 'leave' })), again)),
    title: () => t('race.title'),
    render(_, { reason, at: now }) {
      at = now;
      const key = `closed.${reason}`;
      setText(about, t(has(key) ? key : 'closed.gone'));
      again.hidden = reason !== 'left';
    },
  };
}
