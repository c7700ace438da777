import { localDate } from '../src/values.ts';

const late = new Date('2026-05-04T23:30:00Z');

it.each([
  ['Asia/Tokyo', '2026-05-05'],
  ['America/New_York', '2026-05-04'],
  ['UTC', '2026-05-04'],
])('the date in %s is %s', (timeZone, day) => {
  expect(localDate(timeZone, late)).toBe(day);
});

it.each(['Mars/Phobos', '', 'America/Coyhaique2'])(
  'the date in the unknown time zone “%s” is that in UTC, also the second time (Q10)',
  (timeZone) => {
    expect([localDate(timeZone, late), localDate(timeZone, late)]).toEqual(['2026-05-04', '2026-05-04']);
  },
);
