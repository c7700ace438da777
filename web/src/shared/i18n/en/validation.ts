export default {
  missing: 'Please fill this in.',
  choose: 'Please choose one.',
  noEmail: 'Enter an email address, such as name@example.com.',
  tooShort: 'Use at least {count} characters.',
  noNumber: 'Enter a whole number from {min} to {max}.',
  noDate: 'Enter a valid date.',
} as const;
