/** The pages that cover the table: their frame, and which of them is shown. Made when one is first wanted. */

import words from '../../locales/en-pages.js';
import { h, setText } from '../dom.js';
import { clock, extend, t } from '../i18n.js';
import { loadPart } from '../lazy.js';
import { clockAt } from '../state.js';
import { viewOf } from './address.js';
import { boardsPage } from './boards.js';
import { dailyPage } from './daily.js';
import { mePage } from './me.js';
import { mark } from './parts.js';
import { transferPage } from './transfer.js';

/** @typedef {import('../route.js').Context} Context */
/** @typedef {import('../route.js').Pages} Pages */
/** @typedef {import('./parts.js').Page} Page */
/** @typedef {import('./address.js').View['page']} Name */

extend(words);

/** @type {Record<Name, (context: Context) => Page | Promise<Page>>} */
const MAKERS = {
  boards: boardsPage,
  daily: dailyPage,
  me: mePage,
  transfer: transferPage,
  replay: (context) => loadPart('pages/replay.js', () => import('./replay.js')).then(({ replayPage }) => replayPage(context)),
};

/** @param {Context} context @returns {Pages} */
export function createPages(context) {
  /** @type {Map<Name, Page>} */
  const made = new Map();
  /** @type {Page | null} */
  let current = null;
  let shown = 0;
  let ticking = 0;
  /** @type {Element | null} what had the focus on the table */
  let opener = null;

  const back = h('a', { class: 'page-back', href: '/', 'aria-label': t('page.back_about') }, mark('back'), h('span', {}, t('page.back')));
  const time = h('span', { class: 'page-clock', 'aria-hidden': 'true' });
  const links = /** @type {const} */ (['boards', 'daily', 'me']).map((name) => ({ name, link: h('a', { href: `/${name}` }, t(`page.${name}`)) }));
  const main = h('main', { class: 'page-main' });
  const root = h('div', { id: 'page', hidden: true },
    h('header', { class: 'page-head' }, back, time, h('nav', { class: 'page-nav', 'aria-label': t('page.nav') }, ...links.map(({ link }) => link))),
    main);
  document.getElementById('panels')?.before(root);

  function tick() {
    const { game } = context.state();
    setText(time, game?.elapsed.running ? clock(clockAt(game, performance.now())) : '');
    current?.tick?.();
  }

  /** @param {Name} name */
  async function pageOf(name) {
    const page = made.get(name) ?? await MAKERS[name](context);
    made.set(name, page);
    return page;
  }

  async function show() {
    const view = viewOf(location, context.state().settings.lastRuleset);
    if (!view) return;
    const mine = (shown += 1);
    const page = await pageOf(view.page);
    // Somebody may have gone on while the page was loaded.
    if (mine !== shown) return;
    const isOther = page !== current;
    if (root.hidden) opener = document.activeElement;
    if (isOther) {
      current?.hide?.();
      current = page;
      main.replaceChildren(page.element);
    }
    root.dataset.page = view.page;
    root.hidden = false;
    back.href = context.home();
    for (const { name, link } of links) {
      if (name === view.page) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
    page.show(view);
    page.render?.(context.state());
    document.title = `${page.title()} · ${t('app.name')}`;
    tick();
    ticking ||= window.setInterval(tick, 1000);
    if (!isOther) return;
    root.scrollTop = 0;
    const heading = page.element.querySelector('h1');
    if (heading instanceof HTMLElement) heading.focus({ preventScroll: true });
  }

  function hide() {
    shown += 1;
    if (root.hidden) return;
    current?.hide?.();
    current = null;
    main.replaceChildren();
    root.hidden = true;
    clearInterval(ticking);
    ticking = 0;
    document.title = t('app.name');
    const target = opener?.isConnected && opener !== document.body ? opener : document.querySelector('[data-act="menu"]');
    if (target instanceof HTMLElement) target.focus({ preventScroll: true });
  }

  document.addEventListener('keydown', (event) => {
    if (root.hidden || event.altKey || event.ctrlKey || event.metaKey || document.querySelector('dialog[open]')) return;
    if (event.key === 'Escape') context.go(context.home());
    else current?.key?.(event);
  });

  return {
    show,
    hide,
    heard: (message) => current?.heard?.(message),
    connected: () => current?.connected?.(),
    render: (state) => current?.render?.(state),
  };
}
