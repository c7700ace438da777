export default {
  showTyped: 'Show what I type',
  streetAddress: 'Street address',
  city: 'City',
  state: 'State',
  zip: 'ZIP code',
  tooLong: '{length} of {limit} characters: shorten it by {count}',
  lettersOf: '{length} of {limit} characters',
} as const;
