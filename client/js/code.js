/** Finds a game code in what somebody pasted; whether it is one says the server. */

/** The code in what somebody pasted: the code itself, or a whole link with it. @param {string} pasted */
export function codeFrom(pasted) {
  const link = /\/g\/([^/?#\s]+)/i.exec(pasted)?.[1];
  return within(link === undefined ? pasted.trim() : decoded(link));
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The code among other words or marks; a text that may itself be a code, however it is spaced, is left alone. @param {string} text */
function within(text) {
  if (/^yu1[a-z0-9\s\p{Pd}]*$/iu.test(text)) return text;
  return /(?<![a-z0-9])yu1-[a-z]-[a-z0-9]{7,26}(?![a-z0-9])/i.exec(text)?.[0] ?? text;
}
