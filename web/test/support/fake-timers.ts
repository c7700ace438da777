const fakeable = [
  ...(['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate'] as const),
  ...(['clearImmediate', 'hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const),
];
type Fakeable = (typeof fakeable)[number];

export const timeouts = ['setTimeout', 'clearTimeout'] as const;
export const dateAndTimers = ['Date', ...timeouts, 'setInterval', 'clearInterval'] as const;

/**
 * Fakes these parts of the clock, until `jest.useRealTimers()`; the others go on.
 *
 * @param now - What the clock shows, in milliseconds; the real time by default.
 */
export const fakeTimers = (faked: readonly Fakeable[], now?: number): typeof jest =>
  jest.useFakeTimers({ now, doNotFake: fakeable.filter((name) => !faked.includes(name)) });
