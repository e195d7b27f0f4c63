/** What is seen beside the cards while a race runs: the lanes at the side or in a strip, the place, the time that is left. */

import { h, setText } from '../dom.js';
import { clock, t } from '../i18n.js';
import { dialog } from '../panels/dialog.js';
import { createLaneList, createTrack } from './lanes.js';
import { isRunning, ranking } from './places.js';

/** @typedef {import('../types.js').State} State */
/** @typedef {import('./types.js').RoomState} RoomState */
/** @typedef {import('./rooms.js').Tools} Tools */

/** How many cards the ruleset of a room has. @param {State} state */
export const cardsOf = ({ rulesets, room }) => 52 * (rulesets.find(({ letter }) => letter === room?.room?.letter)?.decks ?? 1);

/** The time that is left in a race with a limit, else nothing. @param {RoomState} room @param {number} now the server's clock */
export const timeLeft = ({ room }, now) => (room?.ends ? t('race.left', { time: clock(Math.max(0, room.ends - now + 999)) }) : '');

/** Our place among all, or nothing for who only watches. @param {import('./places.js').Row[]} rows @param {'place' | 'place_now'} [words] */
export function placeOf(rows, words = 'place') {
  const mine = rows.find(({ me }) => me);
  return mine ? t(`race.${words}`, { place: mine.place, n: rows.length }) : '';
}

/** @param {Tools} tools */
export function createRaceView({ act, serverNow }) {
  const list = createLaneList();
  const track = createTrack();
  const place = h('span', { class: 'race-place' });
  const left = h('span', { class: 'race-left' });
  const name = h('span', { class: 'race-name' });
  const stripPlace = h('span', { class: 'race-place' });
  const stripLeft = h('span', { class: 'race-left' });
  const strip = h('button', { type: 'button', class: 'race-strip', 'aria-haspopup': 'dialog', onclick: () => act({ type: 'panel', panel: 'lanes' }) },
    stripPlace, track.element, stripLeft);
  const element = h('aside', { id: 'lanes', 'aria-label': t('race.lanes') },
    strip, h('div', { class: 'side' }, h('header', { class: 'side-head' }, place, left, name), list.element));

  /** @param {RoomState} room */
  function tick(room) {
    const text = isRunning(room) ? timeLeft(room, serverNow()) : '';
    setText(left, text);
    setText(stripLeft, text);
  }

  return {
    element,
    tick,
    /** @param {State} state @param {RoomState} room */
    render(state, room) {
      const rows = ranking(room);
      const cards = cardsOf(state);
      list.render(rows, cards);
      track.render(rows, cards);
      setText(place, placeOf(rows));
      setText(stripPlace, placeOf(rows));
      strip.ariaLabel = `${t('race.lanes')}. ${placeOf(rows, 'place_now')}`;
      setText(name, t('race.number', { number: room.race }));
      tick(room);
    },
  };
}

/** The lanes in a panel: how it stands, for a phone, and for whoever's own board is over. @param {Tools} tools @returns {(context: import('../panels/dialog.js').Context) => import('../panels/dialog.js').Panel} */
export const lanesPanel = ({ serverNow }) => ({ act }) => {
  const list = createLaneList();
  const about = h('p', { class: 'lanes-about', role: 'status' });
  const left = h('p', { class: 'quiet' });
  const element = dialog('lanes', t('race.lanes'), () => act({ type: 'panel', panel: null }), about, list.element, left);
  return {
    element,
    render(state) {
      if (!element.open || !state.room) return;
      const rows = ranking(state.room);
      list.render(rows, cardsOf(state));
      const flags = state.game?.flags;
      const time = clock(state.game?.elapsed.ms ?? 0);
      const ending = flags?.won ? t('race.you_are_home', { time }) : flags?.givenUp ? t('race.you_gave_up') : '';
      setText(about, [ending, placeOf(rows, 'place_now')].filter(Boolean).join(' '));
      setText(left, timeLeft(state.room, serverNow()));
    },
  };
};
