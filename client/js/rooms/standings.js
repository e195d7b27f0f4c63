/** The end of a race: places, the final boards, the seal and how to check it, and what comes next. */

import { drawing, h, setText } from '../dom.js';
import { clock, t } from '../i18n.js';
import { button } from '../panels/dialog.js';
import { mayRace } from './ghosts.js';
import { CHECK, describeRace } from './lobby.js';
import { goOn, setChildren } from './page.js';
import { createPast } from './past.js';
import { shortSeal } from './places.js';
import { createSmallBoard } from './smallboard.js';
import { checkLine } from './update.js';
import { WON } from './wire.js';

/** @typedef {import('../types.js').State} State */
/** @typedef {import('./types.js').RoomState} RoomState */
/** @typedef {import('./types.js').Standings} Standings */
/** @typedef {import('./types.js').Standing} Standing */
/** @typedef {import('./rooms.js').Tools} Tools */
/** @typedef {import('./page.js').View} View */

const OUTCOMES = ['won', 'gave_up', 'left', 'blocked', 'out_of_time', 'playing'];

/** @param {Pick<Standing, 'outcome' | 'ms'>} row */
export const outcome = ({ outcome: number, ms }) => (number === WON ? clock(ms ?? 0) : t(`outcome.${OUTCOMES[number] ?? 'playing'}`));

/** @param {RoomState} mine */
function headline({ standings, seat }) {
  const [best] = standings?.rows ?? [];
  if (!best) return t('end.title');
  if (best.outcome !== WON) return t(best.seat === seat ? 'end.you_lead' : 'end.leads', { name: best.name });
  return t(best.seat === seat ? 'end.you_win' : 'end.wins', { name: best.name });
}

/** @param {string} code @returns {Promise<string | null>} its SHA-256 in hex; null where the browser computes none */
async function sealOf(code) {
  if (!globalThis.crypto?.subtle) return null;
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(code)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The code, and for sealed cards the proof that they were fixed before. @param {Tools} tools */
function createProof({ room }) {
  const code = h('p', { class: 'code-line' });
  const verdict = h('p', { class: 'verdict', role: 'status' });
  const seal = h('button', { type: 'button', class: 'seal-line', onclick: () => room({ type: 'copy', what: 'seal' }) });
  const line = h('button', { type: 'button', class: 'check-line', onclick: () => room({ type: 'copy', what: 'check' }) });
  const sealed = h('div', { class: 'sealed' }, verdict, h('p', { class: 'quiet' }, t('seal.was'), ' ', seal), h('p', { class: 'quiet' }, t('seal.check')), line);
  const element = h('section', { class: 'proof' }, h('h2', { class: 'room-part' }, t('end.cards')), code, sealed);
  let checked = '';
  return {
    element,
    /** @param {Standings} standings */
    render({ game, commitment }) {
      setText(code, game);
      sealed.hidden = !commitment;
      if (!commitment || checked === game) return;
      checked = game;
      setText(seal, shortSeal(commitment));
      seal.title = commitment;
      setText(line, checkLine(game));
      setText(verdict, '');
      sealOf(game).then((hex) => {
        const holds = hex === commitment;
        verdict.classList.toggle('holds', holds);
        verdict.classList.toggle('broken', hex !== null && !holds);
        verdict.replaceChildren(...(holds ? [drawing(CHECK)] : []), t(hex === null ? 'seal.cannot' : holds ? 'seal.holds' : 'seal.broken'));
      });
    },
  };
}

/** @param {Tools} tools */
function createRow({ room }) {
  let seat = -1;
  const cells = Object.fromEntries(['place', 'name', 'outcome', 'score', 'moves'].map((key) => [key, h('span', { class: `end-${key}` })]));
  const element = h('button', { type: 'button', class: 'end', onclick: () => room({ type: 'look', seat }) }, ...Object.values(cells));
  return {
    item: h('li', {}, element),
    /** @param {Standing} row @param {RoomState} mine */
    render(row, mine) {
      seat = row.seat;
      setText(cells.place, String(row.place));
      setText(cells.name, row.name);
      setText(cells.outcome, outcome(row));
      setText(cells.score, String(row.ranked));
      setText(cells.moves, String(row.moves));
      element.ariaLabel = t('end.row', { place: row.place, name: row.name, outcome: outcome(row), score: row.ranked, moves: row.moves });
      element.ariaPressed = String(mine.looking === seat);
      element.classList.toggle('mine', seat === mine.seat);
      element.classList.toggle('won', row.outcome === WON);
    },
  };
}

/** @param {Tools} tools @returns {View} */
export function createStandings(tools) {
  const { room } = tools;
  const about = h('p', { class: 'quiet end-about' });
  const head = h('div', { class: 'end end-head', 'aria-hidden': 'true' },
    ...['place', 'name', 'outcome', 'score', 'moves'].map((key) => h('span', { class: `end-${key}` }, key === 'place' || key === 'name' ? '' : t(`end.${key}`))));
  const list = h('ol', { class: 'ends' });
  /** @type {ReturnType<typeof createRow>[]} */
  const rows = [];
  const board = createSmallBoard();
  const whose = h('span', { class: 'quiet' });
  const film = h('a', { class: 'film' }, t('end.film'));
  const caption = h('figcaption', {}, whose, film);
  const figure = h('figure', { class: 'final' }, board.element, caption);
  const proof = createProof(tools);
  const past = createPast(tools);
  const words = h('p', { class: 'quiet foot-words' });
  const same = button(t('end.same'), () => room({ type: 'rematch', same: true }));
  const again = goOn(t('end.again'), () => room({ type: 'rematch', same: false }));
  let number = 0;
  const ghosts = goOn(t('ghosts.race'), () => room({ type: 'ghosts', race: number }));
  const foot = h('footer', { class: 'room-foot' }, words, same, ghosts, again);
  const element = h('div', { class: 'standings' }, h('section', { class: 'places' }, about, head, list), figure, proof.element, past.element);

  return {
    element,
    foot,
    title: (_, mine) => headline(mine),
    render(state, mine) {
      const { standings, room: now } = mine;
      const isHost = mine.seat !== null && mine.seat === now?.host;
      if (now) setText(about, [t('race.number', { number: mine.race }), describeRace(state, now), t(`ending.${standings?.ending ?? now.ending ?? 0}`)].join(' · '));
      while (rows.length < (standings?.rows.length ?? 0)) rows.push(createRow(tools));
      if (standings) {
        setChildren(list, standings.rows.map((row, i) => {
          rows[i].render(row, mine);
          return rows[i].item;
        }));
        proof.render(standings);
      }
      const looked = standings?.rows.find(({ seat }) => seat === mine.looking);
      const label = looked ? t('end.board', { name: looked.name }) : '';
      setText(whose, label);
      film.hidden = !looked;
      if (looked) film.href = `/replay/${looked.session}`;
      board.render(mine.looking === null ? null : mine.boards[mine.looking] ?? null, label);
      past.render(state, mine.evening.length > 1 ? mine.evening : []);
      same.hidden = again.hidden = !isHost;
      same.disabled = again.disabled = state.connection !== 'open';
      const host = now?.seats.find(({ seat }) => seat === now.host)?.name;
      number = mine.race;
      ghosts.hidden = !mayRace(state, number);
      ghosts.className = isHost ? 'button' : 'button button-gold';
      ghosts.disabled = state.connection !== 'open' || mine.ghosts !== null;
      setText(words, isHost ? '' : !ghosts.hidden ? t('ghosts.about') : host ? t('end.wait_host', { name: host }) : '');
    },
  };
}
