/** Finds a game code in what somebody pasted; whether it is one says the server. */

/** The code in what somebody pasted: the code itself, or a whole link with it. @param {string} pasted */
export function codeFrom(pasted) {
  const link = /\/g\/([^/?#\s]+)/i.exec(pasted);
  if (!link) return pasted.trim();
  try {
    return decodeURIComponent(link[1]);
  } catch {
    return link[1];
  }
}
