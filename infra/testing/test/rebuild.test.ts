import type { ServiceName } from '@wayquest/contracts';
import { newEvent } from '@wayquest/platform/bus';
import { requestReplicaRebuild } from '@wayquest/platform/service';
import {
  connectServiceStore,
  createTestClock,
  eventually,
  type Network,
  newChallenge,
  newPicture,
  newUser,
  startNetwork,
  type TestUser,
} from '@wayquest/testing';
import type { Connection } from 'mongoose';

describe('a replica rebuild', () => {
  const clock = createTestClock(Date.now());
  let network: Network;
  const stores = new Map<ServiceName, Connection>();

  beforeAll(async () => {
    network = await startNetwork({
      services: ['auth', 'users', 'challenges', 'participation', 'friends', 'chat'],
      clock,
    });
  });
  afterAll(async () => {
    for (const store of stores.values()) await store.close();
    await network?.stop();
  });

  const storeOf = async (service: ServiceName): Promise<Connection> => {
    const open = stores.get(service);
    if (open) return open;
    const store = await connectServiceStore(network, service);
    stores.set(service, store);
    return store;
  };
  const collectionOf = async <T extends { _id: number | string }>(service: ServiceName, collection: string) =>
    (await storeOf(service)).collection<T>(collection);
  const clear = async (service: ServiceName, ...collections: string[]) => {
    for (const collection of collections) await (await collectionOf(service, collection)).deleteMany({});
  };

  /** Requests a rebuild, as `npm run admin -- replicas` does, and waits until it is complete. */
  const rebuild = async (service: ServiceName) => {
    await requestReplicaRebuild(await storeOf(service), service);
    // Services look for requests from time to time, and wait for clocks that differ. Time passes in small steps, so that no
    // lease ends on a slow machine.
    const settled = network.settle().then(() => true);
    await eventually(async () => {
      await clock.advance(1_000);
      return Promise.race([settled, false]);
    });
  };

  async function friends(): Promise<[TestUser, TestUser]> {
    const [ann, bob] = await Promise.all([newUser(network), newUser(network)]);
    const { id } = await ann.client.requestFriend({ body: { friendId: bob.me.id } });
    await bob.client.acceptFriend({ params: { id } });
    await network.settle();
    return [ann, bob];
  }

  async function completed(user: TestUser, points: number) {
    const challenge = await newChallenge(await newUser(network), { points });
    const participation = await user.client.joinChallenge({ body: { challengeId: challenge.id } });
    await user.client.updateParticipation({ params: { id: participation.id }, body: { completed: true } });
    await network.settle();
    return { challenge, participation };
  }

  const publicOf = ({ me: { id } }: TestUser) => network.client().getUser({ params: { id } });

  it('restores usernames and points in users', async () => {
    const ann = await newUser(network);
    const username = `renamed${ann.me.id}`;
    await ann.client.updateMe({ body: { username } });
    await completed(ann, 40);
    await completed(ann, 2);
    const before = await publicOf(ann);
    expect(before).toMatchObject({ username, points: 42 });
    await clear('users', 'profiles');
    await expect(publicOf(ann)).rejects.toMatchObject({ status: 404 });
    await rebuild('users');
    expect(await publicOf(ann)).toEqual(before);

    await clear('users', 'profiles', 'awards');
    await rebuild('users');
    expect(await publicOf(ann)).toEqual(before);
  });

  it('corrects a wrong username in users, even if its version is higher', async () => {
    const ann = await newUser(network);
    const profiles = await collectionOf<{ _id: number; username: string; accountVersion: number }>(
      'users',
      'profiles',
    );
    await profiles.updateOne({ _id: ann.me.id }, { $set: { username: 'wrong', accountVersion: 99 } });
    await rebuild('users');
    expect(await publicOf(ann)).toMatchObject({ username: ann.username });
    expect(await ann.client.getMe()).toMatchObject({ username: ann.username, admin: false });
  });

  it('restores the participants of challenges, and removes those who do not participate', async () => {
    const [ann, bob] = await friends();
    const [joined, left] = [await newChallenge(ann), await newChallenge(ann)];
    await bob.client.joinChallenge({ body: { challengeId: joined.id } });
    await network.settle();
    const countOf = async ({ id }: { id: number }) =>
      (await network.client().getChallenge({ params: { id } })).participants;
    expect(await countOf(joined)).toBe(1);

    const memberships = await collectionOf<{
      _id: number;
      challengeId: number;
      userId: number;
      left: boolean;
    }>('challenges', 'memberships');
    // One is wrongly marked as left, and one does not exist.
    await memberships.updateMany({}, { $set: { left: true }, $unset: { lastEventAt: 1 } });
    await memberships.insertOne({ _id: 9_000_001, challengeId: left.id, userId: ann.me.id, left: false });
    const challenges = await collectionOf<{ _id: number; participants: number }>('challenges', 'challenges');
    await challenges.updateOne({ _id: left.id }, { $set: { participants: 5 } });
    await rebuild('challenges');
    expect(await countOf(joined)).toBe(1);
    expect(await countOf(left)).toBe(0);

    await clear('challenges', 'memberships', 'creators');
    await rebuild('challenges');
    expect(await countOf(joined)).toBe(1);
  });

  it('restores the pictures of challenges, and removes those that they do not have (53, finding 17)', async () => {
    const ann = await newUser(network);
    const { challenge, participation } = await completed(ann, 10);
    const { photo } = await ann.client.updatePhoto({
      params: { id: participation.id },
      body: newPicture(),
    });
    const without = await newChallenge(ann);
    await network.settle();
    const pictureOf = async ({ id }: { id: number }) =>
      (await network.client().getChallenge({ params: { id } })).picture;
    expect(await pictureOf(challenge)).toMatchObject({ photo });

    type Stored = { _id: number; picture?: object; pictureVersion?: number; pictureLastEventAt?: Date };
    const challenges = await collectionOf<Stored>('challenges', 'challenges');
    const wrong = { completionId: 1, userId: 9_000_001, photo: 'wrong' };
    await challenges.updateMany(
      { _id: { $in: [challenge.id, without.id] } },
      { $set: { picture: wrong, pictureVersion: 99 }, $unset: { pictureLastEventAt: 1 } },
    );
    await rebuild('challenges');
    expect(await pictureOf(challenge)).toMatchObject({ photo });
    expect(await pictureOf(without)).toBeUndefined();
  });

  it('restores blocks in users, and removes blocks that do not exist', async () => {
    const [ann, bob] = await friends();
    const cid = await newUser(network);
    await ann.client.blockUser({ body: { userId: cid.me.id } });
    await ann.client.blockUser({ body: { userId: bob.me.id } });
    await ann.client.unblockUser({ params: { userId: bob.me.id } });
    await network.settle();
    const sees = async (me: TestUser, { me: { id } }: TestUser) =>
      (await me.client.listUsers({ query: { ids: String(id) } })).length === 1;
    const seen = async () => [await sees(cid, ann), await sees(bob, ann), await sees(bob, cid)];
    expect(await seen()).toEqual([false, true, true]);
    await clear('users', 'blocks', 'friendships');
    expect(await seen()).toEqual([true, true, true]);
    const blocks = await collectionOf<{ _id: number; userId: number; blockedId: number; active: boolean }>(
      'users',
      'blocks',
    );
    await blocks.insertOne({ _id: 9_000_001, userId: bob.me.id, blockedId: cid.me.id, active: true });
    await rebuild('users');
    expect(await seen()).toEqual([false, true, true]);
  });

  it('restores challenges and users in participation, and removes challenges that do not exist', async () => {
    const bob = await newUser(network);
    const { challenge } = await completed(bob, 12);
    const before = await bob.client.listParticipations();
    expect(before).toHaveLength(1);
    await clear('participation', 'challenges', 'users');
    expect(await bob.client.listParticipations()).toEqual([]);
    await rebuild('participation');
    expect(await bob.client.listParticipations()).toEqual(before);

    // Versions that do not exist, as after the owner's store was restored from a backup.
    const challenges = await collectionOf('participation', 'challenges');
    const users = await collectionOf('participation', 'users');
    await challenges.updateOne(
      { _id: challenge.id },
      { $set: { version: 99, 'details.name': 'Wrong', lastEventAt: new Date(0) } },
    );
    await users.updateMany(
      {},
      {
        $set: { version: 99, points: 99, 'profile.firstName': 'Wrong' },
        $unset: { lastEventAt: 1, pointsLastEventAt: 1 },
      },
    );
    await challenges.insertOne({
      ...(await challenges.findOne({ _id: challenge.id })),
      _id: 9_000_001,
    });
    await expect(bob.client.joinChallenge({ body: { challengeId: 9_000_001 } })).resolves.toMatchObject({
      challengeId: 9_000_001,
    });
    await rebuild('participation');
    expect(await bob.client.listParticipations()).toEqual(before);
    await expect(bob.client.joinChallenge({ body: { challengeId: 9_000_001 } })).rejects.toMatchObject({
      status: 404,
    });
    expect(await challenges.countDocuments({ _id: 9_000_001 })).toBe(0);
  });

  it('replays completions whose documents lack the creator, as older versions stored them', async () => {
    const bob = await newUser(network);
    const { participation } = await completed(bob, 7);
    const participations = await collectionOf('participation', 'participations');
    await participations.updateOne({ _id: participation.id }, { $unset: { creatorId: 1 } });
    await clear('users', 'profiles', 'awards');
    await clear('participation', 'challenges');
    await rebuild('users');
    expect(await publicOf(bob)).toMatchObject({ points: 7 });
  });

  it('restores friendships and users in chat, users and friends, and removes those that do not exist', async () => {
    const [ann, bob] = await friends();
    const eve = await newUser(network);
    const { id: conversationId } = await ann.client.openConversation({ body: { friend: bob.me } });
    const listOf = (user: TestUser) => user.client.listConversations({ params: { userId: user.me.id } });
    const before = await listOf(ann);
    expect(before).toMatchObject([{ id: conversationId, open: true }]);

    const wrong = { _id: 9_000_001, userIds: [ann.me.id, eve.me.id], stage: 2 };
    const friendships = await collectionOf<typeof wrong>('chat', 'friendships');
    await friendships.updateMany({}, { $set: { stage: 3 }, $unset: { lastEventAt: 1 } });
    await friendships.insertOne(wrong);
    const chatUsers = await collectionOf<{ _id: number }>('chat', 'users');
    await chatUsers.insertOne({ _id: 9_000_002 });
    expect(await listOf(ann)).toMatchObject([{ open: false }]);
    await expect(ann.client.openConversation({ body: { friend: eve.me } })).resolves.toMatchObject({
      open: true,
    });
    await rebuild('chat');
    const [withEve, withBob] = await listOf(ann);
    expect(withEve).toMatchObject({ open: false });
    expect(withBob).toEqual(before[0]);
    await expect(ann.client.openConversation({ body: { friend: eve.me } })).rejects.toMatchObject({
      problem: { code: 'not-friends' },
    });
    expect(await chatUsers.countDocuments({ _id: 9_000_002 })).toBe(0);

    const board = () => ann.client.getLeaderboard({ query: { scope: 'friends' } });
    const rows = await board();
    await clear('users', 'friendships');
    await (await collectionOf<typeof wrong>('users', 'friendships')).insertOne(wrong);
    expect(await board()).not.toEqual(rows);
    await rebuild('users');
    expect(await board()).toEqual(rows);

    const requests = await ann.client.listFriendRequests();
    await clear('friends', 'users');
    expect(await ann.client.listFriendRequests()).toEqual([]);
    await rebuild('friends');
    expect(await ann.client.listFriendRequests()).toEqual(requests);
  });

  it('restores revoked tokens', async () => {
    const ann = await newUser(network);
    await ann.client.logout();
    await network.settle();
    await clear('chat', 'revocations');
    await rebuild('chat');
    expect(await (await collectionOf('chat', 'revocations')).countDocuments({ userId: ann.me.id })).toBe(1);
    await expect(ann.client.listConversations({ params: { userId: ann.me.id } })).rejects.toMatchObject({
      status: 401,
    });
  });

  it('keeps rows with events since the snapshot started', async () => {
    const since = new Date();
    const friendships = await collectionOf<{ _id: number; stage: number }>('chat', 'friendships');
    const old = newEvent('friend.accepted.v1', { requestId: 9_100_001, userIds: [1, 2] });
    await network.bus.publish({ ...old, occurredAt: new Date(since.getTime() - 1).toISOString() });
    await network.bus.publish(newEvent('friend.accepted.v1', { requestId: 9_100_002, userIds: [1, 3] }));
    await network.bus.publish(newEvent('friend.removed.v1', { requestId: 9_100_003, userIds: [1, 4] }));
    await network.settle();
    // A snapshot event that was read before that removal and is published after it.
    const late = newEvent('friend.accepted.v1', { requestId: 9_100_003, userIds: [1, 4] });
    await network.bus.publish({ ...late, replayed: since.toISOString() }, { to: 'chat' });
    const completed = newEvent('replica.snapshot-completed.v1', {
      owner: 'friends',
      since: since.toISOString(),
    });
    await network.bus.publish(completed, { to: 'chat' });
    await network.settle();
    await eventually(async () =>
      expect(
        await friendships
          .find({ _id: { $gte: 9_100_000 } }, { projection: { stage: 1 } })
          .sort({ _id: 1 })
          .toArray(),
      ).toEqual([
        { _id: 9_100_002, stage: 2 },
        { _id: 9_100_003, stage: 3 },
      ]),
    );
    await rebuild('chat');
  });
});
