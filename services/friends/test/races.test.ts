import { newEvent } from '@wayquest/platform/bus';
import { type IsolatedService, signToken, startIsolatedService } from '@wayquest/testing';
import { createFriendsService } from '../src/index.ts';

let friends: IsolatedService;
beforeAll(async () => {
  friends = await startIsolatedService({
    service: 'friends',
    create: (deps) => createFriendsService({ ...deps, usersUrl: () => 'http://127.0.0.1:9' }),
    stored: {
      // Expired, but MongoDB only deletes expired documents once a minute.
      friend_request_cooldowns: [
        { _id: '18:19', times: 1, declinedUntil: new Date(1), expiresAt: new Date(1) },
      ],
    },
  });
  for (let id = 1; id <= 20; id++) await profile(id, 1);
});
afterEach(() => {
  friends.setBusUnavailable(false);
});
afterAll(() => friends?.stop());

const profile = (id: number, version: number, city = '') => {
  const names = { username: `person-${id}`, firstName: '', lastName: '' };
  const user = { id, ...names, city, state: '', avatar: `explorer-${id}.svg`, points: 0 };
  return friends.deliver(newEvent('user.profile-changed.v1', { user, version }));
};
const clientOf = (id: number) => friends.client(signToken({ sub: String(id), username: `person-${id}` }));
const publishedFor = (requestId: number) =>
  friends.published.flatMap(({ name, data }) =>
    'requestId' in data && data.requestId === requestId ? [name] : [],
  );

it('publishes an acceptance once for repeated and concurrent calls', async () => {
  const { id } = await clientOf(1).requestFriend({ body: { friendId: 2 } });
  const accept = () => clientOf(2).acceptFriend({ params: { id } });
  const responses = await Promise.all(Array.from({ length: 10 }, accept));
  responses.push(await accept());
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 'accepted'));
  await friends.settle();
  expect(publishedFor(id)).toEqual(['friend.requested.v1', 'friend.accepted.v1']);
});

it('removes a request that is removed and accepted concurrently, and publishes the removal last', async () => {
  for (let round = 0; round < 30; round++) {
    const [sender, receiver] = [100 + 2 * round, 101 + 2 * round];
    for (const person of [sender, receiver]) await profile(person, 1);
    const { id } = await clientOf(sender).requestFriend({ body: { friendId: receiver } });
    const calls = [
      () => clientOf(sender).removeFriend({ params: { id } }),
      () => clientOf(receiver).acceptFriend({ params: { id } }),
    ];
    if (round % 2) calls.reverse();
    const responses = await Promise.allSettled(calls.map((call) => call()));
    for (const response of responses) {
      if (response.status === 'rejected') expect(response.reason).toMatchObject({ status: 404 });
      else if (response.value) expect(response.value).toMatchObject({ status: 'accepted' });
    }
    await friends.settle();
    expect(publishedFor(id).at(-1)).toBe('friend.removed.v1');
  }
});

it('publishes a removal once for repeated and concurrent calls', async () => {
  const { id } = await clientOf(3).requestFriend({ body: { friendId: 4 } });
  await Promise.allSettled([3, 4, 3, 4].map((userId) => clientOf(userId).removeFriend({ params: { id } })));
  await friends.settle();
  expect(publishedFor(id)).toEqual(['friend.requested.v1', 'friend.removed.v1']);
  expect((await friends.read('friend_requests')).filter(({ _id }) => Number(_id) === id)).toEqual([]);
});

it('shows the newest profile of a user, in whatever order events arrive', async () => {
  await clientOf(5).requestFriend({ body: { friendId: 6 } });
  await profile(6, 3, 'Queens');
  await profile(6, 2, 'Hoboken');
  expect(await clientOf(5).listFriendRequests()).toMatchObject([{ friend: { city: 'Queens' } }]);
});

it('hides a removed request immediately, also while the bus is unavailable', async () => {
  const { id } = await clientOf(7).requestFriend({ body: { friendId: 8 } });
  await friends.settle();
  friends.setBusUnavailable(true);
  await clientOf(7).removeFriend({ params: { id } });
  expect(await clientOf(7).listFriendRequests()).toEqual([]);
  expect(await clientOf(8).listFriendRequests({ query: { with: 7 } })).toEqual([]);
  for (const call of ['acceptFriend', 'removeFriend'] as const) {
    await expect(clientOf(8)[call]({ params: { id } })).rejects.toMatchObject({ status: 404 });
  }
  expect((await clientOf(8).requestFriend({ body: { friendId: 7 } })).id).not.toBe(id);
});

it('ignores an expired decline, also for the next request', async () => {
  for (let round = 0; round < 2; round++) {
    const { id } = await clientOf(18).requestFriend({ body: { friendId: 19 } });
    await clientOf(18).removeFriend({ params: { id } });
  }
});

it('lists the newest requests first, up to the limit', async () => {
  for (const friendId of [11, 12, 13]) await clientOf(20).requestFriend({ body: { friendId } });
  const newest = await clientOf(20).listFriendRequests({ query: { limit: '2' } });
  expect(newest.map(({ friendId }) => friendId)).toEqual([13, 12]);
});
