export default {
  tab: 'Explore your world',
  title: 'Challenge Yourself to Explore Your World',
  lead: 'Real places near you, a reason to go there, and points for getting there. The next one is closer than you think.',
  start: 'Start Exploring',
  signUp: 'Create an Account',
  openNow: 'Open right now',
  about: 'How {site} works',
  make: 'Make challenges',
  makeDescription:
    'You know the bench with the best view, the mural no one notices, the library with the reading tree. Put a challenge there, rate the difficulty, and let others discover why you picked it.',
  compete: 'Compete against friends',
  competeDescription:
    "Every completed challenge earns points: ten for an easy stroll, thirty for a real outing. The leaderboard shows who's been getting out, and the top three stand on the podium for everyone to see.",
  explore: 'Explore your local area',
  exploreDescription:
    "You've walked past it a hundred times. Parks, museums, movie theaters and corner restaurants around you become small adventures: pick one that is open, join, go there, and mark it as complete.",
} as const;
