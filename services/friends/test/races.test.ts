import { newEvent } from '@wayquest/platform/bus';
import { type IsolatedService, signToken, startIsolatedService } from '@wayquest/testing';
import { createFriendsService } from '../src/index.ts';

let friends: IsolatedService;
beforeAll(async () => {
  friends = await startIsolatedService({
    service: 'friends',
    create: (deps) => createFriendsService({ ...deps, usersUrl: () => 'http://127.0.0.1:9' }),
    stored: {
      // A store takes out what has expired once a minute.
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
const toldOf = (requestId: number) =>
  friends.published.flatMap(({ name, data }) =>
    'requestId' in data && data.requestId === requestId ? [name] : [],
  );

it('repeated and concurrent accepting is published once', async () => {
  const { id } = await clientOf(1).requestFriend({ body: { friendId: 2 } });
  const accept = () => clientOf(2).acceptFriend({ params: { id } });
  const answers = await Promise.all(Array.from({ length: 10 }, accept));
  answers.push(await accept());
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 'accepted'));
  await friends.settle();
  expect(toldOf(id)).toEqual(['friend.requested.v1', 'friend.accepted.v1']);
});

it('a request that is removed while it is accepted ends removed, and that is published', async () => {
  for (let round = 0; round < 30; round++) {
    const [one, other] = [100 + 2 * round, 101 + 2 * round];
    for (const person of [one, other]) await profile(person, 1);
    const { id } = await clientOf(one).requestFriend({ body: { friendId: other } });
    const calls = [
      () => clientOf(one).removeFriend({ params: { id } }),
      () => clientOf(other).acceptFriend({ params: { id } }),
    ];
    if (round % 2) calls.reverse();
    const answers = await Promise.allSettled(calls.map((call) => call()));
    for (const answer of answers) {
      if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ status: 404 });
      else if (answer.value) expect(answer.value).toMatchObject({ status: 'accepted' });
    }
    await friends.settle();
    expect(toldOf(id).at(-1)).toBe('friend.removed.v1');
  }
});

it('repeated and concurrent removing is published once', async () => {
  const { id } = await clientOf(3).requestFriend({ body: { friendId: 4 } });
  await Promise.allSettled([3, 4, 3, 4].map((who) => clientOf(who).removeFriend({ params: { id } })));
  await friends.settle();
  expect(toldOf(id)).toEqual(['friend.requested.v1', 'friend.removed.v1']);
  expect((await friends.read('friend_requests')).filter(({ _id }) => Number(_id) === id)).toEqual([]);
});

it('shows people as of their latest event, in whatever order events arrive', async () => {
  await clientOf(5).requestFriend({ body: { friendId: 6 } });
  await profile(6, 3, 'Queens');
  await profile(6, 2, 'Hoboken');
  expect(await clientOf(5).listFriendRequests()).toMatchObject([{ friend: { city: 'Queens' } }]);
});

it('a removed request disappears immediately, also while the bus is unavailable', async () => {
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

it('an old decline is forgotten after another request', async () => {
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
