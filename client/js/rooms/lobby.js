/** The lobby: how friends come in, who is there, what will be played, and the start. */

import { drawing, h, icon, setText } from '../dom.js';
import { t } from '../i18n.js';
import { button } from '../panels/dialog.js';
import { goOn, setChildren } from './page.js';
import { createPast } from './past.js';
import { shortSeal } from './places.js';

/** @typedef {import('../types.js').State} State */
/** @typedef {import('./types.js').Room} Room */
/** @typedef {import('./types.js').RoomState} RoomState */
/** @typedef {import('./types.js').Seat} Seat */
/** @typedef {import('./rooms.js').Tools} Tools */
/** @typedef {import('./page.js').View} View */

export const CHECK = 'M4.5 12.5 10 18 20 7';
const SHARE = 'M12 15V4M8 7.5 12 3.5l4 4M6 11H4.5v9h15v-9H18';
const QR = 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2M20 14v3h-3M14 20h2M20 20v.01';
const LOCK = 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3';

/** What is played, in a line. @param {State} state @param {Room} room */
export function describeRace(state, { letter, commitment, limit }) {
  const rules = state.rulesets.find((ruleset) => ruleset.letter === letter)?.name ?? letter;
  const cards = t(commitment ? 'race.sealed_cards' : 'race.typed_cards');
  return [rules, cards, limit ? t('race.minutes', { n: limit }) : t('race.no_limit')].join(' · ');
}

/** @param {Tools} tools */
function createInvite({ act, room }) {
  const code = h('button', { type: 'button', class: 'room-code', onclick: () => room({ type: 'copy', what: 'room' }) });
  const link = h('button', { type: 'button', class: 'button with-icon', onclick: () => room({ type: 'copy', what: 'link' }) }, icon('copy'), t('room.copy_link'));
  let at = '';
  const share = h('button', {
    type: 'button', class: 'button with-icon', hidden: !('share' in navigator),
    onclick: () => navigator.share({ title: t('room.share_title'), text: t('room.share_text'), url: new URL(at, location.href).href }).catch(() => {}),
  }, drawing(SHARE), t('room.share'));
  const qr = h('button', { type: 'button', class: 'button with-icon invite-qr', onclick: () => act({ type: 'panel', panel: 'qr' }) }, drawing(QR), t('room.qr_short'));
  const picture = h('img', { class: 'room-qr', alt: t('room.qr_about'), width: 168, height: 168 });
  const address = h('p', { class: 'quiet invite-link' });
  const wide = matchMedia('(min-width: 900px) and (min-height: 541px)');
  return {
    element: h('section', { class: 'invite', 'aria-label': t('room.invite') },
      h('div', { class: 'invite-words' }, h('p', { class: 'quiet' }, t('room.invite_about')), code, h('div', { class: 'invite-ways' }, link, share, qr), address), picture),
    /** @param {Room} now */
    render(now) {
      at = `/r/${now.id}`;
      setText(code, `${now.code.slice(0, 3)} ${now.code.slice(3)}`);
      code.ariaLabel = t('room.copy_code', { code: [...now.code].join(' ') });
      setText(address, new URL(at, location.href).href);
      const source = `${at}/qr.svg`;
      // A phone in the hand shows no picture of its own link unless asked.
      if (wide.matches && picture.getAttribute('src') !== source) picture.setAttribute('src', source);
    },
  };
}

/** @param {Tools} tools */
function createSeat({ room }) {
  let number = -1;
  const mark = h('span', { class: 'seat-mark', 'aria-hidden': 'true' }, drawing(CHECK));
  const name = h('span', { class: 'seat-name' });
  const words = h('span', { class: 'seat-words' });
  const remove = h('button', { type: 'button', class: 'room-icon seat-remove', onclick: () => room({ type: 'askRemove', seat: number }) }, icon('close'));
  return {
    element: h('li', { class: 'seat' }, mark, name, words, remove),
    /** @param {Seat} seat @param {RoomState} state @param {Room} now */
    render(seat, state, now) {
      number = seat.seat;
      const isHost = seat.seat === now.host;
      const isReady = seat.ready || isHost;
      mark.parentElement?.classList.toggle('ready', isReady && seat.connected);
      mark.parentElement?.classList.toggle('away', !seat.connected);
      setText(name, seat.name);
      setText(words, [
        seat.seat === state.seat && t('seat.you'), isHost && t('seat.host'), !seat.connected ? t('seat.away') : !isHost && t(isReady ? 'seat.ready' : 'seat.not_ready'),
      ].filter(Boolean).join(' · '));
      remove.hidden = state.seat !== now.host || seat.seat === state.seat;
      remove.ariaLabel = t('remove.short', { name: seat.name });
    },
  };
}

