/** English of choosing what a race is made of, loaded with its panels. Rules as in en.js. */

export default {
  'race.change_about': 'Other settings take back the ready marks.',
  'race.sealed': 'Sealed',
  'race.sealed_about': 'New cards that nobody can know, the same for everyone.',
  'race.typed': 'Code',
  'race.typed_about': 'The cards of a code, which everyone may know. It gives the rules too.',
  'race.limit_minutes': 'Time limit in minutes',
  'race.none': 'none',
  'room.code_example': 'KXM TRB',
  'room.join_about': 'Join friends with their room code',
  'room.join': 'Join',
  'room.open': 'Open a room',
};
