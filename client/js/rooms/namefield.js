/** The field for the nickname of who comes to a room without one. */

import { h } from '../dom.js';
import { t } from '../i18n.js';

/** The field for a nickname, for those who have none yet. */
export function createNameField() {
  const input = h('input', { type: 'text', class: 'field', name: 'nickname', maxlength: 20, autocomplete: 'nickname', 'aria-label': t('room.name') });
  const element = h('label', { class: 'stacked name-field' }, h('span', { class: 'quiet' }, t('room.name')), input);
  return {
    element,
    input,
    /** What was typed, or null where the player has a name. */
    read: () => (element.hidden ? null : input.value.trim() || null),
    /** @param {boolean} wanted */
    want(wanted) {
      element.hidden = !wanted;
      input.required = wanted;
    },
  };
}
