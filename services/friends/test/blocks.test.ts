import { operations, operationUrl } from '@wayquest/contracts';
import {
  eventually,
  type Network,
  newChallenge,
  newUser,
  startNetwork,
  type TestUser,
  withServiceStore,
} from '@wayquest/testing';

let network: Network;
beforeAll(async () => {
  network = await startNetwork({
    services: ['auth', 'users', 'challenges', 'participation', 'friends', 'chat'],
  });
});
afterAll(() => network?.stop());

/** Creates two friends who have written to each other and completed the same challenge. */
async function twoFriends() {
  const [ann, bob] = [await newUser(network), await newUser(network)];
  const { id } = await ann.client.requestFriend({ body: { friendId: bob.me.id } });
  await bob.client.acceptFriend({ params: { id } });
  const conversation = await eventually(() =>
    ann.client.openConversation({ body: { friend: { id: bob.me.id } } }),
  );
  const { id: messageId } = await bob.client.sendMessage({
    body: { conversationId: conversation.id, text: 'Hello' },
  });
  // Created by a third user, since a challenge always names its creator.
  const challenge = await newChallenge(await newUser(network));
  for (const { client } of [ann, bob]) {
    const participation = await client.joinChallenge({ body: { challengeId: challenge.id } });
    await client.updateParticipation({ params: { id: participation.id }, body: { completed: true } });
  }
  await network.settle();
  return { ann, bob, challengeId: challenge.id, conversationId: conversation.id, messageId };
}

type Pair = Awaited<ReturnType<typeof twoFriends>>;

/** Paths of all responses that could contain the other user, by name. */
const pathsFor = ({ challengeId }: Pair, me: TestUser, other: TestUser): Record<string, string> => ({
  search: operationUrl(operations.listUsers, { query: { search: other.username } }),
  ids: operationUrl(operations.listUsers, { query: { ids: String(other.me.id) } }),
  suggestions: operationUrl(operations.listUsers, { query: { suggested: 20 } }),
  board: operationUrl(operations.getLeaderboard, { query: {} }),
  'board of friends': operationUrl(operations.getLeaderboard, { query: { scope: 'friends' } }),
  participants: operationUrl(operations.listParticipations, { query: { challengeId } }),
  'one participant': operationUrl(operations.listParticipations, {
    query: { challengeId, userId: other.me.id },
  }),
  completions: operationUrl(operations.listCompletions, { query: { ids: String(other.me.id) } }),
  'friend requests': operationUrl(operations.listFriendRequests, { query: {} }),
  conversations: operationUrl(operations.listConversations, { params: { userId: me.me.id } }),
});

/** Returns which responses to a user contain the other's username. */
async function seenIn(pair: Pair, me: TestUser, other: TestUser): Promise<string[]> {
  const found: string[] = [];
  for (const [name, path] of Object.entries(pathsFor(pair, me, other))) {
    const response = await fetch(network.url + path, { headers: { authorization: me.token } });
    expect(response.status).toBe(200);
    if ((await response.text()).includes(other.username)) found.push(name);
  }
  return found.sort();
}

const profileOf = (me: TestUser, other: TestUser) =>
  me.client.getUser({ params: { id: other.me.id } }).then(
    () => 'shown',
    ({ problem }) => problem.code,
  );

