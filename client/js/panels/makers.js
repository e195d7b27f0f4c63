/** The panels that are loaded after the first board. */

import { extend } from '../i18n.js';
import words from '../../locales/en-panels.js';
import { giveUpPanel, helpPanel, pausePanel, sharePanel } from './small.js';
import { menuPanel, namePanel } from './menu.js';
import { newPanel, offerPanel } from './newgame.js';
import { winPanel } from './win.js';

extend(words);

/** @type {import('../panels.js').Makers} */
export const MAKERS = {
  new: newPanel,
  offer: offerPanel,
  menu: menuPanel,
  name: namePanel,
  share: sharePanel,
  help: helpPanel,
  giveUp: giveUpPanel,
  pause: pausePanel,
  win: winPanel,
};
