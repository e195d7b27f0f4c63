/** The part for choosing what a race is made of, loaded with the first panel that asks for it: cards, time limit, rules. */

import { codeFrom } from '../code.js';
import { h, setText } from '../dom.js';
import { extend, t } from '../i18n.js';
import { button, buttons, dialog } from '../panels/dialog.js';
import { check, choice } from '../panels/newgame.js';
import words from '../../locales/en-settings.js';

/** @typedef {import('../types.js').State} State */
/** @typedef {import('./types.js').RaceSettings} RaceSettings */
/** @typedef {import('./rooms.js').Tools} Tools */
/** @typedef {import('../panels/dialog.js').Context} Context */
/** @typedef {import('../panels/dialog.js').Panel} Panel */

/**
 * What the part for rooms gives to this one, so that nothing is loaded twice.
 * @typedef {Pick<Tools, 'room'> & {createNameField: typeof import('./namefield.js').createNameField}} Kit
 */

extend(words);

const LIMITS = [0, 5, 10, 15, 30];

/** @param {string} group @param {string} value @param {string} label @param {string} [spoken] */
const segment = (group, value, label, spoken) =>
  h('label', { class: 'segment' }, h('input', { type: 'radio', name: group, value, 'aria-label': spoken }), h('span', {}, label));

/** The fields of a race's settings, to be put into a form. @param {() => FormData} data of that form */
function createFields(data) {
  const choices = h('div', { class: 'choices' });
  const rules = h('fieldset', { class: 'group group-rules' }, h('legend', {}, t('new.rules')), choices);
  const code = h('input', {
    type: 'text', class: 'field', name: 'code', placeholder: t('new.example'), 'aria-label': t('new.code'),
    autocomplete: 'off', autocapitalize: 'characters', spellcheck: 'false', maxlength: 200,
  });
  const about = h('p', { class: 'quiet' });
  const cards = h('fieldset', { class: 'group group-cards' }, h('legend', {}, t('new.cards')),
    h('div', { class: 'segments' }, segment('cards', 'sealed', t('race.sealed')), segment('cards', 'typed', t('race.typed'))), about, code);
  const limits = h('fieldset', { class: 'group group-cards group-limit' }, h('legend', {}, t('race.limit_minutes')),
    h('div', { class: 'segments' }, ...LIMITS.map((minutes) =>
      segment('limit', String(minutes), minutes ? String(minutes) : t('race.none'), minutes ? t('race.minutes', { n: minutes }) : undefined))));

  let letters = '';
  /** The rules, as soon as they are known. @param {State} state @param {string} letter which of them is chosen */
  function list(state, letter) {
    const now = state.rulesets.map((ruleset) => ruleset.letter).join('');
    if (now === letters) return;
    letters = now;
    choices.replaceChildren(...state.rulesets.map((ruleset) => choice('letter', ruleset.letter, ruleset.name, ruleset.sentence)));
    check(choices, letter);
  }

  function arrange() {
    const typed = data().get('cards') === 'typed';
    setText(about, t(typed ? 'race.typed_about' : 'race.sealed_about'));
    code.hidden = !typed;
    code.required = typed;
    rules.hidden = rules.disabled = typed;
  }
  return {
    elements: [cards, limits, rules],
    arrange,
    list,
    /** @param {State} state @param {RaceSettings} settings */
    fill(state, settings) {
      list(state, settings.letter);
      check(choices, settings.letter);
      check(cards, settings.code === null ? 'sealed' : 'typed');
      check(limits, String(settings.limit));
      code.value = settings.code ?? '';
      arrange();
    },
    /** @returns {RaceSettings} */
    read() {
      const typed = data().get('cards') === 'typed';
      return {
        letter: String(data().get('letter') ?? 'C'),
        code: typed ? codeFrom(code.value).slice(0, 100) : null,
        limit: Number(data().get('limit') ?? 0),
      };
    },
  };
}

/** The room that was typed or pasted: a code, an id, or a whole link. @param {string} text */
const roomFrom = (text) => (/\/r\/([^/?#\s]+)/i.exec(text)?.[1] ?? text).trim().slice(0, 40);

/** @param {Kit} kit @returns {(context: Context) => Panel} */
const racePanel = ({ room, createNameField }) => ({ act }) => {
  const name = createNameField();
  const at = h('input', {
    type: 'text', class: 'field room-code-field', name: 'room', placeholder: t('room.code_example'), 'aria-label': t('room.code'),
    required: true, autocomplete: 'off', autocapitalize: 'characters', spellcheck: 'false', maxlength: 200,
  });
  const join = h('form', { class: 'join', method: 'dialog' }, at, h('button', { type: 'submit', class: 'button' }, t('room.join')));
  const open = h('button', { type: 'submit', class: 'button button-gold' }, t('room.open'));
  const form = h('form', { method: 'dialog' });
  const fields = createFields(() => new FormData(form));
  form.append(...fields.elements, h('div', { class: 'panel-foot' }, buttons(open)));
  form.addEventListener('change', fields.arrange);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (hasName()) room({ type: 'make', name: name.read(), settings: fields.read() });
  });
  join.addEventListener('submit', (event) => {
    event.preventDefault();
    if (hasName()) room({ type: 'enter', room: roomFrom(at.value), name: name.read() });
  });
  const hasName = () => name.element.hidden || name.input.reportValidity();
  const element = dialog('race', t('race.title'), () => act({ type: 'panel', panel: null }),
    name.element, h('fieldset', { class: 'group join-group' }, h('legend', {}, t('room.join_about')), join), form);
  let wasOpen = false;
  return {
    element,
    render(state) {
      fields.list(state, state.settings.lastRuleset);
      if (element.open && !wasOpen) {
        fields.fill(state, { letter: state.settings.lastRuleset, code: state.raceOn, limit: 0 });
        name.want(!state.player?.name);
        (name.element.hidden ? open : name.input).focus();
      }
      wasOpen = element.open;
      const busy = Boolean(state.room?.asking);
      open.disabled = busy;
      setText(open, t(busy ? 'room.opening' : 'room.open'));
    },
  };
};

/** @param {Kit} kit @returns {(context: Context) => Panel} */
const changePanel = ({ room }) => ({ act }) => {
  const form = h('form', { method: 'dialog' });
  const fields = createFields(() => new FormData(form));
  const close = () => act({ type: 'panel', panel: null });
  form.append(...fields.elements, h('div', { class: 'panel-foot' }, h('p', { class: 'quiet' }, t('race.change_about')),
    buttons(button(t('room.keep'), close), h('button', { type: 'submit', class: 'button button-gold' }, t('race.change')))));
  form.addEventListener('change', fields.arrange);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    room({ type: 'change', settings: fields.read() });
  });
  const element = dialog('change', t('race.settings'), close, form);
  let wasOpen = false;
  return {
    element,
    render(state) {
      const now = state.room?.room;
      if (now && element.open && !wasOpen) fields.fill(state, { letter: now.letter, code: now.commitment ? null : now.game, limit: now.limit });
      wasOpen = element.open;
    },
  };
};

/** The panels to make a race and to change one. @param {Kit} kit */
export const createSettings = (kit) => ({ race: racePanel(kit), change: changePanel(kit) });
