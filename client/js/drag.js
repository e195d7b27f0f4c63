/** One pointer on the table: what is a tap, a double tap, a drag, and when a drag is off. Knows no cards and no game. */

/**
 * @typedef {object} Hooks
 * @property {(x: number, y: number) => {pile: number, index: number} | null} find what lies at a point of the table
 * @property {(pile: number, index: number) => string} name what tells this card from others, for double taps
 * @property {(pile: number, index: number, x: number, y: number, touch: boolean) => boolean} lift takes the group into the hand; false: it stays
 * @property {(x: number, y: number) => void} carry the hand moved
 * @property {(x: number, y: number) => void} drop the hand opened
 * @property {() => void} cancel the hand opened without meaning it
 * @property {(found: {pile: number, index: number} | null, double: boolean) => void} tap
 * @property {() => number} now milliseconds
 */

/** @typedef {{id: number, x: number, y: number, slack: number, found: {pile: number, index: number} | null, phase: 'pressed' | 'dragging' | 'idle'}} Press */

/** How far a pointer may wander and still tap, in CSS pixels. */
const SLACK = { mouse: 4, pen: 6, touch: 9 };
const DOUBLE = 350;
/** So soon after a tap, another card at the same spot has only just come to lie there: it is not meant. */
const ECHO = 220;

/**
 * @param {HTMLElement} root the table; its top left corner is 0, 0
 * @param {Hooks} hooks
 */
export function createDrag(root, hooks) {
  /** @type {Press | null} */
  let press = null;
  let last = { name: '', at: -Infinity, x: 0, y: 0 };

  let corner = { left: 0, top: 0 };
  const measure = () => {
    corner = root.getBoundingClientRect();
  };

  /** @param {PointerEvent} event */
  const spot = (event) => ({ x: event.clientX - corner.left, y: event.clientY - corner.top });

  /** Ends the press, whatever it was; the cards fly back if they were lifted. */
  function cancel() {
    if (!press) return;
    const { phase } = press;
    press = null;
    if (phase === 'dragging') hooks.cancel();
  }

  /** @param {PointerEvent} event */
  function down(event) {
    // A second finger changes nothing; neither do other buttons.
    if (press || !event.isPrimary || event.button !== 0) return;
    measure();
    const { x, y } = spot(event);
    const slack = SLACK[/** @type {keyof typeof SLACK} */ (event.pointerType)] ?? SLACK.mouse;
    press = { id: event.pointerId, x, y, slack, found: hooks.find(x, y), phase: 'pressed' };
    try {
      root.setPointerCapture(event.pointerId);
    } catch {
      // The pointer is gone again already: its end comes as an event.
    }
  }

  /** @param {PointerEvent} event */
  function move(event) {
    if (press?.id !== event.pointerId) return;
    // The button was let go where nobody told us.
    if (event.pointerType === 'mouse' && event.buttons === 0) return cancel();
    const { x, y } = spot(event);
    if (press.phase === 'pressed' && Math.hypot(x - press.x, y - press.y) > press.slack) {
      const { found } = press;
      press.phase = found && found.index >= 0 && hooks.lift(found.pile, found.index, press.x, press.y, event.pointerType === 'touch') ? 'dragging' : 'idle';
    }
    if (press.phase === 'dragging') hooks.carry(x, y);
  }

  /** @param {PointerEvent} event */
  function up(event) {
    if (press?.id !== event.pointerId) return;
    const { phase, found } = press;
    const { x, y } = spot(event);
    press = null;
    if (phase === 'dragging') hooks.drop(x, y);
    else if (phase === 'pressed') tap(found, x, y);
  }

  /** @param {{pile: number, index: number} | null} found @param {number} x @param {number} y */
  function tap(found, x, y) {
    const name = found && found.index >= 0 ? hooks.name(found.pile, found.index) : '';
    const since = hooks.now() - last.at;
    const double = name !== '' && name === last.name && since < DOUBLE;
    const near = Math.hypot(x - last.x, y - last.y) < 12;
    if (!double && near && since < ECHO && name !== '' && last.name !== '') return;
    last = { name: double ? '' : name, at: hooks.now(), x, y };
    hooks.tap(found, double);
  }

  /** @param {PointerEvent} event */
  const gone = (event) => {
    if (press?.id === event.pointerId) cancel();
  };

  root.addEventListener('pointerdown', down);
  root.addEventListener('pointermove', move);
  root.addEventListener('pointerup', up);
  root.addEventListener('pointercancel', gone);
  root.addEventListener('lostpointercapture', gone);
  root.addEventListener('contextmenu', (event) => {
    // A long press is a lift, not a menu.
    if (press) event.preventDefault();
  });
  window.addEventListener('resize', () => {
    if (press) measure();
  });
  window.addEventListener('blur', cancel);
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) cancel();
  });

  /** Forgets the press without telling anybody: the cards were taken out of the hand. */
  const forget = () => {
    if (press) press.phase = 'idle';
  };
  return { cancel, forget };
}
