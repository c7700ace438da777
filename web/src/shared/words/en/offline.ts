export default {
  offline: 'You are offline. This is what was loaded last.',
  missing: 'You are offline, and this was not loaded before. Connect and try again.',
} as const;
