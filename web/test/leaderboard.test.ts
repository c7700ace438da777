import { readAddress, writeAddress } from '../src/features/leaderboard/address.ts';
import { rankingRequested } from '../src/features/leaderboard/slice.ts';
import { startApp } from './support/app.ts';
import { person } from './support/fixtures.ts';

test.each([
  ['', { page: 1, scope: 'all' }],
  ['?page=3', { page: 3, scope: 'all' }],
  ['?filter=friends&page=2', { page: 2, scope: 'friends' }],
])('the address %s is read and written alike', (query, address) => {
  expect(readAddress(new URLSearchParams(query))).toEqual(address);
  expect(writeAddress(readAddress(new URLSearchParams(query)))).toBe(query);
});

test.each(['?page=0', '?page=-1', '?page=1.5', '?page=x', '?page=99999'])('%s is the first page', (query) => {
  expect(readAddress(new URLSearchParams(query)).page).toBe(1);
});

test('a page of the ranking is asked for and kept', async () => {
  const row = { ...person, rank: 11 };
  const page = { podium: [], rows: [row], page: 2, pages: 2, total: 11 };
  const { store, until } = startApp({
    answers: { 'GET /api/leaderboard?page=2&scope=friends': { body: page } },
  });
  store.dispatch(rankingRequested({ page: 2, scope: 'friends' }));
  await until((state) => state.leaderboard.state === 'ready');
  expect(store.getState().leaderboard.shown).toEqual(page);
});
