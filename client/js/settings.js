/** What this browser remembers: the player's settings, the session played last, and whether it has signed in before. */

import { DEFAULTS } from './state.js';

/** @typedef {import('./types.js').Settings} Settings */

/** Both are also read by early.js. */
const SETTINGS = 'yukon.settings';
const SESSION = 'yukon.session';
const PLAYER = 'yukon.player';

/** Storage may be full, forbidden, or filled by somebody else: then the game goes on without. @template T @param {() => T} run @param {T} otherwise */
function tried(run, otherwise) {
  try {
    return run();
  } catch {
    return otherwise;
  }
}

/** The defaults with what was saved and is still of the right type. @param {unknown} saved @returns {Settings} */
export function readSettings(saved) {
  /** @type {Record<string, unknown>} */
  const settings = { ...DEFAULTS };
  if (saved && typeof saved === 'object') {
    for (const [key, value] of Object.entries(saved)) {
      if (Object.hasOwn(settings, key) && typeof value === typeof settings[key]) settings[key] = value;
    }
  }
  if (!['system', 'light', 'dark'].includes(String(settings.theme))) settings.theme = DEFAULTS.theme;
  return /** @type {Settings} */ (/** @type {unknown} */ (settings));
}

/** @param {() => Storage} storage */
export const loadSettings = (storage) =>
  readSettings(tried(() => JSON.parse(storage().getItem(SETTINGS) ?? 'null'), null));

/** @param {() => Storage} storage @param {Settings} settings */
export const saveSettings = (storage, settings) => tried(() => storage().setItem(SETTINGS, JSON.stringify(settings)), undefined);

/** @param {() => Storage} storage */
export const loadSession = (storage) => tried(() => storage().getItem(SESSION), null);

/** @param {() => Storage} storage @param {string | null} session */
export const saveSession = (storage, session) =>
  tried(() => (session ? storage().setItem(SESSION, session) : storage().removeItem(SESSION)), undefined);

/** Whether the server gave this browser a player: the cookie itself cannot be seen from here. @param {() => Storage} storage */
export const hasPlayer = (storage) => loadPlayer(storage) !== null;

/** The player that this browser was last time. @param {() => Storage} storage */
export const loadPlayer = (storage) => tried(() => storage().getItem(PLAYER), null);

/** @param {() => Storage} storage @param {string | null} id */
export const savePlayer = (storage, id) =>
  tried(() => (id ? storage().setItem(PLAYER, id) : storage().removeItem(PLAYER)), undefined);
