/** English of races against ghosts, loaded with them. Rules as in en.js. */

export default {
  'ghosts.of': 'Ghosts of race {number}',
  'ghosts.you': 'You',
  'ghosts.later': 'raced later',
  'ghosts.place': 'Place {place} of {n}',
  'ghosts.row': '{place}: {name}, {outcome}, score {score}, moves {moves}. Watch how it went.',
  'ghosts.row_mine': '{place}: {name}, raced later, {outcome}, score {score}, moves {moves}. Watch how it went.',
  'ghosts.stays': 'The places of the race itself stay as they were.',
  'ghosts.gone': 'No ghosts of this race are to be had.',
  'ghosts.failed': 'The ghosts did not come. Try again.',
  'ghosts.next_race': 'The next race is being set up in the room.',
  'refusal.no_ghosts': 'Of this race nothing is left to race against.',
  'refusal.already_raced': 'You were in this race yourself.',
};
