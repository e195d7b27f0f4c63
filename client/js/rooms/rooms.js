/** The part for rooms and races, loaded when it is needed: puts its update, its pages and its panels into the program. */

import { isCalm } from '../anim.js';
import { extend, t } from '../i18n.js';
import { loadPart } from '../lazy.js';
import words from '../../locales/en-rooms.js';
import { forcePanel, leavePanel, qrPanel, removePanel } from './asks.js';
import { createCountdown } from './countdown.js';
import { createDoor, createShut } from './door.js';
import { createLobby } from './lobby.js';
import { ghostRace } from './ghosts.js';
import { createNameField } from './namefield.js';
import { createPage, goOn } from './page.js';
import { byPlace, viewOf } from './places.js';
import { createRaceView, lanesPanel } from './raceview.js';
import { createStandings, outcome } from './standings.js';
import { clearTable, setRoom } from './steps.js';
import { updateRooms } from './update.js';
import { createWatch } from './watch.js';
import * as wire from './wire.js';

/** @typedef {import('../types.js').State} State */
/** @typedef {import('../types.js').Effect} Effect */
/** @typedef {import('./types.js').RoomAction} RoomAction */
/** @typedef {import('./types.js').RoomState} RoomState */

/**
 * What main gives to this part.
 * @typedef {object} Host
 * @property {HTMLElement} app
 * @property {{add: (makers: import('../panels.js').Makers) => void}} panels
 * @property {(action: import('../types.js').Action) => void} act
 * @property {(event: import('../types.js').Event) => void} dispatch
 * @property {() => Uint8Array} requestId
 * @property {() => number} serverNow the server's clock, Unix milliseconds
 * @property {() => void} measure makes that clock better
 * @property {() => void} arrive does what the address asks for
 * @property {() => void} uncover takes away the page that lies over the room, if any
 *
 * What the pages and panels of this part may use.
 * @typedef {{act: Host['act'], room: (action: RoomAction) => void, serverNow: () => number, ghosts: () => import('./ghostview.js').Ghosts | null}} Tools
 *
 * @typedef {ReturnType<typeof createRooms>} Rooms
 */

/** How long a win is celebrated on the table before the standings cover it, in milliseconds. */
const CELEBRATION = 1600;
/** Where this page remembers that it only watches a room. */
const WATCHING = 'yukon.watching';
/** And which ghosts it races: room and race. */
const RACING = 'yukon.ghosts';

extend(words);

