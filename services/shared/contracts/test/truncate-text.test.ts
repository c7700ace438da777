import { truncateText } from '@wayquest/contracts';

it.each([
  ['a short text as it is', 'hello', 5, '', 'hello'],
  ['at a letter', 'hello world', 5, '', 'hello'],
  ['before an emoji of two code units that does not fit', `${'x'.repeat(99)}😀`, 100, '', 'x'.repeat(99)],
  ['before a family that does not fit as a whole', 'ab👩‍👩‍👧', 6, '', 'ab'],
  ['before a letter whose accent does not fit', 'cafe\u0301', 4, '', 'caf'],
  ['with an ending that counts', 'hello world', 8, '…', 'hello w…'],
  ['without a space before the ending', 'hello world', 7, '…', 'hello…'],
  ['a run of emoji after a whole one', '😀'.repeat(200), 101, '…', `${'😀'.repeat(50)}…`],
])('cuts %s', (_what, text, maxLength, ending, expected) => {
  expect(truncateText(text, maxLength, ending)).toBe(expected);
});
