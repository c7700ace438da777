export default {
  flagged: "You've earned the points. They'll count toward the monthly leaderboard after a review.",
  ownLimit: "No points this time: you've reached the daily limit for your own challenges.",
  removed: 'This challenge was removed, along with the points it earned.',
  revoked: 'The points were revoked after a review: {reason}',
} as const;
