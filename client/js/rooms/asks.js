/** The small panels of a room: questions before something is done, and the picture of the link. */

import { h, setText } from '../dom.js';
import { t } from '../i18n.js';
import { button, buttons, dialog, paragraph } from '../panels/dialog.js';
import { viewOf } from './places.js';

/** @typedef {import('./rooms.js').Tools} Tools */
/** @typedef {import('../panels/dialog.js').Context} Context */
/** @typedef {import('../panels/dialog.js').Panel} Panel */

/** @param {Tools} tools @returns {(context: Context) => Panel} */
export const forcePanel = ({ room }) => ({ act }) => {
  const about = paragraph('');
  const close = () => act({ type: 'panel', panel: null });
  const element = dialog('force', t('force.title'), close, about,
    buttons(button(t('force.wait'), close), button(t('force.start'), () => room({ type: 'start', force: true }), 'gold')));
  return {
    element,
    render({ room: state }) {
      const { seats = [], host } = state?.room ?? {};
      const names = seats.filter(({ ready, seat }) => !ready && seat !== host).map(({ name }) => name);
      setText(about, t('force.about', { names: names.join(', ') }));
    },
  };
};

/** @param {Tools} tools @returns {(context: Context) => Panel} */
export const removePanel = ({ room }) => ({ act }) => {
  let seat = -1;
  const about = paragraph('');
  const close = () => act({ type: 'panel', panel: null });
  const element = dialog('remove', t('remove.title'), close, about,
    buttons(button(t('room.keep'), close), button(t('remove.yes'), () => room({ type: 'remove', seat }), 'warning')));
  return {
    element,
    render({ room: state }) {
      seat = state?.removing ?? -1;
      setText(about, t('remove.about', { name: state?.room?.seats.find((one) => one.seat === seat)?.name ?? '' }));
    },
  };
};

/** @param {Tools} tools @returns {(context: Context) => Panel} */
export const leavePanel = ({ room }) => ({ act }) => {
  const about = paragraph('');
  const close = () => act({ type: 'panel', panel: null });
  const element = dialog('leave', t('leave.title'), close, about,
    buttons(button(t('leave.stay'), close), button(t('leave.yes'), () => room({ type: 'leave' }), 'warning')));
  return { element, render: (state) => setText(about, t(viewOf(state) === 'race' && !state.room?.ghosts ? 'leave.about_race' : 'leave.about')) };
};

/** The link as a picture, for a phone that is held up to this one. @returns {(context: Context) => Panel} */
export const qrPanel = () => ({ act }) => {
  const picture = h('img', { class: 'room-qr', alt: t('room.qr_about'), width: 260, height: 260 });
  const link = h('p', { class: 'code-line seal' });
  const element = dialog('qr', t('room.qr'), () => act({ type: 'panel', panel: null }), picture, paragraph(t('room.qr_about')), link);
  return {
    element,
    render({ room }) {
      if (!element.open || !room) return;
      const source = `/r/${room.at}/qr.svg`;
      if (picture.getAttribute('src') !== source) picture.setAttribute('src', source);
      setText(link, new URL(`/r/${room.at}`, location.href).href);
    },
  };
};
