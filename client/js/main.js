/** Puts the parts together: the state, the connection, the table and the panels. Decides nothing itself. */

import * as api from './api.js';
import { whenIdle } from './anim.js';
import { createBar } from './bar.js';
import { codeFrom } from './code.js';
import { t } from './i18n.js';
import { loadPart, loadStyle, waits } from './lazy.js';
import { createPanels } from './panels.js';
import { createNotices } from './panels/notices.js';
import { createRouter } from './route.js';
import { hasPlayer, loadPlayer, loadSession, loadSettings, savePlayer, saveSession, saveSettings } from './settings.js';
import { Connection } from './socket.js';
import { clockAt, initialState, isNewer } from './state.js';
import { createTable } from './table.js';
import { update } from './update.js';

/** @typedef {import('./types.js').State} State */
/** @typedef {import('./types.js').Event} Event */
/** @typedef {import('./types.js').Action} Action */
/** @typedef {import('./types.js').Effect} Effect */
/** @typedef {import('./socket.js').Early} Early */

const LOAD_AGAIN_AFTER = 4_000;
/** When the first board is there and nothing waits for the line any more. */
const CHECK_COOKIE_AFTER = 2_000;

const daylight = matchMedia('(prefers-color-scheme: light)');
const now = () => performance.now();
const requestId = () => crypto.getRandomValues(new Uint8Array(16));

