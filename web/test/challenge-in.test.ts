import { challengeIn } from '../src/features/messenger/challenge-in.ts';

it.each([
  ['an address of one', 'Shall we? https://wayquest.example/challenges/7', 7],
  ['one with a slash at its end, in a sentence', 'See https://wayquest.example/challenges/7/, on Sunday', 7],
  [
    'two, of which the first counts',
    'https://wayquest.example/challenges/8 https://wayquest.example/challenges/9',
    8,
  ],
  ['another site’s', 'https://wayquest.example.evil.example/challenges/7', undefined],
  ['another page’s', 'https://wayquest.example/challenges/7/edit', undefined],
  ['all of them', 'https://wayquest.example/challenges', undefined],
  ['a number that none can have', 'https://wayquest.example/challenges/0123', undefined],
  ['words alone', 'challenges 7', undefined],
])('finds the challenge in a text with %s', (_what, text, id) => {
  expect(challengeIn(text, 'https://wayquest.example')).toBe(id);
});

it.each(['http://localhost:8080', 'http://192.168.1.7:8080'])('finds none in %s', (origin) => {
  expect(challengeIn(`${origin}/challenges/7`, origin)).toBe(7);
});
