/** What is seen beside the cards while a race runs: the lanes at the side or in a strip, the place, the time that is left. */

import { h, setText } from '../dom.js';
import { clock, t } from '../i18n.js';
import { button, dialog } from '../panels/dialog.js';
import { createLaneList, createTrack } from './lanes.js';
import { isRunning, ranking } from './places.js';

/** @typedef {import('../types.js').State} State */
/** @typedef {import('./types.js').RoomState} RoomState */
/** @typedef {import('./rooms.js').Tools} Tools */

/** How many cards the ruleset that is raced has. @param {State} state */
export function cardsOf({ rulesets, room, game }) {
  const raced = room?.ghosts ? game?.letter : room?.room?.letter;
  return 52 * (rulesets.find(({ letter }) => letter === raced)?.decks ?? 1);
}

/** The time that is left in a race with a limit, else nothing. @param {RoomState} room @param {number} now the server's clock */
export const timeLeft = ({ room }, now) => (room?.ends ? t('race.left', { time: clock(Math.max(0, room.ends - now + 999)) }) : '');

/** Our place among all, or nothing for who only watches. @param {import('./places.js').Row[]} rows @param {'place' | 'place_now'} [words] */
export function placeOf(rows, words = 'place') {
  const mine = rows.find(({ me }) => me);
  return mine ? t(`race.${words}`, { place: mine.place, n: rows.length }) : '';
}

/** The lanes in their order; ghosts move by the clock of our own game. @param {State} state @param {Tools} tools */
const rowsOf = (state, { ghosts }) => (state.room?.ghosts ? ghosts()?.ranking(state) ?? [] : state.room ? ranking(state.room) : []);

/** The time that is left. @param {State} state @param {Tools} tools */
function leftOf(state, { ghosts, serverNow }) {
  if (state.room?.ghosts) return ghosts()?.left(state) ?? '';
  return state.room && isRunning(state.room) ? timeLeft(state.room, serverNow()) : '';
}

/** @param {Tools} tools */
export function createRaceView(tools) {
  const { act, room: ask, ghosts } = tools;
  const list = createLaneList();
  const track = createTrack();
  const place = h('span', { class: 'race-place' });
  const left = h('span', { class: 'race-left' });
  const name = h('span', { class: 'race-name' });
  const stripPlace = h('span', { class: 'race-place' });
  const stripLeft = h('span', { class: 'race-left' });
  const strip = h('button', { type: 'button', class: 'race-strip', 'aria-haspopup': 'dialog', onclick: () => act({ type: 'panel', panel: 'lanes' }) },
    stripPlace, track.element, stripLeft);
  const back = button(t('ghosts.back'), () => ask({ type: 'ghostsBack' }));
  const element = h('aside', { id: 'lanes', 'aria-label': t('race.lanes') },
    strip, h('div', { class: 'side' }, h('header', { class: 'side-head' }, place, left, name), list.element, back));
  /** What else shows the race, such as its panel. @type {Set<(state: State) => void>} */
  const others = new Set();

  /** What goes on by itself; after how many milliseconds it does again. @param {State} state */
  function tick(state) {
    clocks(state);
    if (!state.room?.ghosts) return 1000;
    lanes(state);
    others.forEach((draw) => draw(state));
    return ghosts()?.beat(state) ?? 1000;
  }

  /** @param {State} state */
  function clocks(state) {
    const text = leftOf(state, tools);
    setText(left, text);
    setText(stripLeft, text);
  }

  /** @param {State} state */
  function lanes(state) {
    const rows = rowsOf(state, tools);
    const cards = cardsOf(state);
    list.render(rows, cards);
    track.render(rows, cards);
    setText(place, placeOf(rows));
    setText(stripPlace, placeOf(rows));
    strip.ariaLabel = `${t('race.lanes')}. ${placeOf(rows, 'place_now')}`;
  }

  return {
    element,
    tick,
    others,
    /** @param {State} state @param {RoomState} room */
    render(state, room) {
      lanes(state);
      setText(name, room.ghosts ? ghosts()?.name(state) ?? '' : t('race.number', { number: room.race }));
      back.hidden = !room.ghosts;
      clocks(state);
    },
  };
}

/** The lanes in a panel: how it stands, for a phone, and for whoever's own board is over. @param {Tools} tools @param {Set<(state: State) => void>} others what is drawn while a race goes on by itself @returns {(context: import('../panels/dialog.js').Context) => import('../panels/dialog.js').Panel} */
export const lanesPanel = (tools, others) => ({ act }) => {
  const list = createLaneList();
  const about = h('p', { class: 'lanes-about', role: 'status' });
  const left = h('p', { class: 'quiet' });
  const back = button(t('ghosts.back'), () => tools.room({ type: 'ghostsBack' }));
  const element = dialog('lanes', t('race.lanes'), () => act({ type: 'panel', panel: null }), about, list.element, left, back);
  const panel = {
    element,
    /** @param {State} state */
    render(state) {
      if (!element.open || !state.room) return;
      const rows = rowsOf(state, tools);
      list.render(rows, cardsOf(state));
      back.hidden = !state.room.ghosts;
      const flags = state.game?.flags;
      const time = clock(state.game?.elapsed.ms ?? 0);
      const ending = flags?.won ? t('race.you_are_home', { time }) : flags?.givenUp ? t('race.you_gave_up') : '';
      setText(about, [ending, placeOf(rows, 'place_now')].filter(Boolean).join(' '));
      setText(left, leftOf(state, tools));
    },
  };
  others.add(panel.render);
  return panel;
};