/** @param {Host} host */
export function createRooms(host) {
  const room = (/** @type {RoomAction} */ action) => host.dispatch({ type: 'room', action, request: host.requestId() });
  /** The part for ghosts, when some were raced. @type {import('./ghostview.js').Ghosts | null} */
  let ghosts = null;
  const tools = { act: host.act, room, serverNow: host.serverNow, ghosts: () => ghosts };
  const race = createRaceView(tools);
  host.panels.add({
    lanes: lanesPanel(tools, race.others), force: forcePanel(tools), remove: removePanel(tools), leave: leavePanel(tools), qr: qrPanel(),
  });
  /** @type {Record<string, import('./page.js').View>} */
  const views = {
    door: createDoor(tools), shut: createShut(tools), lobby: createLobby(tools), countdown: createCountdown(tools), watch: createWatch(tools),
    standings: createStandings(tools),
  };
  const page = createPage(tools, views);
  host.app.append(race.element, page.element);

  /** @type {State | null} */
  let latest = null;
  let shown = '';
  let celebrating = 0;
  let ticking = 0;
  /** The panels with the settings of a race, which few open. @type {Promise<void> | null} */
  let settings = null;

  /** @param {Effect} effect */
  function perform(effect) {
    switch (effect.type) {
      case 'roomHome': return host.arrive();
      case 'roomCheck': {
        const wait = effect.at === null ? 2500 : Math.max(0, effect.at - host.serverNow());
        return void setTimeout(() => host.dispatch({ type: 'roomCheck', race: effect.race, phase: effect.phase }), wait);
      }
      case 'roomWatch': return remember(WATCHING, effect.watching ? '1' : null);
      case 'roomGhosts': return void fetchGhosts(effect.room, effect.race);
      case 'roomKeep': return remember(RACING, effect.race === null ? null : `${effect.room}/${effect.race}`);
      case 'roomCall': return call(t(effect.running ? 'race.go' : 'race.get_ready'));
    }
  }

  /** How the ghosts of a race went, and with the first the part for them. @param {string} at @param {number} race */
  async function fetchGhosts(at, race) {
    try {
      const part = await loadPart('rooms/ghostview.js', () => import('./ghostview.js'));
      ghosts ??= part.createGhosts({ room, byPlace, outcome, goOn, updateRooms, setRoom, clearTable, ghostRace, wire });
      views.later = ghosts.later;
      rooms.update = ghosts.update;
      host.dispatch({ type: 'ghosts', race, ...await part.fetchGhosts(at, race) });
    } catch (error) {
      console.error(error);
      host.dispatch({ type: 'ghosts', race, timeline: null });
    }
  }

  /** @param {'race' | 'change'} panel that wants the settings of a race */
  function loadSettings(panel) {
    settings ??= loadPart('rooms/settings.js', () => import('./settings.js')).then((part) => host.panels.add(part.createSettings({ room, createNameField })))
      .catch((error) => {
        settings = null;
        console.error(error);
        if (latest?.panel === panel) host.dispatch({ type: 'failed', panel });
      });
  }

  /** Friends wait in other tabs, too: the name of this one tells them. @param {string} word */
  function call(word) {
    if (!document.hidden) return;
    document.title = `${word} · ${t('app.name')}`;
    document.addEventListener('visibilitychange', () => (document.title = t('app.name')), { once: true });
  }

  /** Whether the standings have to wait until our own win was seen. @param {State} state @param {string} view */
  function celebrates({ game }, view) {
    if ((view !== 'standings' && view !== 'later') || shown !== 'race' || !game?.flags.won || isCalm() || celebrating < 0) return false;
    celebrating ||= window.setTimeout(skip, CELEBRATION);
    return true;
  }

  function skip() {
    if (celebrating <= 0) return;
    clearTimeout(celebrating);
    celebrating = -1;
    if (latest) render(latest);
    celebrating = 0;
  }
  document.addEventListener('pointerdown', skip);
  document.addEventListener('keydown', skip);

  /** @param {State} state */
  function render(state) {
    latest = state;
    if (state.panel === 'race' || state.panel === 'change') loadSettings(state.panel);
    const view = viewOf(state);
    if (celebrates(state, view)) return state.room ? race.render(state, state.room) : undefined;
    if (view !== shown) {
      const isPage = view !== 'none' && view !== 'race';
      document.documentElement.dataset.room = isPage ? 'page' : view;
      for (const id of ['bar', 'table', 'actions']) document.getElementById(id)?.toggleAttribute('inert', isPage);
      // Whoever still looks at a replay of the last race does not miss the start of the next.
      if (view === 'countdown' || view === 'race') host.uncover();
      if (view === 'lobby' || view === 'countdown') host.measure();
      shown = view;
    }
    page.render(state, view);
    if (state.room && view === 'race') race.render(state, state.room);
    tick();
  }

  /** Clocks go on by themselves. */
  function tick() {
    clearTimeout(ticking);
    const state = latest?.room;
    if (!state || shown === 'none' || document.hidden) return;
    const next = shown === 'race' && latest ? race.tick(latest) : page.tick(state);
    if (next) ticking = window.setTimeout(tick, next);
  }
  document.addEventListener('visibilitychange', tick);

  const rooms = {
    update: updateRooms,
    read: wire.readRoomMessage,
    perform,
    render,
    /** The address names a room. @param {string} at id or code */
    enter: (at) => room({ type: 'enter', room: at, door: true, seated: recall(WATCHING) === null, back: racing(at) }),
  };
  return rooms;
}

/** @param {string} key */
function recall(key) {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/** The race of a room whose ghosts this page raced before it was loaded again. @param {string} at */
function racing(at) {
  const [room, race] = (recall(RACING) ?? '').split('/');
  return room === at ? Number(race) : null;
}

/** @param {string} key @param {string | null} value */
function remember(key, value) {
  try {
    if (value !== null) sessionStorage.setItem(key, value);
    else sessionStorage.removeItem(key);
  } catch {
    // Without storage a loaded page asks for a seat again.
  }
}
