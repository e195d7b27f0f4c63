/** The small panels: share, help, give up, pause. */

import { h, setText } from '../dom.js';
import { t } from '../i18n.js';
import { inRoom, rulesetOf } from '../state.js';
import { button, buttons, dialog, paragraph } from './dialog.js';

/** @typedef {import('./dialog.js').Panel} Panel */
/** @typedef {import('./dialog.js').Context} Context */

/** @param {Context} context @returns {Panel} */
export function sharePanel({ act }) {
  const about = h('p', {});
  const code = h('p', { class: 'code-line' });
  const row = buttons(
    button(t('share.copy_code'), () => act({ type: 'copy', what: 'code' })),
    button(t('share.copy_link'), () => act({ type: 'copy', what: 'link' }), 'gold'));
  const element = dialog('share', t('share.title'), () => act({ type: 'panel', panel: null }), about, code, row);
  return {
    element,
    render({ game }) {
      const sealed = game !== null && game.code === null;
      setText(about, t(sealed ? 'share.sealed' : 'share.about'));
      setText(code, (sealed ? game.commitment : game?.code) ?? '');
      code.classList.toggle('seal', sealed);
      row.hidden = sealed;
    },
  };
}

/** @param {Context} context @returns {Panel} */
export function helpPanel({ act }) {
  const fit = h('li', {});
  const lines = ['goal', 'move', 'empty', 'down', 'touch', 'keys'].map((key) => h('li', { class: `help-${key}` }, t(`help.${key}`)));
  lines.splice(2, 0, fit);
  const element = dialog('help', t('help.title'), () => act({ type: 'panel', panel: null }), h('ul', { class: 'help' }, ...lines));
  return {
    element,
    render(state) {
      const ruleset = state.game && rulesetOf(state, state.game.letter);
      fit.hidden = !ruleset;
      if (ruleset) setText(fit, t('help.fit', { name: ruleset.name, sentence: ruleset.sentence }));
    },
  };
}

/** @param {Context} context @returns {Panel} */
export function giveUpPanel({ act }) {
  const close = () => act({ type: 'panel', panel: null });
  const yes = () => {
    close();
    act({ type: 'resign' });
  };
  const about = paragraph('');
  const element = dialog('give-up', t('give_up.title'), close, about,
    buttons(button(t('action.cancel'), close), button(t('give_up.yes'), yes, 'warning')));
  return { element, render: (state) => setText(about, t(inRoom(state) ? 'give_up.about_race' : 'give_up.about')) };
}

/** @param {Context} context @returns {Panel} */
export function pausePanel({ act }) {
  const resume = () => act({ type: 'resume' });
  const element = dialog('pause', t('pause.title'), null, paragraph(t('pause.about')),
    buttons(button(t('pause.resume'), resume, 'gold')));
  element.addEventListener('cancel', resume);
  return { element, render() {} };
}
