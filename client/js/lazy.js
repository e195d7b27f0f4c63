/** What a part that is loaded later brings along beside its script: its style sheet. */

/** @type {Map<string, Promise<void>>} */
const asked = new Map();

/** Adds a style sheet of client/css, once; resolves when it is in force. @param {string} name such as rooms.css @returns {Promise<void>} */
export function loadStyle(name) {
  let loading = asked.get(name);
  if (!loading) {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = `${document.documentElement.dataset.assets}css/${name}`;
    loading = new Promise((resolve, reject) => {
      link.onload = () => resolve();
      link.onerror = () => {
        // The network may be back when it is asked for again.
        asked.delete(name);
        link.remove();
        reject(new Error(`${name} could not be loaded`));
      };
    });
    asked.set(name, loading);
    document.head.append(link);
  }
  return loading;
}
