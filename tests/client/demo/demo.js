/** Shows one made-up state, named by the address: ?state=mid&theme=dark. window.show(name) changes it, window.done tells actions. */

import { createBar } from '/client/js/bar.js';
import { createTable } from '/client/js/table.js';
import { STATES } from './states.js';

const wanted = new URLSearchParams(location.search);
const actions = [];
const act = (action) => actions.push(action);
const table = createTable(document.getElementById('table'), act);
const bar = createBar(document.getElementById('bar'), document.getElementById('actions'), act, () => 0);

function draw(state) {
  const root = document.documentElement.dataset;
  root.theme = wanted.get('theme') ?? 'system';
  root.deck = state.settings.fourColours ? 'four' : 'two';
  table.render(state);
  bar.render(state);
}
Object.assign(window, { show: (name) => draw(STATES[name]()), draw, STATES, actions });
draw(STATES[wanted.get('state') ?? 'mid']());
