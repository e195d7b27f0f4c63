/** Which panel is open: dialogs are made when first needed, one at a time, and the focus goes back when they close. */

import { whenIdle } from './anim.js';
import { loadPart, waits } from './lazy.js';

/** @typedef {import('./types.js').State} State */
/** @typedef {import('./panels/dialog.js').Panel} Panel */
/** @typedef {import('./panels/dialog.js').Context} Context */
/** @typedef {NonNullable<import('./types.js').PanelName> | 'pause'} Name */

/** @typedef {Partial<Record<Name, (context: Context) => Panel>>} Makers */

/** How long a win is celebrated on the table before its result covers it. */
const CELEBRATION = 1600;
const LOAD_AGAIN_AFTER = 2_000;
/** What opens by itself, so that nobody could ask for it again. @type {ReadonlySet<Name>} */
const UNASKED = new Set(['offer', 'pause', 'win']);

/** The panel that the state wants open. @param {State} state @returns {Name | null} */
function wantedPanel({ panel, game, covered }) {
  if (covered) return panel === 'name' ? panel : null;
  return panel ?? (game?.flags.paused ? 'pause' : null);
}

/** @param {HTMLElement} root @param {Context} context @param {() => Promise<{MAKERS: Makers}>} [part] brings the panels */
export function createPanels(root, context, part = () => loadPart('panels/makers.js', () => import('./panels/makers.js'))) {
  /** @type {Makers} */
  const makers = {};
  /** @type {Promise<void> | null} */
  let loading = null;
  /** @type {Map<Name, Panel>} */
  const made = new Map();
  /** @type {Name | null} */
  let open = null;
  /** The session whose running game was seen: only its win is celebrated. @type {string | null} */
  let running = null;
  let celebrating = 0;
  /** @type {State | null} */
  let latest = null;
  /** What had the focus before a panel opened. @type {Element | null} */
  let opener = null;
  /** What is to be open now. @type {Name | null} */
  let wanted = null;
  /** What could not be opened: it is not tried again at once while nothing else was wanted. @type {Name | null} */
  let failed = null;
  /** What that was told of. @type {Name | null} */
  let told = null;
  let wait = waits(LOAD_AGAIN_AFTER);
  let trying = 0;

  /** @param {Name} name */
  function panel(name) {
    let found = made.get(name);
    if (!found) {
      try {
        found = makers[name]?.(context);
      } catch (error) {
        fail(error, name);
      }
      if (!found) return null;
      made.set(name, found);
      root.append(found.element);
    }
    return found;
  }

  /** Tells whoever waits for the panel, once. @param {unknown} error @param {Name | null} name */
  function fail(error, name) {
    if (!name || wanted !== name) return console.error(error);
    failed = name;
    if (UNASKED.has(name)) tryLater();
    if (told === name) return console.error(error);
    told = name;
    context.failed(error, name);
  }

  function tryLater() {
    clearTimeout(trying);
    trying = window.setTimeout(() => {
      failed = null;
      if (latest) render(latest);
    }, wait());
  }

  /** Panels of a part that was loaded later. @param {Makers} more */
  function add(more) {
    Object.assign(makers, more);
    failed = null;
    wait = waits(LOAD_AGAIN_AFTER);
    if (latest) render(latest);
  }

  /** Loads the panels; what is wanted meanwhile opens when they are there. @returns {Promise<void>} */
  function load() {
    loading ??= part().then(({ MAKERS }) => add(MAKERS)).catch((error) => {
      loading = null;
      if (latest?.connection === 'open') return fail(error, wanted);
      tryLater();
    });
    return loading;
  }

  /** Has ready what is opened most, so that it opens at once. */
  async function prepare() {
    await load();
    await whenIdle();
    panel('new');
  }

  const skip = () => {
    if (!celebrating) return;
    clearTimeout(celebrating);
    celebrating = 0;
    running = null;
    if (latest) render(latest);
  };
  document.addEventListener('pointerdown', skip);
  document.addEventListener('keydown', skip);

  /** The browser gives the focus back to no button that was disabled meanwhile, as in a pause: a frame later it has forgotten that. */
  function giveBack() {
    if (document.activeElement === document.body && opener instanceof HTMLElement) opener.focus({ preventScroll: true });
  }

  /** Whether the result has to wait for the celebration. @param {State} state */
  function celebrates({ game, panel: wanted }) {
    if (game && !game.flags.won) running = game.flags.givenUp ? null : game.session;
    if ((wanted !== 'win' && wanted !== 'lanes') || !game?.flags.won || running !== game.session) return false;
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return false;
    celebrating ||= window.setTimeout(skip, CELEBRATION);
    return true;
  }

  /** @param {State} state */
  function render(state) {
    latest = state;
    wanted = celebrates(state) ? null : wantedPanel(state);
    if (wanted !== failed) failed = null;
    if (wanted !== told) told = null;
    const next = wanted && !failed && panel(wanted);
    if (wanted && !next && !failed) load();
    if (wanted !== open && (open || next)) {
      if (!open) opener = document.activeElement;
      if (open) made.get(open)?.element.close();
      open = next ? wanted : null;
      if (next) next.element.showModal();
      else requestAnimationFrame(giveBack);
    }
    for (const each of made.values()) each.render(state);
  }
  return { render, add, prepare };
}
