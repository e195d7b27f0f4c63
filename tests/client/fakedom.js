/** As much of a page as the table's pointer and keyboard code listens to. */

/** An element whose events a test sends. */
export class FakeElement extends EventTarget {
  left = 0;
  top = 0;
  /** @type {Set<number>} */
  captured = new Set();

  getBoundingClientRect() {
    return { left: this.left, top: this.top };
  }

  /** @param {number} id */
  setPointerCapture(id) {
    this.captured.add(id);
  }
}

/** @param {EventTarget} target @param {string} type @param {Record<string, unknown>} [properties] */
export function send(target, type, properties = {}) {
  const event = Object.assign(new Event(type, { cancelable: true }), properties);
  target.dispatchEvent(event);
  return event;
}

/** Puts a window and a document in place for the modules under test. */
export function fakePage() {
  const page = { window: new EventTarget(), document: Object.assign(new EventTarget(), { hidden: false, activeElement: null }) };
  Object.assign(globalThis, page);
  return page;
}
