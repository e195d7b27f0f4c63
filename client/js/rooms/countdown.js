/** Three, two, one: the same on every screen, by the server's clock. */

import { h, setText } from '../dom.js';
import { t } from '../i18n.js';
import { countdown } from './places.js';
import { describeRace } from './lobby.js';

/** @typedef {import('./rooms.js').Tools} Tools */
/** @typedef {import('./page.js').View} View */

/** @param {Tools} tools @returns {View} */
export function createCountdown({ serverNow }) {
  const number = h('p', { class: 'count', 'aria-live': 'assertive' });
  const about = h('p', { class: 'count-about' });
  const names = h('p', { class: 'count-names' });
  let shown = '';
  return {
    element: h('div', { class: 'countdown' }, about, number, names),
    title: (_, room) => t('race.number', { number: room.race }),
    render(state, { room }) {
      if (!room) return;
      setText(about, describeRace(state, room));
      setText(names, room.seats.map(({ name }) => name).join(' · '));
    },
    tick({ room }) {
      if (!room?.go) return 0;
      const { left, next } = countdown(room.go, serverNow());
      const text = left > 3 ? t('race.get_ready') : left ? String(left) : t('race.go');
      if (text !== shown) {
        shown = text;
        setText(number, text);
        number.className = `count ${left > 3 || !left ? 'count-words' : ''}`;
        // A new element would start its little animation by itself; this one is told to.
        number.getAnimations().forEach((animation) => {
          animation.currentTime = 0;
          animation.play();
        });
      }
      return next;
    },
  };
}
