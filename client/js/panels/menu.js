/** The menu: settings, the player's name, and the ways to the smaller panels. */

import { h, setText } from '../dom.js';
import { t } from '../i18n.js';
import { inRoom, isOver } from '../state.js';
import { button, buttons, dialog } from './dialog.js';

/** @typedef {import('./dialog.js').Panel} Panel */
/** @typedef {import('./dialog.js').Context} Context */

const SWITCHES = /** @type {const} */ ([
  ['doubleClick', 'double_click'],
  ['placementHelp', 'placement_help'],
  ['interactiveRules', 'interactive_rules'],
  ['autoPlacement', 'auto_placement'],
  ['fourColours', 'four_colours'],
]);
const THEMES = /** @type {const} */ (['system', 'light', 'dark']);

/** @param {Context} context @returns {Panel} */
export function menuPanel({ act, settings, race }) {
  const switches = SWITCHES.map(([key, words]) => {
    const input = h('input', {
      type: 'checkbox', role: 'switch', name: key,
      onchange: () => settings({ [key]: input.checked }),
    });
    const label = h('label', { class: 'switch' },
      h('span', { class: 'choice-label' }, t(`menu.${words}`)),
      h('span', { class: 'choice-about' }, t(`menu.${words}_about`)), input);
    return { key, input, label };
  });
  const themes = THEMES.map((theme) => {
    const input = h('input', { type: 'radio', name: 'theme', value: theme, onchange: () => settings({ theme }) });
    return { theme, input, label: h('label', { class: 'segment' }, input, h('span', {}, t(`menu.theme_${theme}`))) };
  });
  const name = h('span', { class: 'menu-name' });
  const share = button(t('menu.share'), () => act({ type: 'panel', panel: 'share' }));
  const friends = button(t('menu.race'), race);
  const leave = button(t('menu.leave_room'), () => act({ type: 'panel', panel: 'leave' }));
  const giveUp = button(t('menu.give_up'), () => act({ type: 'panel', panel: 'giveUp' }), 'warning');
  const pages = h('nav', { class: 'menu-pages', 'aria-label': t('menu.pages') },
    ...['boards', 'daily', 'me'].map((page) => h('a', { href: `/${page}` }, t(`menu.${page}`))));
  const element = dialog('menu', t('menu.title'), () => act({ type: 'panel', panel: null }),
    pages,
    buttons(friends, button(t('menu.help'), () => act({ type: 'panel', panel: 'help' })), share, giveUp, leave),
    h('fieldset', { class: 'group' }, h('legend', {}, t('menu.settings')), ...switches.map(({ label }) => label),
      h('div', { class: 'switch', role: 'radiogroup', 'aria-label': t('menu.theme') },
        h('span', { class: 'choice-label' }, t('menu.theme')), h('span', { class: 'segments' }, ...themes.map(({ label }) => label))),
      h('div', { class: 'switch' }, h('span', { class: 'choice-label' }, t('menu.name')), name,
        button(t('menu.rename'), () => act({ type: 'panel', panel: 'name' })))));
  return {
    element,
    render(state) {
      for (const { key, input } of switches) input.checked = state.settings[key];
      for (const { theme, input } of themes) input.checked = state.settings.theme === theme;
      setText(name, state.player?.name ?? t('menu.no_name'));
      pages.hidden = friends.hidden = share.hidden = inRoom(state);
      leave.hidden = !inRoom(state);
      share.disabled = !state.game;
      giveUp.disabled = !state.game || isOver(state.game);
    },
  };
}

/** @param {Context} context @returns {Panel} */
export function namePanel({ act, rename }) {
  const input = h('input', { type: 'text', class: 'field', name: 'name', maxlength: 20, required: true, autofocus: true, autocomplete: 'nickname' });
  const form = h('form', { method: 'dialog' },
    h('label', { class: 'stacked' }, h('span', {}, t('name.label')), input),
    buttons(h('button', { type: 'submit', class: 'button button-gold' }, t('name.save'))));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (input.value.trim()) rename(input.value.trim());
  });
  const element = dialog('name', t('name.title'), () => act({ type: 'panel', panel: null }), form);
  let wasOpen = false;
  return {
    element,
    render(state) {
      if (element.open && !wasOpen) input.value = state.player?.name ?? '';
      wasOpen = element.open;
    },
  };
}
