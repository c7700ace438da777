export default {
  loading: 'Loading…',
  retry: 'Try again',
  points_one: '{count} point',
  points_other: '{count} points',
  language: 'Language',
  justNow: 'just now',
  username: 'Username',
  findUsers: 'Find users',
  noFriends: 'No Friends, go find some!',
  unreachable: "Can't reach {site}. Check your connection and try again.",
  internalError: 'Something went wrong on our side. Please try again.',
  onlyInMemory:
    "Your browser can't store this, so it's lost when the page is closed. Keep the page open until you're online.",
  discard: 'Discard',
  deletedUser: 'Deleted user',
} as const;
