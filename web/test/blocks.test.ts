import {
  blockRequested,
  blocksRequested,
  selectBlocked,
  selectIsBlocked,
  unblockRequested,
} from '../src/entities/blocks/slice.ts';
import { problem, type StubResponses, startApp } from './support/app.ts';
import { friend, friendRequest, me } from './support/fixtures.ts';

async function member(responses: StubResponses) {
  const app = startApp({
    token: 'kept',
    social: true,
    responses: {
      'GET /auth/me': { body: me },
      'GET /api/friendrequests/': { body: [friendRequest] },
      ...responses,
    },
  });
  await app.until((state) => state.friendRequests.list.state === 'ready');
  return app;
}

test('blocked users are loaded once if several components request them', async () => {
  const { store, calls, until } = await member({ 'GET /api/blocks/': { body: [friend] } });
  expect(calls.some(({ call }) => call === 'GET /api/blocks/')).toBe(false);
  for (let part = 0; part < 3; part += 1) store.dispatch(blocksRequested());
  await until((state) => state.blocks.list.state === 'ready');
  expect(selectBlocked(store.getState())).toEqual([friend]);
  expect(calls.filter(({ call }) => call === 'GET /api/blocks/')).toHaveLength(1);
});

test('blocked users requested before the code of the saga is loaded are loaded afterwards', async () => {
  const { store, until } = startApp({
    token: 'kept',
    social: true,
    responses: { 'GET /auth/me': { body: me }, 'GET /api/blocks/': { body: [friend] } },
  });
  store.dispatch(blocksRequested());
  await until((state) => state.blocks.list.state === 'ready');
  expect(selectIsBlocked(store.getState(), friend.id)).toBe(true);
});

test('blocking and unblocking update the state, and blocking reloads friend requests', async () => {
  const { store, calls, until } = await member({
    'POST /api/blocks/': {},
    'DELETE /api/blocks/9': {},
  });
  const friendsLoaded = () => calls.filter(({ call }) => call === 'GET /api/friendrequests/').length;
  const before = friendsLoaded();
  store.dispatch(blockRequested(friend));
  await until((state) => selectIsBlocked(state, friend.id) && friendsLoaded() > before);
  store.dispatch(unblockRequested(friend));
  await until((state) => !selectIsBlocked(state, friend.id));
  expect(store.getState().blocks.changing).toBe(false);
});

test('a failed block is reported and changes nothing', async () => {
  const { store, until } = await member({ 'POST /api/blocks/': problem('user-not-found') });
  store.dispatch(blockRequested(friend));
  await until((state) => state.notice.current?.tone === 'bad');
  expect(selectBlocked(store.getState())).toEqual([]);
  expect(store.getState().blocks.changing).toBe(false);
});
