import { joinsOf, placeBefore } from '../src/shared/lib/return-to.ts';

test('a login goes on to where it was asked for', () => {
  expect(placeBefore({ from: '/challenges/3' })).toBe('/challenges/3');
});

test.each([
  null,
  {},
  { from: 7 },
  { from: 'https://elsewhere.example' },
  { from: '//elsewhere.example' },
  { from: '/\\elsewhere' },
])('from %j it goes home', (state) => {
  expect(placeBefore(state)).toBe('/home');
});

test('a login remembers what was to be joined, and nothing that is no number', () => {
  expect(joinsOf({ from: '/challenges/3', joins: 3 })).toBe(3);
  for (const state of [null, {}, { joins: '3' }]) expect(joinsOf(state)).toBeUndefined();
});
