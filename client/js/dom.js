/** Elements made in few words. Text is always set as text, never as markup. */

/** @typedef {Node | string | null | undefined | false} Child */

/**
 * An element. Properties that begin with `on` are listeners, `data-…` and `aria-…` and the rest attributes; true is an empty
 * attribute, false and null none.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, unknown>} [properties]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (typeof value === 'function') element.addEventListener(key.slice(2), /** @type {EventListener} */ (value));
    else if (value === true) element.setAttribute(key, '');
    else if (value !== false && value != null) element.setAttribute(key, String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Sets a text only when it is another one. @param {Node} node @param {string} text */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** @type {Record<string, string>} */
const PATHS = {
  undo: 'M8 5 3.5 9.5 8 14M4 9.5h9.5a6 6 0 0 1 0 12H9',
  show: 'M2.5 12s3.5-6.5 9.5-6.5S21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12ZM12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6Z',
  finish: 'M6 13l6-6 6 6M6 19l6-6 6 6',
  pause: 'M8.5 5v14M15.5 5v14',
  new: 'M5 4h10v16H5zM19 8v12M9 12h2',
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6 6 18',
  copy: 'M9 9h11v11H9zM15 5H4v11',
  peaks: 'M2 20 9 7l4 7 3-4 6 10Z',
};

/** A line drawing of ours. @param {string} name */
export const icon = (name) => drawing(PATHS[name]);

/** A line drawing, in a box of 24 by 24. @param {string} d the way of the pen */
export function drawing(d) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', d);
  svg.append(path);
  return svg;
}
