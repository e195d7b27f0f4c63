/** The lanes of a race on the page: a list with a row for each player, and a strip that says the same on a phone. */

import { isCalm } from '../anim.js';
import { h, setText } from '../dom.js';
import { clock, t } from '../i18n.js';
import { hasEnded } from './places.js';

/** @typedef {import('./places.js').Row} Row */

/** What is to be said of a lane beside its numbers. @param {Row} row */
function standing({ lane }) {
  if (lane.won) return clock(lane.ms ?? 0);
  if (lane.gaveUp) return t('lane.gave_up');
  if (lane.left) return t('lane.left');
  if (!lane.connected) return t('lane.away');
  return lane.stuck ? t('lane.stuck') : '';
}

/** A lane in one sentence, for people who listen. @param {Row} row */
function sentence(row) {
  const { place, name, lane } = row;
  const state = lane.won ? t('lane.home_in', { time: clock(lane.ms ?? 0) }) : standing(row);
  return t('lane.sentence', { place, name, state, home: lane.home, down: lane.down, score: lane.ranked, moves: lane.moves });
}

function createRow() {
  const place = h('span', { class: 'lane-place' });
  const name = h('span', { class: 'lane-name' });
  const state = h('span', { class: 'lane-state' });
  const score = h('span', { class: 'lane-score' });
  const bar = h('span', { class: 'lane-bar' });
  const counts = h('span', { class: 'lane-counts' });
  const words = h('span', { class: 'unseen' });
  const seen = h('div', { class: 'lane-seen', 'aria-hidden': 'true' }, place, name, state, score, h('span', { class: 'lane-track' }, bar), counts);
  const element = h('li', { class: 'lane' }, words, seen);
  return {
    element,
    /** @param {Row} row @param {number} cards how many the game has */
    render(row, cards) {
      const { lane } = row;
      setText(words, sentence(row));
      setText(place, String(row.place));
      setText(name, row.name);
      setText(state, standing(row));
      setText(score, String(lane.ranked));
      setText(counts, t('lane.counts', { home: lane.home, down: lane.down, n: lane.moves }));
      bar.style.transform = `scaleX(${Math.min(1, lane.home / cards)})`;
      element.className = ['lane', row.me && 'mine', lane.won && 'won', hasEnded(lane) && 'ended', !lane.connected && 'away', element.classList.contains('rises') && 'rises'].filter(Boolean).join(' ');
    },
  };
}

/** Places change hands at most so often, in milliseconds: a list that never rests cannot be read. */
const CALM = 1200;

/** Lets rows glide from where they were to where they are, when their order changes. @param {HTMLElement[]} elements @param {() => void} change */
function glide(elements, change) {
  const before = elements.map((element) => element.offsetTop);
  change();
  if (isCalm()) return;
  elements.forEach((element, i) => {
    const by = before[i] - element.offsetTop;
    if (!by) return;
    // Who comes up passes over who goes down.
    element.classList.toggle('rises', by > 0);
    element.animate([{ transform: `translateY(${by}px)` }, { transform: 'none' }], { duration: 220, easing: 'ease-out' });
  });
}

export function createLaneList() {
  const element = h('ol', { class: 'lane-list' });
  /** @type {Map<number, ReturnType<typeof createRow>>} */
  const rows = new Map();
  /** @type {number[]} the seats as they are listed */
  let order = [];
  let since = -CALM;
  let waiting = 0;

  /** @param {number[]} seats */
  function arrange(seats) {
    order = seats;
    since = performance.now();
    for (const seat of rows.keys()) if (!seats.includes(seat)) rows.delete(seat);
    for (const seat of seats) if (!rows.has(seat)) rows.set(seat, createRow());
    glide([...rows.values()].map((row) => row.element), () => {
      element.replaceChildren(...seats.map((seat) => /** @type {HTMLElement} */ (rows.get(seat)?.element)));
    });
  }

  /** @param {Row[]} ranking @param {number} cards */
  function render(ranking, cards) {
    const seats = ranking.map(({ lane }) => lane.seat);
    const rest = since + CALM - performance.now();
    clearTimeout(waiting);
    if (seats.length !== order.length || !element.offsetParent || rest <= 0) {
      if (seats.join() !== order.join()) arrange(seats);
    } else if (seats.join() !== order.join()) waiting = window.setTimeout(() => render(ranking, cards), rest);
    for (const row of ranking) rows.get(row.lane.seat)?.render({ ...row, place: order.indexOf(row.lane.seat) + 1 }, cards);
    element.classList.toggle('many', ranking.length > 8);
  }
  return { element, render };
}

/** Everybody as a mark on one line from no card home to all, for where there is little room. */
export function createTrack() {
  const element = h('span', { class: 'track', 'aria-hidden': 'true' });
  /** @type {Map<number, HTMLElement>} */
  const marks = new Map();
  return {
    element,
    /** @param {Row[]} ranking @param {number} cards */
    render(ranking, cards) {
      const seats = new Set(ranking.map(({ lane }) => lane.seat));
      for (const [seat, mark] of marks) {
        if (seats.has(seat)) continue;
        mark.remove();
        marks.delete(seat);
      }
      for (const { lane, me } of ranking) {
        const mark = marks.get(lane.seat) ?? h('span', {});
        if (!mark.parentNode) element.append(mark);
        marks.set(lane.seat, mark);
        mark.className = ['track-mark', me && 'mine', lane.won && 'won', (lane.gaveUp || lane.left || !lane.connected) && 'off'].filter(Boolean).join(' ');
        mark.style.left = `${(100 * Math.min(1, lane.home / cards)).toFixed(2)}%`;
      }
    },
  };
}
