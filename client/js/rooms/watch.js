/** A race seen by who does not play it: the lanes, large. */

import { h, setText } from '../dom.js';
import { t } from '../i18n.js';
import { createLaneList } from './lanes.js';
import { describeRace } from './lobby.js';
import { ranking } from './places.js';
import { cardsOf, timeLeft } from './raceview.js';

/** @typedef {import('./rooms.js').Tools} Tools */
/** @typedef {import('./page.js').View} View */

/** @param {Tools} tools @returns {View} */
export function createWatch({ serverNow }) {
  const list = createLaneList();
  const about = h('p', { class: 'quiet' });
  const left = h('p', { class: 'race-left' });
  const next = h('p', { class: 'quiet' });
  return {
    element: h('div', { class: 'watch' }, h('div', { class: 'watch-head' }, about, left), list.element, next),
    title: (_, room) => t('race.number', { number: room.race }),
    render(state, room) {
      if (room.room) setText(about, describeRace(state, room.room));
      list.render(ranking(room), cardsOf(state));
      setText(next, t(room.seat === null ? 'race.watching' : 'race.next_time'));
    },
    tick(room) {
      setText(left, timeLeft(room, serverNow()));
      return room.room?.ends ? 1000 : 0;
    },
  };
}
