/** Choosing a new game: the rules, and where the cards come from. */

import { codeFrom } from '../code.js';
import { h, setText } from '../dom.js';
import { t } from '../i18n.js';
import { isOver, rulesetOf } from '../state.js';
import { button, buttons, dialog, paragraph } from './dialog.js';
import { BAD_CODE, connectionWords, words } from './notices.js';

/** @typedef {import('../types.js').State} State */
/** @typedef {import('./dialog.js').Panel} Panel */
/** @typedef {import('./dialog.js').Context} Context */

/** What a new game may be made of, with the number that the wire has for it. */
const ORIGINS = /** @type {const} */ ([['random', 0], ['ranked', 2], ['daily', 3], ['typed', 1]]);

/** @param {State} state */
const isUnfinished = ({ game }) => game !== null && !isOver(game) && game.moves > 0;

/** What there is to say beneath a panel that deals: why it takes so long, or what becomes of the game before. @param {State} state @param {string} unfinished */
const noteOf = (state, unfinished) => (state.dealing && connectionWords(state)) || (isUnfinished(state) ? t(unfinished) : '');

/** @param {string} group @param {string} value @param {string} label @param {string} about */
export function choice(group, value, label, about) {
  return h('label', { class: 'choice' },
    h('input', { type: 'radio', name: group, value }),
    h('span', { class: 'choice-label' }, label),
    h('span', { class: 'choice-about' }, about));
}

/** @param {Context} context @returns {Panel} */
export function newPanel({ act, race }) {
  const list = h('div', { class: 'choices' });
  const rules = h('fieldset', { class: 'group group-rules' }, h('legend', {}, t('new.rules')), list);
  const input = h('input', {
    type: 'text', class: 'field', name: 'code', placeholder: t('new.example'), 'aria-label': t('new.code'),
    'aria-describedby': 'new-about', autocomplete: 'off', autocapitalize: 'characters', spellcheck: 'false', maxlength: 200,
  });
  const about = h('p', { id: 'new-about', class: 'quiet', role: 'status' });
  const cards = h('fieldset', { class: 'group group-cards' },
    h('legend', {}, t('new.cards')),
    h('div', { class: 'segments' }, ...ORIGINS.map(([name]) => h('label', { class: 'segment' },
      h('input', { type: 'radio', name: 'origin', value: name }), h('span', {}, t(`new.${name}`))))),
    about, input);
  const deal = h('button', { type: 'submit', class: 'button button-gold' }, t('new.deal'));
  const note = h('p', { class: 'quiet' });
  const form = h('form', { method: 'dialog' }, cards, rules, h('div', { class: 'panel-foot' }, note, buttons(button(t('new.race'), race), deal)));
  const element = dialog('new', t('new.title'), () => act({ type: 'panel', panel: null }), form);

  const origin = () => ORIGINS.find(([name]) => name === new FormData(form).get('origin')) ?? ORIGINS[0];
  /** @param {string} [wrong] what is wrong with the code */
  const arrange = (wrong = '') => {
    const typed = origin()[0] === 'typed';
    setText(about, wrong || t(`new.${origin()[0]}_about`));
    about.classList.toggle('wrong', wrong !== '');
    input.setAttribute('aria-invalid', String(wrong !== ''));
    input.hidden = !typed;
    input.required = typed;
    // The code says which rules: there is nothing to choose.
    rules.hidden = rules.disabled = typed;
  };
  form.addEventListener('change', () => {
    arrange();
    if (!input.hidden && document.activeElement !== input) input.focus();
  });
  input.addEventListener('input', () => arrange());
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const [name, number] = origin();
    // The contract takes no longer text, and no code is nearly as long.
    const text = name === 'typed' ? codeFrom(input.value).slice(0, 100) : String(new FormData(form).get('letter') ?? 'C');
    act({ type: 'new', origin: number, text });
  });

  let letters = '';
  /** @param {State} state */
  function fill(state) {
    const now = state.rulesets.map((ruleset) => ruleset.letter).join('');
    if (now === letters) return;
    letters = now;
    list.replaceChildren(...state.rulesets.map(({ letter, name, sentence }) => choice('letter', letter, name, sentence)));
    check(list, state.settings.lastRuleset);
  }

  let told = 0;
  /** @param {State} state */
  function refused({ notice }) {
    if (notice?.key !== BAD_CODE || notice.id === told) return;
    told = notice.id;
    check(cards, 'typed');
    arrange(words(notice));
    input.select();
  }

  let wasOpen = false;
  /** @param {State} state */
  function render(state) {
    fill(state);
    if (element.open && !wasOpen) {
      check(list, state.settings.lastRuleset);
      check(cards, 'random');
      input.value = '';
      arrange();
      const checked = list.querySelector('input:checked');
      if (checked instanceof HTMLElement) checked.focus();
    }
    wasOpen = element.open;
    if (wasOpen) refused(state);
    const { dealing } = state;
    deal.disabled = dealing !== null;
    setText(deal, t(dealing ? 'new.dealing' : 'new.deal'));
    setText(note, noteOf(state, 'new.unfinished'));
  }
  return { element, render };
}

/** @param {HTMLElement} group @param {string} value */
export function check(group, value) {
  const inputs = [...group.querySelectorAll('input')].filter((input) => input.type === 'radio');
  const input = inputs.find((candidate) => candidate.value === value) ?? inputs[0];
  if (input) input.checked = true;
}

/** A link's deal: nothing happens until the button is pressed. @param {Context} context @returns {Panel} */
export function offerPanel({ act }) {
  const code = h('p', { class: 'code-line' });
  const rules = h('p', {});
  let offered = '';
  const deal = button(t('offer.deal'), () => act({ type: 'new', origin: 1, text: offered }), 'gold');
  const close = () => act({ type: 'panel', panel: null });
  const note = h('p', { class: 'quiet' });
  const element = dialog('offer', t('offer.title'), close,
    paragraph(t('offer.about')), code, rules, note, buttons(button(t('offer.not_now'), close), deal));
  return {
    element,
    render(state) {
      offered = codeFrom(state.offer ?? offered);
      setText(code, offered);
      const ruleset = rulesetOf(state, /^yu1[\s-]*([a-z])/i.exec(offered)?.[1].toUpperCase() ?? '');
      setText(rules, ruleset ? `${ruleset.name}. ${ruleset.sentence}` : '');
      setText(note, noteOf(state, 'offer.unfinished'));
      deal.disabled = state.dealing !== null;
    },
  };
}
