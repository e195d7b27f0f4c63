/** Shows one made-up state, named by the address: ?state=mid&theme=dark. window.show(name) changes it, window.done tells actions. */

import { createBar } from '../../../client/js/bar.js';
import { createTable } from '../../../client/js/table.js';
import { STATES } from './states.js';

const wanted = new URLSearchParams(location.search);
/** @typedef {import('../../../client/js/types.js').State} State */

/** @type {import('../../../client/js/types.js').Action[]} */
const actions = [];
/** @param {import('../../../client/js/types.js').Action} action */
const act = (action) => void actions.push(action);
const element = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const table = createTable(element('table'), act);
const bar = createBar(element('bar'), element('actions'), act, () => 0);

/** @param {State} state */
function draw(state) {
  const root = document.documentElement.dataset;
  root.theme = wanted.get('theme') ?? 'system';
  root.deck = state.settings.fourColours ? 'four' : 'two';
  table.render(state);
  bar.render(state);
}
Object.assign(window, { show: (/** @type {string} */ name) => draw(STATES[name]()), draw, STATES, actions });
draw(STATES[wanted.get('state') ?? 'mid']());
