import { dateRange, joinedSentence, phaseOf, phaseSentence } from '../src/entities/challenges/dates.ts';
import { shortDay } from '../src/shared/lib/days.ts';
import { formatTime } from '../src/shared/lib/moments.ts';

const timeZone = 'America/New_York';
// Still May 3 in New York, already May 4 in UTC.
const now = new Date('2026-05-04T03:30:00Z');

test.each([
  ['2026-05-03', '2026-05-09', 'May 3 2026 – May 9 2026'],
  ['2026-05-03', null, 'From May 3 2026'],
  [null, '2026-12-31', 'Until December 31 2026'],
  [null, null, 'Always open'],
])('the dates %s to %s are shown as %j', (startDate, endDate, expected) => {
  expect(dateRange({ startDate, endDate })).toBe(expected);
});

test.each([
  [null, null, 'open', 'Open now'],
  ['2026-05-04', null, 'upcoming', 'Opens on May 4'],
  ['2026-05-03', '2026-05-09', 'open', 'Open until May 9'],
  [null, '2026-05-03', 'open', 'Open until May 3'],
  [null, '2026-05-02', 'ended', 'Ended on May 2'],
  [null, '2025-05-02', 'ended', 'Ended on May 2, 2025'],
])('a challenge from %s to %s is %s in the place’s time zone', (startDate, endDate, phase, sentence) => {
  const challenge = { startDate, endDate, timeZone };
  expect(phaseOf(challenge, now)).toBe(phase);
  expect(phaseSentence(challenge, now)).toBe(sentence);
});

test.each([
  [null, "You're in. Go whenever you like."],
  ['2026-05-03', "You're in. It ends today."],
  ['2026-05-09', "You're in. It ends on Saturday."],
  ['2026-05-10', "You're in. It ends on May 10."],
])('joining a challenge whose end date is %s shows it in the notice', (endDate, sentence) => {
  expect(joinedSentence({ endDate, timeZone }, now)).toBe(sentence);
});

test('other dates have one format, with the year if it is another one (53, finding 39)', () => {
  expect(shortDay('2026-11-29', now)).toBe('November 29');
  expect(shortDay('2025-11-29', now)).toBe('November 29, 2025');
  const at = (year: number) => formatTime(new Date(year, 10, 29, 13, 48).toISOString(), now);
  expect(at(2026)).toMatch(/^November 29 at 1:48\sPM$/);
  expect(at(2025)).toMatch(/^November 29, 2025 at 1:48\sPM$/);
});
