import { loadLanguage } from '../src/shared/i18n/language.ts';
import { relativeTime } from '../src/shared/lib/time.ts';

afterEach(() => loadLanguage('en'));

const now = Date.parse('2026-05-04T12:00:00Z');
const ago = (seconds: number) => new Date(now - seconds * 1_000).toISOString();
const minutes = (count: number) => count * 60;
const days = (count: number) => count * 86_400;

test.each([
  [0, 'just now', '刚刚'],
  [59, 'just now', '刚刚'],
  [60, '1 minute ago', '1 分钟前'],
  [minutes(5) + 59, '5 minutes ago', '5 分钟前'],
  [minutes(60), '1 hour ago', '1 小时前'],
  [days(1), '1 day ago', '1 天前'],
  [days(6), '6 days ago', '6 天前'],
  [days(13), '1 week ago', '1 周前'],
  [days(30), '1 month ago', '1 个月前'],
  [days(365 * 2), '2 years ago', '2 年前'],
])('a time %i seconds ago is described in both languages', async (seconds, english, chinese) => {
  expect(relativeTime(ago(seconds), now)).toBe(english);
  await loadLanguage('zh');
  expect(relativeTime(ago(seconds), now)).toBe(chinese);
});

test('a time in the future is described as just now', () => {
  expect(relativeTime(ago(-300), now)).toBe('just now');
});
