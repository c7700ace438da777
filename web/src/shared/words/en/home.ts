export default {
  tab: 'Explore your world',
  title: 'Challenge Yourself to Explore Your World',
  lead: 'Real places near you, a reason to go there, and points for getting there. The next one is closer than you think.',
  start: 'Start Exploring',
  signUp: 'Create an Account',
  openNow: 'Open right now',
  make: 'Make challenges',
  makeStory:
    'You know the bench with the best view, the mural nobody notices, the library with the reading tree. Put a challenge there, say how hard it is to get to, and let others find out why you chose it.',
  compete: 'Compete against friends',
  competeStory:
    'Every completed challenge earns points: ten for an easy stroll, thirty for a real outing. The leaderboard shows who has been out, and the top three stand on the podium for everyone to see.',
  explore: 'Explore your local area',
  exploreStory:
    'You have walked past it a hundred times. Parks, museums, cinemas and corner restaurants around you become small adventures: pick one that is open, join, go there, and mark it as complete.',
} as const;
