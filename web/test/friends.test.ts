import {
  acceptRequested,
  friendRequestAdded,
  friendRequested,
  removeRequested,
  requestsOf,
  selectFriends,
  selectIncoming,
  selectRelation,
} from '../src/entities/friends/slice.ts';
import { connected, friendRequestChanged } from '../src/entities/realtime/events.ts';
import { matchesName } from '../src/shared/lib/names.ts';
import { problem, type StubResponses, startApp } from './support/app.ts';
import { friend, friendRequest, me } from './support/fixtures.ts';

test.each([
  ['', true],
  ['  ', true],
  ['maya', true],
  ['NUÑ', true],
  ['nunez', true],
  ['nunez MAY', true],
  ['maya p', false],
  ['flushing', false],
])('the search text %j matches a friend: %s', (text, expected) => {
  const user = { ...friend, username: 'may4', firstName: 'Maya', lastName: 'Núñez', city: 'Flushing' };
  expect(matchesName(user, text)).toBe(expected);
});

const accepted = { ...friendRequest, status: 'accepted' as const, can: { accept: false } };
const reference = { id: friendRequest.id, otherId: friend.id };

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

test('a received request is pending; accepting it makes the sender a friend', async () => {
  const { store, until } = await member({ 'PUT /api/friendrequests/31': { body: accepted } });
  expect(selectIncoming(store.getState())).toEqual([friendRequest]);
  expect(selectRelation(store.getState(), friend.id)).toBe('received');
  store.dispatch(acceptRequested(reference));
  await until((state) => selectFriends(state).length === 1);
  expect(requestsOf(store.getState().friendRequests)).toEqual([accepted]);
  expect(store.getState().friendRequests.pending).toEqual([]);
  expect(selectIncoming(store.getState())).toEqual([]);
  expect(selectRelation(store.getState(), friend.id)).toBe('friends');
});

test('declining removes the request by its id', async () => {
  const { store, until } = await member({ 'DELETE /api/friendrequests/31': {} });
  store.dispatch(removeRequested(reference));
  await until((state) => requestsOf(state.friendRequests).length === 0);
  expect(selectRelation(store.getState(), friend.id)).toBe('none');
});

test('sending a request sends the recipient’s id and appends the request', async () => {
  const other = { ...friend, id: 10 };
  const sentRequest = {
    ...friendRequest,
    id: 32,
    userId: me.id,
    friendId: 10,
    user: me,
    friend: other,
    can: { accept: false },
  };
  const { store, calls, until } = await member({
    'POST /api/friendrequests/': { status: 201, body: sentRequest },
  });
  store.dispatch(friendRequested(10));
  await until((state) => requestsOf(state.friendRequests).length === 2);
  expect(requestsOf(store.getState().friendRequests).map(({ id }) => id)).toEqual([31, 32]);
  expect(calls.find(({ call }) => call.startsWith('POST'))?.body).toEqual({ friendId: 10 });
  expect(selectRelation(store.getState(), 10)).toBe('sent');
  expect(selectRelation(store.getState(), me.id)).toBe('self');
});

test('sending a request to a user who already sent one makes them friends immediately', async () => {
  const { store, until } = await member({ 'POST /api/friendrequests/': { body: accepted } });
  store.dispatch(friendRequested(friend.id));
  await until((state) => selectRelation(state, friend.id) === 'friends');
  expect(store.getState().friendRequests.pending).toEqual([]);
});

test('a request that no longer exists is reported, and the list is reloaded', async () => {
  let requests = [friendRequest];
  const { store, until } = await member({
    'GET /api/friendrequests/': () => ({ body: requests }),
    'PUT /api/friendrequests/31': problem('friend-request-not-found'),
  });
  requests = [];
  store.dispatch(acceptRequested(reference));
  await until((state) => requestsOf(state.friendRequests).length === 0);
  expect(store.getState().notice.current).toEqual({
    text: 'That friend request no longer exists.',
    tone: 'bad',
  });
});

test.each([
  ['a friend request event', friendRequestChanged({ requestId: 31, userIds: [9, 7], status: 'accepted' })],
  ['a new connection', connected()],
])('the list of friend requests is reloaded after %s', async (_why, event) => {
  let requests = [friendRequest];
  const { socket, until } = await member({ 'GET /api/friendrequests/': () => ({ body: requests }) });
  await until(() => socket.state.open === 1);
  requests = [accepted];
  socket.receive(event);
  await until((state) => selectFriends(state).length === 1);
});

test('a friend request received twice is stored once', () => {
  const { store } = startApp();
  store.dispatch(friendRequestAdded(friendRequest));
  store.dispatch(friendRequestAdded(accepted));
  expect(requestsOf(store.getState().friendRequests)).toEqual([accepted]);
});
