/** A race against ghosts: whether there is one, and whether there may be. How they went is ghostview.js's. Pure. */

/** @typedef {import('../types.js').State} State */
/** @typedef {import('../types.js').Game} Game */
/** @typedef {import('./types.js').GhostRace} GhostRace */
/** @typedef {import('./types.js').Timeline} Timeline */

/** The race against ghosts that is on the table. @param {Pick<State, 'room' | 'game'>} state @returns {{race: GhostRace, timeline: Timeline, game: Game} | null} */
export function ghostRace({ room, game }) {
  const race = room?.ghosts;
  return race?.timeline && game && race.session === game.session ? { race, timeline: race.timeline, game } : null;
}

/** Whether the ghosts of a finished race are ours to race: we were not in it. @param {State} state @param {number} race */
export function mayRace({ room, player }, race) {
  const past = room?.evening.find((one) => one.race === race);
  return Boolean(past && player && !past.places.some((place) => place.player === player.id));
}
