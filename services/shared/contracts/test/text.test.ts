import {
  challengeNameIn,
  DayInput,
  fillInChinese,
  freeText,
  isolateDirection,
  Near,
  NewChallenge,
  singleLineText,
} from '@wayquest/contracts';

const name = singleLineText(120).min(1);

it.each([
  ['U+200B', '\u200b'],
  ['U+3164', '\u3164'],
  ['U+2800', '\u2800'],
  ['U+00AD', '\u00ad'],
  ['several of them with spaces', ' \u200b \u3164 \u2800 \u00ad '],
  ['a lone joiner', '\u200d'],
  ['a lone variation selector', '\ufe0f'],
  ['a lone override', '\u202e'],
])('rejects a name, a message and an address of only %s', (_what, text) => {
  expect(name.safeParse(text).success).toBe(false);
  expect(freeText(2_000).min(1).safeParse(text).success).toBe(false);
  expect(NewChallenge.safeParse({ name: 'Walk', difficulty: 'Easy', city: text }).success).toBe(false);
});

it.each(['👩‍👩‍👧', 'می‌روم', '❤️', 'Łódź', '圖書館', 'a'])('accepts %s unchanged', (text) => {
  expect(name.parse(text)).toBe(text);
});

it('isolates an override character in a name', () => {
  expect(isolateDirection('Park \u202egnp.exe')).toBe('\u2068Park \u202egnp.exe\u2069');
  expect(isolateDirection('a\u2069\u202eb')).toBe('\u2068a\u202eb\u2069');
  expect(isolateDirection('Park')).toBe('Park');
});

it.each([
  ['{who} 加入了。', 'ann', 'ann 加入了。'],
  ['{who} 加入了。', '王芳', '王芳加入了。'],
  ['去 {who} 附近', '上海', '去上海附近'],
  ['去 {who} 附近', 'A区', '去 A区附近'],
  ['原因：{who} 再见', '太快了。', '原因：太快了。再见'],
  ['{who}，你好', '$&', '$&，你好'],
])('leaves out the space of “%s” beside Chinese characters of %s (53)', (sentence, value, expected) => {
  expect(fillInChinese(sentence, () => value)).toBe(expected);
});

it('names a suggested challenge in the language of its reader, and others as they are (53)', () => {
  const statue = { name: 'Find a statue in Oslo', template: { key: 'statue', place: 'Oslo' } };
  expect(challengeNameIn('zh', statue)).toBe('找到 Oslo 的一座雕像');
  expect(challengeNameIn('en', statue)).toBe(statue.name);
  expect(challengeNameIn('zh', { name: 'Old Mill' })).toBe('Old Mill');
  expect(challengeNameIn('zh', { ...statue, template: { key: 'of-a-later-version', place: 'Oslo' } })).toBe(
    statue.name,
  );
});

it.each([
  ['51.5,-1e-7', { lat: 51.5, lng: -1e-7 }],
  ['51.5,-0.12775829371234567', { lat: 51.5, lng: Number('-0.12775829371234567') }],
  ['0.30000000000000004,9.4', { lat: 0.30000000000000004, lng: 9.4 }],
  ['1E+1,5e-324', { lat: 10, lng: 5e-324 }],
])('accepts the coordinates %s', (text, position) => {
  expect(Near.parse(text)).toEqual(position);
});

it.each(['91,0', '1e3,0', '51.5', 'NaN,0', '0x1,0', '1e,0', '1,2,3', ' 1,2'])(
  'rejects the coordinates %s',
  (text) => {
    expect(Near.safeParse(text).success).toBe(false);
  },
);

it.each(['0026-11-25', '1999-12-31', '2101-01-01', '0026-11-25T10:00:00Z'])('rejects the date %s', (day) => {
  expect(DayInput.safeParse(day).success).toBe(false);
});

it.each(['2000-01-01', '2026-11-25', '2100-12-31', '', null])('accepts the date %s', (day) => {
  expect(DayInput.parse(day)).toBe(day || null);
});

it('accepts the postal code SW1A 1AA', () => {
  expect(NewChallenge.parse({ name: 'Walk', difficulty: 'Easy', zip: 'SW1A 1AA' }).zip).toBe('SW1A 1AA');
});
