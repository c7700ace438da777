import { formatDay, isSameDay } from '../src/shared/lib/time.ts';

const now = new Date(2026, 4, 3, 0, 30).getTime();
const at = (day: number, hour: number) => new Date(2026, 4, day, hour).toISOString();

test.each([
  [at(3, 0), 'today'],
  [at(3, 23), 'today'],
  [at(4, 1), 'today'],
  [at(2, 23), 'yesterday'],
  [at(2, 0), 'yesterday'],
  [at(1, 23), 'Friday, May 1'],
  [new Date(2025, 11, 31, 12).toISOString(), 'Wednesday, December 31, 2025'],
])('the day of a message at %s is shown as %j', (timestamp, expected) => {
  expect(formatDay(timestamp, now)).toBe(expected);
});

test('two times are on the same day until midnight in the browser’s time zone', () => {
  expect(isSameDay(at(2, 0), at(2, 23))).toBe(true);
  expect(isSameDay(at(2, 23), at(3, 0))).toBe(false);
});
