export default {
  several_one: '{count} here: {names}',
  several_other: '{count} here: {names}',
  credit: '© OpenStreetMap contributors',
} as const;
