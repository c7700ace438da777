import { connected, leaderboardChanged, pointsChanged } from '../src/entities/realtime/events.ts';
import { readAddress, writeAddress } from '../src/features/leaderboard/address.ts';
import { rankingClosed, rankingRequested } from '../src/features/leaderboard/slice.ts';
import { resourceAsked } from '../src/shared/saga/resources.ts';
import { problem, startApp } from './support/app.ts';
import { me, person } from './support/fixtures.ts';

test.each([
  ['', { page: 1, scope: 'all', period: 'all' }],
  ['?page=3', { page: 3, scope: 'all', period: 'all' }],
  ['?filter=friends&page=2', { page: 2, scope: 'friends', period: 'all' }],
  ['?filter=town&period=month', { page: 1, scope: 'town', period: 'month' }],
  ['?filter=friends&period=month', { page: 1, scope: 'friends', period: 'month' }],
])('the URL query %j is parsed, and written as it was', (query, address) => {
  expect(readAddress(new URLSearchParams(query))).toEqual(address);
  expect(writeAddress(readAddress(new URLSearchParams(query)))).toBe(query);
});

test.each([
  ...['?page=0', '?page=-1', '?page=1.5', '?page=x', '?page=99999'],
  ...['?page=', '?page=%202', '?page=0x2', '?page=2e0'],
])('the invalid URL query %s means the first page (Y10)', (query) => {
  expect(readAddress(new URLSearchParams(query)).page).toBe(1);
});

test('a page of the leaderboard is loaded and stored', async () => {
  const row = { ...person, rank: 11 };
  const page = { podium: [], rows: [row], page: 2, pages: 2, total: 11 };
  const { store, until } = startApp({
    responses: { 'GET /api/leaderboard?page=2&scope=friends&period=month': { body: page } },
  });
  store.dispatch(rankingRequested({ page: 2, scope: 'friends', period: 'month' }));
  await until((state) => state.leaderboard.request.state === 'ready');
  expect(store.getState().leaderboard.shown).toEqual(page);
});

/** Starts the app with an open leaderboard, whose stubbed response can be changed. */
async function openLeaderboard() {
  const ranking = { isUnavailable: false, points: 40 };
  const page = () => ({
    podium: [],
    rows: [{ ...person, rank: 1, points: ranking.points }],
    page: 1,
    pages: 1,
    total: 1,
  });
  const app = startApp({
    token: 'kept',
    social: true,
    responses: {
      'GET /auth/me': { body: me },
      'GET /api/leaderboard?scope=friends&around=me': () => ({ body: page() }),
      'GET /api/leaderboard?page=1&scope=friends': () =>
        ranking.isUnavailable ? problem('service-unavailable') : { body: page() },
    },
  });
  app.store.dispatch(rankingRequested({ page: 1, scope: 'friends', period: 'all' }));
  await app.until((state) => state.leaderboard.request.state === 'ready' && app.socket.state.open === 1);
  const states = new Set<string>();
  app.store.subscribe(() => states.add(app.store.getState().leaderboard.request.state));
  const countOf = (part: string) => app.calls.filter(({ call }) => call.includes(part)).length;
  const requestCount = () => countOf('leaderboard?page');
  const ownRankCount = () => countOf('around=me');
  return { ...app, ranking, states, requestCount, ownRankCount };
}

test.each([
  ['the user earns points', pointsChanged({ challengeId: 3, awarded: 10, points: 50 })],
  ['another user earns points', leaderboardChanged()],
  ['points may have been missed', connected()],
])('an open leaderboard is reloaded without a loading state when %s', async (_what, event) => {
  const { store, ranking, socket, states, until, ownRankCount } = await openLeaderboard();
  const query = { scope: 'friends', around: 'me' } as const;
  store.dispatch(resourceAsked({ operation: 'getLeaderboard', input: { query }, key: 'own rank' }));
  await until(() => ownRankCount() === 1);
  ranking.points = 50;
  socket.receive(event);
  await until((state) => state.leaderboard.shown?.rows[0]?.points === 50);
  expect([...states]).toEqual(['ready']);
  await until(() => ownRankCount() > 1);
  const count = ownRankCount();
  store.dispatch(rankingRequested({ page: 1, scope: 'friends', period: 'all' }));
  ranking.points = 60;
  await until((state) => state.leaderboard.shown?.rows[0]?.points === 60);
  expect(ownRankCount()).toBe(count);
});

test('the socket is subscribed while the leaderboard is open, also after reconnecting', async () => {
  const { store, socket } = await openLeaderboard();
  const subscriptions = () =>
    socket.emitted.filter(({ name }) => name === 'watchLeaderboard').map(({ data }) => data);
  const before = subscriptions().length;
  socket.receive(connected());
  store.dispatch(rankingClosed());
  socket.receive(connected());
  expect(subscriptions().slice(before)).toEqual([true, false, false]);
});

test('an open leaderboard that fails to reload does not change', async () => {
  const { ranking, socket, states, until, requestCount } = await openLeaderboard();
  ranking.isUnavailable = true;
  socket.receive(pointsChanged({ challengeId: 3, awarded: 10, points: 50 }));
  await until((state) => requestCount() === 2 && state.auth.user?.points === 50);
  await new Promise(setImmediate);
  expect([...states]).toEqual(['ready']);
});

test('a closed leaderboard is not reloaded', async () => {
  const { store, socket, until, requestCount } = await openLeaderboard();
  store.dispatch(rankingClosed());
  socket.receive(pointsChanged({ challengeId: 3, awarded: 10, points: 50 }));
  await until((state) => state.auth.user?.points === 50);
  await new Promise(setImmediate);
  expect(requestCount()).toBe(1);
});
