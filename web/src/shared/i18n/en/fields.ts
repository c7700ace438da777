export default {
  showTyped: 'Show what I type',
  streetAddress: 'Street address',
  city: 'City',
  state: 'State',
  stateIfAny: 'State',
  zip: 'ZIP code',
  stillNeeded: 'Still needed: {fields}',
  orDash: '{field} (or –)',
  nothingChanged: 'Nothing to save yet.',
  tooLong: '{length} of {limit} characters: shorten it by {count}',
  lettersOf: '{length} of {limit} characters',
} as const;
