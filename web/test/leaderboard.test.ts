import { connected, leaderboardChanged, pointsChanged } from '../src/entities/realtime/events.ts';
import { readAddress, writeAddress } from '../src/features/leaderboard/address.ts';
import { rankingClosed, rankingRequested, selectMoves } from '../src/features/leaderboard/slice.ts';
import { problem, startApp } from './support/app.ts';
import { me, person } from './support/fixtures.ts';

test.each([
  ['', { page: 1, scope: 'all', period: 'all' }],
  ['?page=3', { page: 3, scope: 'all', period: 'all' }],
  ['?filter=friends&page=2', { page: 2, scope: 'friends', period: 'all' }],
  ['?filter=town&period=month', { page: 1, scope: 'town', period: 'month' }],
  ['?filter=friends&period=month', { page: 1, scope: 'friends', period: 'month' }],
])('the URL %s is parsed and written alike', (query, address) => {
  expect(readAddress(new URLSearchParams(query))).toEqual(address);
  expect(writeAddress(readAddress(new URLSearchParams(query)))).toBe(query);
});

test.each(['?page=0', '?page=-1', '?page=1.5', '?page=x', '?page=99999'])('%s is the first page', (query) => {
  expect(readAddress(new URLSearchParams(query)).page).toBe(1);
});

test('a page of the leaderboard is loaded and kept', async () => {
  const row = { ...person, rank: 11 };
  const page = { podium: [], rows: [row], page: 2, pages: 2, total: 11 };
  const { store, until } = startApp({
    answers: { 'GET /api/leaderboard?page=2&scope=friends&period=month': { body: page } },
  });
  store.dispatch(rankingRequested({ page: 2, scope: 'friends', period: 'month' }));
  await until((state) => state.leaderboard.request.state === 'ready');
  expect(store.getState().leaderboard.shown).toEqual(page);
});

/** A member who looks at a page of the ranking, which answers each time anew. */
async function onlooker() {
  const board = { away: false, points: 40 };
  const page = () => ({
    podium: [],
    rows: [{ ...person, rank: 1, points: board.points }],
    page: 1,
    pages: 1,
    total: 1,
  });
  const app = startApp({
    token: 'kept',
    social: true,
    answers: {
      'GET /auth/me': { body: me },
      'GET /api/leaderboard?page=1&scope=friends': () =>
        board.away ? problem('service-unavailable') : { body: page() },
    },
  });
  app.store.dispatch(rankingRequested({ page: 1, scope: 'friends', period: 'all' }));
  await app.until((state) => state.leaderboard.request.state === 'ready' && app.socket.state.open === 1);
  const states = new Set<string>();
  app.store.subscribe(() => states.add(app.store.getState().leaderboard.request.state));
  const asked = () => app.calls.filter(({ call }) => call.startsWith('GET /api/leaderboard')).length;
  return { ...app, board, states, asked };
}

test.each([
  ['the person earns points', pointsChanged({ challengeId: 3, awarded: 10, points: 50 })],
  ['somebody earns points', leaderboardChanged()],
  ['points may have been missed', connected()],
])('the leaderboard on the screen follows when %s, without a loading state', async (_what, event) => {
  const { store, board, socket, states, until } = await onlooker();
  board.points = 50;
  socket.tell(event);
  await until((state) => state.leaderboard.shown?.rows[0]?.points === 50);
  expect([...states]).toEqual(['ready']);
  expect(selectMoves(store.getState())).toBe(1);
  store.dispatch(rankingRequested({ page: 1, scope: 'friends', period: 'all' }));
  board.points = 60;
  await until((state) => state.leaderboard.shown?.rows[0]?.points === 60);
  expect(selectMoves(store.getState())).toBe(1);
});

test('the socket is subscribed while the leaderboard is on the screen, also after a gap', async () => {
  const { store, socket } = await onlooker();
  const said = () => socket.emitted.filter(({ name }) => name === 'watchLeaderboard').map(({ data }) => data);
  const before = said().length;
  socket.tell(connected());
  store.dispatch(rankingClosed());
  socket.tell(connected());
  expect(said().slice(before)).toEqual([true, false, false]);
});

test('one that fails to reload stays as it was', async () => {
  const { board, socket, states, until, asked } = await onlooker();
  board.away = true;
  socket.tell(pointsChanged({ challengeId: 3, awarded: 10, points: 50 }));
  await until((state) => asked() === 2 && state.auth.user?.points === 50);
  await new Promise(setImmediate);
  expect([...states]).toEqual(['ready']);
});

test('one that is no longer shown is not loaded', async () => {
  const { store, socket, until, asked } = await onlooker();
  store.dispatch(rankingClosed());
  socket.tell(pointsChanged({ challengeId: 3, awarded: 10, points: 50 }));
  await until((state) => state.auth.user?.points === 50);
  await new Promise(setImmediate);
  expect(asked()).toBe(1);
});
