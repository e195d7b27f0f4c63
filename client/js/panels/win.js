/** The result of a game that was won. */

import { h, icon, setText } from '../dom.js';
import { clock, t } from '../i18n.js';
import { loadPart } from '../lazy.js';
import { rulesetOf } from '../state.js';
import { button, buttons, dialog } from './dialog.js';

/** @typedef {import('./dialog.js').Panel} Panel */
/** @typedef {import('./dialog.js').Context} Context */

/** @param {Context} context @returns {Panel} */
export function winPanel({ act }) {
  /** @param {string} key */
  const figure = (key) => {
    const value = h('dd', {});
    return { value, element: h('div', { class: `figure figure-${key}` }, value, h('dt', {}, t(`win.${key}`))) };
  };
  const [time, moves, score] = ['time', 'moves', 'score'].map(figure);
  const about = h('p', { class: 'win-about' });
  const code = h('p', { class: 'code-line' });
  let letter = 'C';
  let session = '';
  const replay = h('a', {}, t('win.replay'));
  const board = h('a', {}, t('win.board'));
  const links = h('nav', { class: 'win-links' }, board, replay);
  const again = button(t('win.again'), () => act({ type: 'new', origin: 0, text: letter }), 'gold');
  const share = button(t('win.share'), () => act({ type: 'copy', what: 'link' }));
  const element = dialog('win', t('win.title'), () => act({ type: 'panel', panel: null }),
    h('div', { class: 'win-mark' }, icon('peaks')), about,
    h('dl', { class: 'figures' }, time.element, moves.element, score.element), links, code,
    buttons(share, button(t('win.other'), () => act({ type: 'panel', panel: 'new' })), again));

  /** Where the result stands, told when the leaderboard has it. @param {import('../types.js').Game} game */
  function tellPlace(game) {
    // Without a connection the link says no place.
    loadPart('pages/standing.js', () => import('../pages/standing.js')).then(({ boardOf, placeOn }) => {
      const { href, path } = boardOf(game);
      board.href = href;
      return placeOn(path, () => session === game.session);
    }).then((found) => {
      if (found && session === game.session) setText(board, t('win.place', found));
    }, () => {});
  }

  return {
    element,
    render(state) {
      const { game } = state;
      if (!game?.flags.won || !element.open) return;
      letter = game.letter;
      setText(about, t('win.about', { name: rulesetOf(state, game.letter)?.name ?? t('app.name') }));
      setText(time.value, clock(game.elapsed.ms));
      setText(moves.value, String(game.moves));
      setText(score.value, String(game.score));
      setText(code, game.code ?? '');
      share.hidden = replay.hidden = !game.code;
      board.hidden = game.origin === 4;
      replay.href = `/replay/${game.session}`;
      again.disabled = state.dealing !== null;
      // A sealed code opens a moment after the end; the deal's own board needs it.
      const isDecided = game.counts || game.code !== null;
      if (!isDecided || session === game.session || game.origin === 4) return;
      session = game.session;
      setText(board, t('win.board'));
      tellPlace(game);
    },
  };
}
