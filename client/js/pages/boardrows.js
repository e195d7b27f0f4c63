/** The rows of a leaderboard on the page: one node for each player, kept while they have a row. */

import { isCalm } from '../anim.js';
import { h } from '../dom.js';
import { clock, t } from '../i18n.js';
import { count, when, whenExactly } from './format.js';
import { mark, play } from './parts.js';

/** @typedef {import('./rows.js').Row} Row */
/** @typedef {import('../route.js').Context} Context */
/** @typedef {{order: string, me: string, fresh?: Row[], hasCode?: boolean}} Manner */

const GLIDE = 260;

/** What decides comes first and is strong. @param {string} order @returns {('time' | 'score' | 'moves')[]} */
const figuresOf = (order) => (order === 'moves' ? ['moves', 'time', 'score'] : ['time', 'score', 'moves']);

/** @param {Row} row @param {'time' | 'score' | 'moves'} name */
function figure(row, name) {
  const first = name === 'time' ? (row.won ? clock(row.time) : t('boards.not_won')) : count(row[name]);
  // On a narrow page the heads are not seen: the number says what it is.
  const unit = name === 'time' ? '' : t(name === 'moves' ? 'boards.moves_unit' : 'boards.score_unit', { n: row[name] });
  return h('td', { role: 'cell', class: `row-figure row-${name}${row.won ? '' : ' not-won'}` }, first, unit && h('span', { class: 'unit' }, unit));
}

/** @param {Row} row @param {Context} context @param {boolean} hasCode */
function cardsCell(row, context, hasCode) {
  const { code } = row;
  if (!hasCode || !code) return h('td', { role: 'cell', class: 'row-cards' });
  return h('td', { role: 'cell', class: 'row-cards' },
    h('button', { type: 'button', class: 'row-action', title: t('boards.play_code', { code }), 'aria-label': t('boards.play_code', { code }), onclick: () => play(context, 1, code) },
      mark('cards'), h('span', { class: 'row-code' }, code)));
}

/** @param {Row} row @param {string} name */
const replayCell = (row, name) => h('td', { role: 'cell', class: 'row-replay' },
  row.replay && h('a', { class: 'row-action', href: `/replay/${row.replay}`, title: t('boards.replay'), 'aria-label': t('boards.watch', { name }) }, mark('film')));

/** @param {Row} row @param {Context} context @param {Manner} manner */
function rowOf(row, context, { order, me, hasCode = true }) {
  const name = row.name ?? t('boards.no_name');
  return h('tr', { role: 'row', class: row.player === me ? 'row mine' : 'row', 'aria-current': row.player === me ? 'true' : null, tabindex: -1 },
    h('td', { role: 'cell', class: 'row-place' }, count(row.place)),
    h('th', { role: 'rowheader', scope: 'row', class: row.name ? 'row-name' : 'row-name nameless' }, name),
    ...figuresOf(order).map((one) => figure(row, one)),
    h('td', { role: 'cell', class: 'row-date' }, h('time', { datetime: new Date(row.ended).toISOString(), title: whenExactly(row.ended) }, when(row.ended, Date.now()))),
    cardsCell(row, context, hasCode), replayCell(row, name));
}

/** The head of the table. @param {string} order */
const headOf = (order) => h('tr', { role: 'row' },
  ...['place', 'name', ...figuresOf(order), 'date', 'cards', 'replay'].map((name) =>
    h('th', { role: 'columnheader', scope: 'col', class: `row-${name}` }, t(name === 'moves' ? 'boards.moves_head' : `boards.${name}`))));

/** Rows in order, without taking away and putting back what stays: the focus is kept. @param {HTMLElement} body @param {HTMLElement[]} wanted */
function arrange(body, wanted) {
  const kept = new Set(wanted);
  for (const child of [...body.children]) if (!kept.has(/** @type {HTMLElement} */ (child))) child.remove();
  wanted.forEach((element, index) => {
    if (body.children[index] !== element) body.insertBefore(element, body.children[index] ?? null);
  });
}

/** @param {Context} context */
export function createRowList(context) {
  const head = h('thead', { role: 'rowgroup' });
  const body = h('tbody', { role: 'rowgroup' });
  const element = h('table', { role: 'table', class: 'rows' }, head, body);
  /** @type {Map<string, {element: HTMLTableRowElement, text: string}>} */
  let nodes = new Map();

  /** @param {readonly Row[]} rows @param {Manner} manner */
  function draw(rows, manner) {
    const glides = !isCalm() && (manner.fresh?.length ?? 0) > 0;
    const before = new Map(glides ? [...nodes.values()].map(({ element: row }) => [row, row.offsetTop]) : []);
    element.dataset.order = manner.order;
    element.classList.toggle('has-cards', manner.hasCode !== false && rows.some(({ code }) => code));
    head.replaceChildren(headOf(manner.order));
    /** @type {typeof nodes} */
    const next = new Map();
    for (const row of rows) {
      const text = JSON.stringify([row, manner.order, manner.me, manner.hasCode]);
      const old = nodes.get(row.player);
      // A row whose place alone has changed keeps its node, and with it the focus.
      const made = old?.text === text ? null : rowOf(row, context, manner);
      if (old && made) {
        old.element.className = made.className;
        old.element.replaceChildren(...made.children);
      }
      next.set(row.player, { element: old?.element ?? /** @type {HTMLTableRowElement} */ (made), text });
    }
    nodes = next;
    arrange(body, [...nodes.values()].map(({ element: row }) => row));
    if (glides) glide(before, new Set(manner.fresh?.map(({ player }) => player)));
  }

  /** What was there moves to its new place; what is new comes to light. @param {Map<HTMLElement, number>} before @param {Set<string>} fresh players */
  function glide(before, fresh) {
    for (const [player, { element: row }] of nodes) {
      const was = before.get(row);
      const way = was === undefined ? 0 : was - row.offsetTop;
      if (was === undefined) row.animate([{ opacity: 0 }, { opacity: 1 }], { duration: GLIDE * 2, easing: 'ease-out' });
      else if (way) row.animate([{ transform: `translateY(${way}px)` }, { transform: 'none' }], { duration: GLIDE, easing: 'ease-out' });
      row.classList.toggle('fresh', fresh.has(player));
    }
  }

  return {
    element,
    draw,
    /** @param {number} index */
    focus: (index) => [...nodes.values()][index]?.element.focus({ preventScroll: true }),
  };
}

/** A few rows for another page. @param {readonly Row[]} rows @param {Context} context @param {Manner} manner */
export function smallList(rows, context, manner) {
  const list = createRowList(context);
  list.draw(rows, manner);
  list.element.classList.add('small-rows');
  return list.element;
}

