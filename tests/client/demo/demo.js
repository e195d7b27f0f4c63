/** Shows one made-up state, named by the address: ?state=mid&theme=dark. window.show(name) changes it, window.done tells actions. */

import { createBar } from '../../../client/js/bar.js';
import { createPanels } from '../../../client/js/panels.js';
import { createRooms } from '../../../client/js/rooms/rooms.js';
import { createTable } from '../../../client/js/table.js';
import { NOW, ROOMS } from './rooms.js';
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
const panels = createPanels(element('panels'), { act, settings() {}, rename: async () => {}, race() {}, failed: console.error });
const rooms = createRooms({
  app: element('app'), panels, act, dispatch: (event) => void actions.push(/** @type {any} */ (event)), requestId: () => new Uint8Array(16),
  serverNow: () => NOW, arrive() {}, uncover() {}, measure() {},
});
if (wanted.get('state')?.startsWith('room-')) {
  const style = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: '/client/css/rooms.css' });
  document.head.append(style);
  await new Promise((done) => (style.onload = done));
}

/** @param {State} state */
function draw(state) {
  const root = document.documentElement.dataset;
  root.theme = wanted.get('theme') ?? (matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark');
  root.deck = state.settings.fourColours ? 'four' : 'two';
  rooms.render(state);
  table.render(state);
  bar.render(state);
  panels.render(state);
}
const ALL = { ...STATES, ...ROOMS };
Object.assign(window, { show: (/** @type {string} */ name) => draw(ALL[name]()), draw, STATES: ALL, actions });
draw(ALL[wanted.get('state') ?? 'mid']());