/** @param {Tools} tools @returns {View} */
export function createLobby(tools) {
  const { act, room } = tools;
  const invite = createInvite(tools);
  const past = createPast(tools);
  const list = h('ul', { class: 'seats' });
  const count = h('h2', { class: 'room-part' });
  /** @type {ReturnType<typeof createSeat>[]} */
  const rows = [];
  const rules = h('p', { class: 'setup-line' });
  const sentence = h('p', { class: 'quiet' });
  const change = button(t('race.change'), () => act({ type: 'panel', panel: 'change' }));
  const seal = h('button', { type: 'button', class: 'seal-line', onclick: () => room({ type: 'copy', what: 'seal' }) });
  const sealed = h('p', { class: 'quiet seal-about' }, t('seal.about'), ' ', seal);
  const typed = h('p', { class: 'quiet' });
  let locked = false;
  const lockText = h('span', {});
  const lock = h('button', { type: 'button', class: 'button with-icon', onclick: () => room({ type: 'lock', locked: !locked }) }, drawing(LOCK), lockText);
  let isReady = false;
  const ready = goOn('', () => room({ type: 'ready', ready: !isReady }));
  const start = goOn(t('race.start'), () => room({ type: 'start', force: false }));
  const sit = goOn(t('room.sit'), () => room({ type: 'seat', seated: true }));
  const waiting = h('p', { class: 'quiet foot-words', role: 'status' });
  const foot = h('footer', { class: 'room-foot' }, waiting, ready, start, sit);
  const element = h('div', { class: 'lobby' }, invite.element,
    h('section', { class: 'setup' }, h('div', { class: 'setup-row' }, h('h2', { class: 'room-part' }, t('race.settings')), change), rules, sentence, sealed, typed),
    h('section', { class: 'people' }, h('div', { class: 'setup-row' }, count, lock), list), past.element);

  return {
    element,
    foot,
    title: (_, { race }) => t('race.number', { number: race }),
    render(state, mine) {
      const now = mine.room;
      if (!now) return;
      const open = state.connection === 'open';
      const isHost = mine.seat !== null && mine.seat === now.host;
      invite.render(now);
      past.render(state, mine.evening);
      setText(count, t('room.people', { n: now.seats.length }));
      while (rows.length < now.seats.length) rows.push(createSeat(tools));
      setChildren(list, now.seats.map((seat, i) => {
        rows[i].render(seat, mine, now);
        return rows[i].element;
      }));
      list.classList.toggle('many', now.seats.length > 8);
      setText(rules, describeRace(state, now));
      setText(sentence, state.rulesets.find(({ letter }) => letter === now.letter)?.sentence ?? '');
      change.hidden = lock.hidden = !isHost;
      sealed.hidden = !now.commitment;
      setText(seal, shortSeal(now.commitment ?? ''));
      seal.title = now.commitment ?? '';
      typed.hidden = !now.game || now.commitment !== null;
      setText(typed, t('race.known_code', { code: now.game ?? '' }));
      ({ locked } = now);
      lock.ariaPressed = String(locked);
      setText(lockText, t(locked ? 'room.locked' : 'room.lock'));
      isReady = now.seats.find(({ seat }) => seat === mine.seat)?.ready ?? false;
      ready.hidden = isHost || mine.seat === null;
      ready.className = `button ${isReady ? 'button-plain' : 'button-gold'}`;
      setText(ready, t(isReady ? 'race.not_ready' : 'race.ready'));
      start.hidden = !isHost;
      sit.hidden = mine.seat !== null;
      for (const each of [change, lock, ready, start, sit]) each.disabled = !open;
      setText(waiting, words(now, mine, isHost, isReady));
    },
  };
}

/** What the lobby waits for. @param {Room} room @param {RoomState} mine @param {boolean} isHost @param {boolean} isReady */
function words({ seats, host }, mine, isHost, isReady) {
  if (mine.seat === null) return t('room.watching');
  const waiting = seats.filter(({ seat, ready }) => seat !== host && !ready).length;
  if (seats.length === 1) return t('room.alone');
  if (isHost) return waiting ? t('room.wait_ready', { n: waiting }) : t('room.all_ready');
  const name = seats.find(({ seat }) => seat === host)?.name ?? '';
  return isReady ? t('room.wait_host', { name }) : t('room.say_ready');
}
