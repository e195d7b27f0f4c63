/** What is seen beside the cards while a race runs: the lanes at the side or in a strip, the place, the time that is left. */

import { h, setText } from '../dom.js';
import { clock, t } from '../i18n.js';
import { button, dialog } from '../panels/dialog.js';
import { clockAt } from '../state.js';
import { ghostRace, ghostRanking, untilNext } from './ghosts.js';
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

/** Ghosts move by the clock of our own game. @param {State} state */
const rowsOf = (state) => (state.room?.ghosts ? ghostRanking(state, performance.now()) : state.room ? ranking(state.room) : []);

/** The time that is left, in a race of the room or against ghosts. @param {State} state @param {number} now the server's clock */
function leftOf(state, now) {
  const found = ghostRace(state);
  if (!found) return state.room && isRunning(state.room) ? timeLeft(state.room, now) : '';
  const { limit } = found.timeline;
  return limit === null ? '' : t('race.left', { time: clock(Math.max(0, limit - clockAt(found.game, performance.now()) + 999)) });
}

/** After how many milliseconds there is something new to see of the race; 0 for never. @param {State} state */
function nextBeat(state) {
  const found = ghostRace(state);
  if (!found) return 1000;
  if (!found.game.elapsed.running) return 0;
  const next = untilNext(found.timeline, clockAt(found.game, performance.now()));
  return Math.max(50, Math.min(1000, next));
}

/** @param {Tools} tools */
export function createRaceView({ act, room: ask, serverNow }) {
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
    const text = leftOf(state, serverNow());
    setText(left, text);
    setText(stripLeft, text);
    const found = ghostRace(state);
    if (!found) return nextBeat(state);
    lanes(state);
    others.forEach((draw) => draw(state));
    const { limit } = found.timeline;
    if (limit !== null && clockAt(found.game, performance.now()) >= limit) ask({ type: 'ghostsOver' });
    return nextBeat(state);
  }

  /** @param {State} state */
  function lanes(state) {
    const rows = rowsOf(state);
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
      setText(name, room.ghosts ? t('ghosts.of', { number: room.ghosts.race }) : t('race.number', { number: room.race }));
      back.hidden = !room.ghosts;
      const text = leftOf(state, serverNow());
      setText(left, text);
      setText(stripLeft, text);
    },
  };
}

/** The lanes in a panel: how it stands, for a phone, and for whoever's own board is over. @param {Tools} tools @param {Set<(state: State) => void>} others what is drawn while a race goes on by itself @returns {(context: import('../panels/dialog.js').Context) => import('../panels/dialog.js').Panel} */
export const lanesPanel = ({ room, serverNow }, others) => ({ act }) => {
  const list = createLaneList();
  const about = h('p', { class: 'lanes-about', role: 'status' });
  const left = h('p', { class: 'quiet' });
  const back = button(t('ghosts.back'), () => room({ type: 'ghostsBack' }));
  const element = dialog('lanes', t('race.lanes'), () => act({ type: 'panel', panel: null }), about, list.element, left, back);
  const panel = {
    element,
    /** @param {State} state */
    render(state) {
      if (!element.open || !state.room) return;
      const rows = rowsOf(state);
      list.render(rows, cardsOf(state));
      back.hidden = !state.room.ghosts;
      const flags = state.game?.flags;
      const time = clock(state.game?.elapsed.ms ?? 0);
      const ending = flags?.won ? t('race.you_are_home', { time }) : flags?.givenUp ? t('race.you_gave_up') : '';
      setText(about, [ending, placeOf(rows, 'place_now')].filter(Boolean).join(' '));
      setText(left, leftOf(state, serverNow()));
    },
  };
  others.add(panel.render);
  return panel;
};
