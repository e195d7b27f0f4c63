/** At a first visit signing in begins while the rest still loads. A script of its own; main.js takes over what it began. */

try {
  if (!localStorage.getItem('yukon.player')) {
    const begun = fetch('/api/player', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' });
    begun.catch(() => {});
    Object.assign(globalThis, { signingIn: begun });
  }
} catch {
  // Storage is forbidden: main.js signs in by itself.
}