it('a block hides two users from each other in every response until it is lifted, and ends their friendship', async () => {
  const pair = await twoFriends();
  const { ann, bob, conversationId, messageId } = pair;
  // Suggestions do not contain friends.
  const before = Object.keys(pathsFor(pair, ann, bob)).filter((name) => name !== 'suggestions');
  expect(await seenIn(pair, ann, bob)).toEqual(before.toSorted());
  expect(await seenIn(pair, bob, ann)).toEqual(before.toSorted());

  await ann.client.blockUser({ body: { userId: bob.me.id } });
  await ann.client.blockUser({ body: { userId: bob.me.id } });
  await network.settle();
  expect(await seenIn(pair, ann, bob)).toEqual([]);
  expect(await seenIn(pair, bob, ann)).toEqual([]);
  expect(await ann.client.listBlocks()).toMatchObject([{ id: bob.me.id }]);
  expect(await bob.client.listBlocks()).toEqual([]);
  expect([await profileOf(ann, bob), await profileOf(bob, ann)]).toEqual(['shown', 'user-not-found']);
  await expect(bob.client.getTrailBook({ params: { id: ann.me.id } })).rejects.toMatchObject({ status: 404 });
  for (const [me, other] of [
    [ann, bob],
    [bob, ann],
  ] as const) {
    const body = { conversationId, text: 'Are you there?' };
    await expect(me.client.sendMessage({ body })).rejects.toMatchObject({ problem: { code: 'not-friends' } });
    const path = operationUrl(operations.listMessages, { params: { conversationId }, query: {} });
    const messages = await fetch(network.url + path, { headers: { authorization: me.token } });
    expect([messages.status, await messages.text()]).toEqual([404, expect.not.stringContaining('Hello')]);
    await expect(
      me.client.markConversationRead({ params: { id: conversationId }, body: { messageId } }),
    ).rejects.toMatchObject({ problem: { code: 'conversation-not-found' } });
    await expect(me.client.requestFriend({ body: { friendId: other.me.id } })).rejects.toMatchObject({
      problem: { code: 'user-not-found' },
    });
  }

  await ann.client.unblockUser({ params: { userId: bob.me.id } });
  await network.settle();
  expect(await profileOf(bob, ann)).toBe('shown');
  expect(await seenIn(pair, bob, ann)).toEqual(expect.arrayContaining(['board', 'participants', 'search']));
  expect(await ann.client.listFriendRequests()).toEqual([]);
  // They can read their messages again, but not send new ones.
  expect(await bob.client.listMessages({ params: { conversationId } })).toMatchObject([{ text: 'Hello' }]);
});

it('leaves no friendship when users become friends and block each other concurrently', async () => {
  for (let round = 0; round < 5; round++) {
    const [ann, bob] = [await newUser(network), await newUser(network)];
    const requested = bob.client.requestFriend({ body: { friendId: ann.me.id } }).catch(() => undefined);
    if (round % 2) await requested;
    const accepted = ann.client.requestFriend({ body: { friendId: bob.me.id } }).catch(() => undefined);
    await Promise.all([requested, accepted, ann.client.blockUser({ body: { userId: bob.me.id } })]);
    expect(await ann.client.listFriendRequests()).toEqual([]);
  }
});

/** Stores blocks of others than those who exist. */
const blockMany = (userId: number, count: number) =>
  withServiceStore(network, 'friends', async (store) => {
    await store.collection<{ _id: number }>('blocks').insertMany(
      Array.from({ length: count }, (_, n) => ({
        ...{ _id: userId * 1_000_000 + n, userId, blockedId: 9_000_000 + n, active: true, version: 1 },
      })),
    );
  });

it('can be repeated by somebody who has blocked a thousand people, and no further one can be blocked (code 20)', async () => {
  const [ann, bob, cleo] = await Promise.all([newUser(network), newUser(network), newUser(network)]);
  await blockMany(ann.me.id, 999);
  const block = ({ me }: TestUser) => ann.client.blockUser({ body: { userId: me.id } });
  await block(bob);
  await expect(block(cleo)).rejects.toMatchObject({ problem: { code: 'invalid-request' } });
  await block(bob);
});

it('is limited to thirty changes a minute; repeated ones do not count (code 8)', async () => {
  const [ann, bob] = await Promise.all([newUser(network), newUser(network)]);
  const block = () => ann.client.blockUser({ body: { userId: bob.me.id } });
  const unblock = () => ann.client.unblockUser({ params: { userId: bob.me.id } });
  for (let n = 0; n < 15; n += 1) for (const call of [block, block, unblock, unblock]) await call();
  await expect(block()).rejects.toMatchObject({
    status: 429,
    problem: { detail: "You've reached the limit of 30 changes a minute. Please wait a moment." },
  });
  await unblock();
});
