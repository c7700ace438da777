export default {
  loading: 'Loading {what}',
  retry: 'Try again',
  new: 'new',
  language: 'Language',
  justNow: 'just now',
  outOfReach: 'Wayquest is out of reach. Check your connection and try again.',
  broken: 'Something went wrong on our side. Please try again.',
} as const;
