import { quoteBefore, splitQuote } from '../src/features/messenger/quotes.ts';

test.each([
  ['Hello', '', '> Hello\n'],
  ['Two\nlines', 'a draft', '> Two\n> lines\na draft'],
  // A quote within the quote is left out, and another answer replaces the quote of a draft.
  ['> first\nsecond', '> old\na draft', '> second\na draft'],
  ['> only a quote', '', '> > only a quote\n'],
  ['x'.repeat(200), '', `> ${'x'.repeat(79)}…\n`],
])('the answer to %j after the draft %j begins with a quote (53, finding 18)', (text, draft, expected) => {
  expect(quoteBefore(text, draft)).toBe(expected);
});

test.each([
  ['Hello', '', 'Hello'],
  ['> Hello\nHi', 'Hello', 'Hi'],
  ['> a\n> b\n\nc', 'a\nb', '\nc'],
  ['3 > 2\n> later', '', '3 > 2\n> later'],
])('%j is shown with its quote', (message, quote, text) => {
  expect(splitQuote(message)).toEqual({ quote, text });
});
