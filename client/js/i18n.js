/** Words: every text that is shown comes from a catalogue by its key. */

import en from '../locales/en.js';

/** @type {Record<string, string>} */
const catalogue = { ...en };

/** Adds the words of a part that was loaded later. @param {Record<string, string>} words */
export const extend = (words) => void Object.assign(catalogue, words);

/** @param {string} key */
export const has = (key) => Object.hasOwn(catalogue, key);

/**
 * The text of a key, with {name} replaced by the parameter of that name. `n` chooses the text of `key.one` where it is 1.
 * @param {string} key
 * @param {Record<string, string | number>} [params]
 */
export function t(key, params = {}) {
  const chosen = params.n === 1 && has(`${key}.one`) ? `${key}.one` : key;
  const text = catalogue[chosen] ?? key;
  return text.replace(/\{(\w+)\}/g, (all, name) => String(params[name] ?? all));
}

/** @param {number} ms a duration @returns {string} 4:07, 1:04:07 */
export function clock(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const two = (/** @type {number} */ number) => String(number).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}
