/** Where we stand among the ghosts that we raced: the places, and how each game went. */

import { h, setText } from '../dom.js';
import { t } from '../i18n.js';
import { isOver } from '../state.js';

/** @typedef {import('../types.js').State} State */
/** @typedef {import('./types.js').GhostStanding} GhostStanding */
/** @typedef {import('./ghostview.js').Kit} Kit */
/** @typedef {import('./page.js').View} View */

const WON = 0;
const GAVE_UP = 1;

/** Whether a game may be watched. At the time limit our own is not over, and a game is open to all only then. @param {GhostStanding} row @param {Pick<State, 'game'>} state */
export function hasReplay({ seat, outcome, session }, { game }) {
  return seat !== null || outcome === WON || outcome === GAVE_UP || (game?.session === session && isOver(game));
}

/** @param {GhostStanding} row @param {State} state @param {Kit['outcome']} outcome */
function createRow(row, state, outcome) {
  const isMine = row.seat === null;
  const name = row.name ?? t('ghosts.you');
  const shown = { place: row.place, name, outcome: outcome(row), score: row.ranked, moves: row.moves };
  const cells = Object.entries(shown).map(([key, value]) => h('span', { class: `end-${key}` }, String(value)));
  if (isMine) cells[1].append(h('span', { class: 'end-later' }, t('ghosts.later')));
  const kind = ['end', isMine && 'mine', row.outcome === WON && 'won'].filter(Boolean).join(' ');
  if (!hasReplay(row, state)) return h('li', {}, h('div', { class: kind }, ...cells));
  const words = t(isMine ? 'ghosts.row_mine' : 'ghosts.row', shown);
  return h('li', {}, h('a', { class: kind, href: `/replay/${row.session}`, 'aria-label': words }, ...cells));
}

/** @param {Kit} kit @returns {View} */
export function createLater({ room, outcome, goOn }) {
  const about = h('p', { class: 'quiet end-about' });
  const head = h('div', { class: 'end end-head', 'aria-hidden': 'true' },
    ...['place', 'name', 'outcome', 'score', 'moves'].map((key) => h('span', { class: `end-${key}` }, key === 'place' || key === 'name' ? '' : t(`end.${key}`))));
  const list = h('ol', { class: 'ends' });
  const words = h('p', { class: 'quiet foot-words' }, t('ghosts.stays'));
  const foot = h('footer', { class: 'room-foot' }, words, goOn(t('ghosts.back'), () => room({ type: 'ghostsBack' })));
  /** @type {GhostStanding[] | null} */
  let shown = null;
  return {
    element: h('div', { class: 'standings later' }, h('section', { class: 'places' }, about, head, list)),
    foot,
    title(_, { ghosts }) {
      const rows = ghosts?.rows ?? [];
      return t('ghosts.place', { place: rows.find(({ seat }) => seat === null)?.place ?? 0, n: rows.length });
    },
    render(state, { ghosts }) {
      if (!ghosts?.rows || ghosts.rows === shown) return;
      shown = ghosts.rows;
      setText(about, t('ghosts.of', { number: ghosts.race }));
      list.replaceChildren(...shown.map((row) => createRow(row, state, outcome)));
    },
  };
}