/** @param {string} id */
function element(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

/** @param {() => Storage} storage the getter itself may throw where storage is forbidden */
function run(storage) {
  const [, client] = /^\/assets\/([0-9a-f]{16})\/$/.exec(document.documentElement.dataset.assets ?? '') ?? [];
  let state = initialState(loadSettings(storage), client);
  let frame = 0;
  /** @type {State | null} */
  let drawn = null;
  let ticking = 0;
  let loadingRules = false;
  let checked = false;
  let broken = false;
  const wait = waits(LOAD_AGAIN_AFTER);
  let arriving = 0;
  /** Everything about rooms, loaded when it is needed. @type {import('./rooms/rooms.js').Rooms | null} */
  let rooms = null;

  /** @param {Event} event */
  function dispatch(event) {
    const result = (rooms?.update ?? update)(state, event);
    state = result.state;
    result.effects.forEach(perform);
    frame ||= requestAnimationFrame(draw);
  }

  /** @param {Action} action */
  const act = (action) => dispatch({ type: 'act', action, now: now(), request: requestId() });

  /** @param {unknown} error @param {import('./panels.js').Name} [panel] */
  function failed(error, panel) {
    console.error(error);
    dispatch({ type: 'failed', panel });
  }

  /** A part loaded later may be of another version: what it cannot draw is told once, and the rest is drawn. @param {() => void} work */
  function guarded(work) {
    try {
      work();
    } catch (error) {
      if (!broken) failed(error);
      broken = true;
    }
  }

  /** @param {Effect} effect */
  function perform(effect) {
    switch (effect.type) {
      case 'send': return void connection.send(effect.message);
      case 'retry': return void setTimeout(() => dispatch({ type: 'retry', kind: effect.kind, now: now() }), 300 + Math.random() * 900);
      case 'deal': return act({ type: 'new', origin: 0, text: effect.letter });
      case 'saveSettings': return saveSettings(storage, effect.settings);
      case 'saveSession': return saveSession(storage, effect.session);
      case 'address': return router.replace(effect.path);
      case 'copy': return void copy(effect.text, effect.what);
      default: return rooms?.perform(effect);
    }
  }

  /** @param {string} text @param {string} what it is: a key of copied.* */
  async function copy(text, what) {
    const whole = what === 'link' ? new URL(text, location.href).href : text;
    const copied = await toClipboard(whole);
    dispatch({ type: 'notice', key: copied ? `copied.${what}` : 'copied.failed', params: { text: whole }, tone: copied ? 'good' : 'plain' });
  }

  /** @param {string} name */
  async function rename(name) {
    try {
      dispatch({ type: 'player', player: await api.rename(name) });
      dispatch({ type: 'notice', key: 'name.saved', params: { name: state.player?.name ?? name }, tone: 'good' });
      act({ type: 'panel', panel: null });
    } catch {
      dispatch({ type: 'notice', key: 'name.failed', tone: 'refusal' });
    }
  }

  async function loadRules() {
    if (state.rulesets.length || loadingRules) return;
    loadingRules = true;
    try {
      dispatch({ type: 'rules', rulesets: await api.rules() });
    } catch {
      // The next connection asks again.
    } finally {
      loadingRules = false;
    }
  }

  /** @param {(part: import('./rooms/rooms.js').Rooms) => void} use @param {boolean} [isTold] that it failed before */
  async function withRooms(use, isTold = false) {
    try {
      const [part] = await Promise.all([loadPart('rooms/rooms.js', () => import('./rooms/rooms.js')), loadStyle('rooms.css')]);
      rooms ??= part.createRooms(host);
      clearTimeout(arriving);
      arriving = 0;
      use(rooms);
    } catch (error) {
      if (isTold) console.error(error);
      else failed(error);
      if (isAtRoom()) arriveLater();
    }
  }

  const isAtRoom = () => location.pathname.startsWith('/r/');

  function arriveLater() {
    clearTimeout(arriving);
    arriving = window.setTimeout(arriveAgain, wait());
  }

  /** Unless something lies over the table, or the player is shown a button that helps. */
  const arriveAgain = () => (isNewer(state) || !isAtRoom() ? arriveLater() : arrive());

  /** What the address asks for: a room, a deal to offer, or the game of last time. */
  function arrive() {
    const { pathname } = location;
    if (isAtRoom()) return void withRooms((part) => part.enter(pathname.slice(3)), arriving !== 0);
    const offer = pathname.startsWith('/g/') ? codeFrom(pathname) : null;
    const asked = early?.request ?? null;
    dispatch({ type: 'start', session: loadSession(storage), offer, request: asked ?? requestId(), asked: asked !== null });
  }

  /** The server at the door says who this is. @param {string} player */
  function welcomed(player) {
    if (loadPlayer(storage) !== player && !checked) setTimeout(checkCookie, CHECK_COOKIE_AFTER, player);
    savePlayer(storage, player);
  }

  /** Not every browser keeps a cookie that comes with a handshake: then a request brings one, and the socket comes again with it. @param {string} player */
  async function checkCookie(player) {
    if (checked) return;
    checked = true;
    try {
      const { id } = await api.signIn();
      if (id === player) return;
      // Where no cookie is kept at all everybody is new each time: this connection is the game's only one.
      if ((await api.signIn()).id === id) connection.again();
      else dispatch({ type: 'notice', key: 'notice.no_cookies' });
    } catch {
      // The next connection finds out.
      checked = false;
    }
  }

  const early = beganEarly();
  const connection = new Connection({
    // Whoever has no player yet, or one that the server does not know, gets one at the door.
    makeSocket: () => new WebSocket(new URL('/ws?player=new', location.href.replace(/^http/, 'ws'))),
    early,
    readOther: (frame) => rooms?.read(frame) ?? null,
    onMessage(message) {
      if (message.kind === 'welcome') welcomed(message.player);
      if (message.kind === 'board') router.heard(message);
      else dispatch({ type: 'message', message, now: now() });
    },
    onStatus(status, code) {
      dispatch({ type: 'connection', status, code, now: now() });
      if (status !== 'open') return;
      table.ready.then(whenIdle).then(loadRules).then(panels.prepare);
      router.connected();
      if (arriving) arriveAgain();
    },
    now,
    setTimer: (callback, ms) => window.setTimeout(callback, ms),
    clearTimer: (timer) => window.clearTimeout(timer),
    random: Math.random,
  });

  const table = createTable(element('table'), act);
  const bar = createBar(element('bar'), element('actions'), act, now);
  const race = (/** @type {string | null} */ code = null) => void withRooms(() => act({ type: 'panel', panel: 'race', code }));
  const context = { act, failed, rename, race: () => race(), settings: (/** @type {Partial<State['settings']>} */ changes) => dispatch({ type: 'settings', changes }) };
  const panels = createPanels(element('panels'), context);
  const notices = createNotices(element('notices'), context, () => location.reload());
  const router = createRouter({
    act, copy, failed, race,
    state: () => state,
    send: (message) => connection.send(message),
    notice: (key, tone, params) => dispatch({ type: 'notice', key, tone, params }),
  }, (covered) => dispatch({ type: 'cover', covered, request: requestId() }), hasPlayer(storage));

  const host = {
    app: element('app'), panels, act, dispatch, requestId, arrive, uncover: router.uncover,
    measure: () => connection.measure(),
    serverNow: () => (connection.offset === null ? Date.now() : now() + connection.offset),
  };

  function draw() {
    frame = 0;
    const root = document.documentElement.dataset;
    root.theme = state.settings.theme === 'system' ? (daylight.matches ? 'light' : 'dark') : state.settings.theme;
    root.deck = state.settings.fourColours ? 'four' : 'two';
    root.paused = String(state.game?.flags.paused === true);
    guarded(() => rooms?.render(state));
    if (isTables(drawn, state)) table.render(state);
    drawn = state;
    // A panel notes what had the focus, which the bar may disable.
    guarded(() => panels.render(state));
    bar.render(state);
    notices.render(state);
    guarded(() => router.render(state));
    tick();
  }

  /** Lets the clock go on, once a second and only while it runs and is seen. */
  function tick() {
    clearTimeout(ticking);
    bar.tick(state);
    if (!state.game?.elapsed.running || document.hidden) return;
    ticking = window.setTimeout(tick, 1000 - (clockAt(state.game, now()) % 1000) + 5);
  }

  daylight.addEventListener('change', () => (frame ||= requestAnimationFrame(draw)));
  window.addEventListener('online', () => connection.wake());
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) return;
    connection.wake();
    tick();
  });
  window.addEventListener('pageshow', () => connection.wake());

  document.title = t('app.name');
  router.follow();
  arrive();
  connection.start();
}

/** The socket that early.js opened, unless it is closed already. @returns {Early | null} */
function beganEarly() {
  const { early } = /** @type {{early?: Early}} */ (globalThis);
  return early && early.socket.readyState <= WebSocket.OPEN ? early : null;
}

/** Whether the table has to be drawn: rivals in a race move far more often than its cards. @param {State | null} before @param {State} after */
function isTables(before, after) {
  const keys = /** @type {(keyof State)[]} */ (Object.keys(after));
  return !before || keys.some((key) => key !== 'room' && before[key] !== after[key]);
}

/** @param {string} text @returns {Promise<boolean>} whether it is on the clipboard */
async function toClipboard(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Without a secure address there is no clipboard for pages: the old way still works.
    const field = document.createElement('textarea');
    field.value = text;
    (document.querySelector('dialog[open]') ?? document.body).append(field);
    field.select();
    const copied = document.execCommand('copy');
    field.remove();
    return copied;
  }
}

run(() => localStorage);
