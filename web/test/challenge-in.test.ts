import { challengeIn } from '../src/features/messenger/links.ts';

it.each([
  ['a challenge URL', 'Shall we? https://wayquest.example/challenges/7', 7],
  [
    'a challenge URL that ends with a slash, in a sentence',
    'See https://wayquest.example/challenges/7/, on Sunday',
    7,
  ],
  [
    'two challenge URLs, the first one',
    'https://wayquest.example/challenges/8 https://wayquest.example/challenges/9',
    8,
  ],
  ['a URL of another site', 'https://wayquest.example.evil.example/challenges/7', undefined],
  ['the URL of another page', 'https://wayquest.example/challenges/7/edit', undefined],
  ['the URL of the list', 'https://wayquest.example/challenges', undefined],
  ['an invalid id', 'https://wayquest.example/challenges/0123', undefined],
  ['words only', 'challenges 7', undefined],
])('given %s, returns the id of the challenge or undefined', (_description, text, id) => {
  expect(challengeIn(text, 'https://wayquest.example')).toBe(id);
});

it.each(['http://localhost:8080', 'http://192.168.1.7:8080'])(
  'finds a challenge URL if the origin is %s',
  (origin) => {
    expect(challengeIn(`${origin}/challenges/7`, origin)).toBe(7);
  },
);
