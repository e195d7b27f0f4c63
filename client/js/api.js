/** The few plain requests: who plays, the rules, a nickname. Everything about a game goes through the socket. */

/** @typedef {import('./types.js').Ruleset} Ruleset */
/** @typedef {{id: string, name: string | null}} Player */

/** An answer that was not a success. */
export class RequestError extends Error {
  /** @param {number} status @param {string} [code] what Yukon's own server says of it */
  constructor(status, code) {
    super(`the server answered ${status}`);
    this.status = status;
    this.code = code;
  }
}

/** @param {string} path @param {string} [method] @param {unknown} [body] @returns {Promise<any>} null for an answer without content */
export async function request(path, method = 'GET', body) {
  const response = await fetch(path, {
    method,
    headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
    credentials: 'same-origin',
    cache: 'no-cache',
    signal: AbortSignal.timeout(10_000),
  });
  if (!response.ok) throw new RequestError(response.status, (await response.json().catch(() => null))?.error);
  return response.status === 204 ? null : response.json();
}

/** The player whose cookie this browser has; a new one where it has none. @returns {Promise<Player>} */
export const signIn = () => request('/api/player', 'POST', {});

/** @param {string} name 1 to 20 characters @returns {Promise<Player>} */
export const rename = (name) => request('/api/player', 'PATCH', { name });

/** @returns {Promise<Ruleset[]>} */
export const rules = async () => (await request('/api/rules')).rulesets;
