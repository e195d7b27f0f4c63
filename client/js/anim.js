/** How things move: short, ease-out, never bouncing, and not at all for people who asked for calm. */

const EASE = 'cubic-bezier(.2,.7,.3,1)';
export const MOVE = 140;
const TURN = 160;
/** When many cards move at once they start one after another, all within this time. */
const PARADE = 700;

const calm = matchMedia('(prefers-reduced-motion: reduce)');
export const isCalm = () => calm.matches;

/** Lets the page breathe: resolves when nothing else is to be done, or soon after. @returns {Promise<unknown>} */
export const whenIdle = () =>
  new Promise((resolve) => ('requestIdleCallback' in window ? requestIdleCallback(resolve, { timeout: 500 }) : setTimeout(resolve, 10)));

/** @typedef {{x: number, y: number, scale: number}} Spot */

/** @param {Spot} spot */
export const transform = ({ x, y, scale }) => `translate(${x.toFixed(2)}px,${y.toFixed(2)}px)${scale === 1 ? '' : ` scale(${scale})`}`;

/** Where an element is seen at this moment, in the middle of a movement too. @param {Element} element @returns {Spot} */
export function seenAt(element) {
  const matrix = new DOMMatrixReadOnly(getComputedStyle(element).transform);
  return { x: matrix.e, y: matrix.f, scale: matrix.a };
}

/** Long ways take a little longer, so that the eye can follow. @param {Spot} from @param {Spot} to */
const duration = (from, to) => MOVE + Math.min(50, Math.hypot(to.x - from.x, to.y - from.y) / 16);

/**
 * Lets an element glide to where its style has put it already.
 * @param {Element} element @param {Spot} from @param {Spot} to @param {number} delay milliseconds
 * @returns {Animation}
 */
export const slide = (element, from, to, delay) =>
  element.animate([{ transform: transform(from) }, { transform: transform(to) }], {
    duration: duration(from, to), delay, easing: EASE, fill: 'backwards',
  });

/** The delay of each of `count` cards that move at once. @param {number} count */
export const paradeStep = (count) => (count > 1 ? Math.min(55, PARADE / count) : 0);

/**
 * Turns a card about its long axis; `half` gives the other side when it stands on edge.
 * @param {Element} side @param {() => Element} half @param {number} delay
 * @returns {Animation}
 */
export function turn(side, half, delay) {
  const edge = 'scaleX(0.02)';
  const first = side.animate([{ transform: 'none' }, { transform: edge }], { duration: TURN / 2, delay, easing: 'ease-in' });
  first.onfinish = () => {
    half().animate([{ transform: edge }, { transform: 'none' }], { duration: TURN / 2, easing: 'ease-out' });
  };
  return first;
}

/** Fades an element in. @param {Element} element @param {number} ms */
export const appear = (element, ms) => element.animate([{ opacity: 0 }, { opacity: 1 }], { duration: ms, easing: 'ease-out' });
