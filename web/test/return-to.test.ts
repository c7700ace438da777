import { challengeToJoin, returnPath } from '../src/shared/lib/return-to.ts';

test('a login returns to the page that required it', () => {
  expect(returnPath({ from: '/challenges/3' })).toBe('/challenges/3');
});

test.each([
  null,
  {},
  { from: 7 },
  { from: 'https://elsewhere.example' },
  { from: '//elsewhere.example' },
  { from: '/\\elsewhere' },
])('a login with the invalid state %j leads to the home page', (state) => {
  expect(returnPath(state)).toBe('/home');
});

test('a login remembers the challenge to join, and ignores an invalid one', () => {
  expect(challengeToJoin({ from: '/challenges/3', joins: 3 })).toBe(3);
  for (const state of [null, {}, { joins: '3' }]) expect(challengeToJoin(state)).toBeUndefined();
});
