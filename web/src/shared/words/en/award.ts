export default {
  waits: 'The points are yours. They count on the board of the month once somebody has looked at them.',
  ownLimit: 'It earns nothing this time: your own challenges have earned all that they can in a day.',
  removed: 'This challenge was removed, and what it earned with it.',
  takenBack: 'Somebody has looked at it, and taken back what it earned: {reason}',
} as const;
