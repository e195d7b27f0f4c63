/** What moves through a film by hand: the scrubber with a mark for each step taken back, and the choice of speeds. */

import { svg } from '../cards.js';
import { h } from '../dom.js';
import { t } from '../i18n.js';
import { SPEEDS } from './reel.js';

/** @typedef {import('./film.js').Frame} Frame */
/** @typedef {import('./reel.js').Speed} Speed */

/** @param {(index: number) => void} seek */
export function createScrubber(seek) {
  const input = h('input', { type: 'range', class: 'scrub', min: 0, step: 1, value: 0, 'aria-label': t('replay.scrub') });
  const marks = h('div', { class: 'scrub-marks', 'aria-hidden': 'true' });
  input.addEventListener('input', () => seek(Number(input.value)));
  return {
    element: h('div', { class: 'scrubber' }, marks, input),
    /** @param {readonly Frame[]} frames */
    begin(frames) {
      const last = frames.length - 1;
      input.max = String(last);
      const at = (/** @type {Frame['kind']} */ kind) => frames.map((frame, index) => (frame.kind === kind ? `M${index} 0V1` : '')).join('');
      marks.replaceChildren(svg('svg', { viewBox: `0 0 ${Math.max(1, last)} 1`, preserveAspectRatio: 'none' }, [
        svg('path', { class: 'scrub-undo', d: at('undo') }),
        svg('path', { class: 'scrub-pause', d: at('pause') }),
      ]));
    },
    /** @param {number} index @param {string} words */
    show(index, words) {
      if (input.value !== String(index)) input.value = String(index);
      input.style.setProperty('--done', `${(100 * index) / Math.max(1, Number(input.max))}%`);
      input.setAttribute('aria-valuetext', words);
    },
  };
}

/** @param {(speed: Speed) => void} choose */
export function createSpeeds(choose) {
  const inputs = SPEEDS.map((speed) => ({ speed, input: h('input', { type: 'radio', name: 'speed', value: speed, onchange: () => choose(speed) }) }));
  const element = h('div', { class: 'segments speeds', role: 'radiogroup', 'aria-label': t('replay.speed') },
    ...inputs.map(({ speed, input }) => h('label', { class: 'segment' }, input, h('span', {}, t(`replay.speed_${speed}`)))));
  return {
    element,
    /** @param {Speed} speed */
    show(speed) {
      for (const each of inputs) each.input.checked = each.speed === speed;
    },
    /** @param {number} by */
    next(by) {
      const now = inputs.findIndex(({ input }) => input.checked);
      const { speed } = inputs[Math.max(0, Math.min(inputs.length - 1, now + by))];
      choose(speed);
    },
  };
}
