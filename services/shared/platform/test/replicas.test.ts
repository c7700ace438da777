import { createFriendshipReplica, createUserReplica } from '@wayquest/platform/replicas';
import { prepareStore } from '@wayquest/platform/store';
import { connectTestStore, dropDatabases, storeUrl } from '@wayquest/testing';
import type { Connection } from 'mongoose';

const database = `test_replicas_${process.pid}_${Date.now()}`;
let connection: Connection;
beforeAll(async () => {
  connection = await connectTestStore(database);
});
afterAll(async () => {
  await connection?.close();
  await dropDatabases(storeUrl(), [database]);
});

/** An event that occurred now. */
const eventOf = <D>(data: D) => ({ data, occurredAt: new Date().toISOString() });

describe('the replica of users', () => {
  let users: ReturnType<typeof createUserReplica>;
  beforeAll(async () => {
    users = createUserReplica(connection);
    await prepareStore(connection);
  });

  const profile = (id: number, city: string, points = 0) => {
    const names = { username: `person-${id}`, firstName: '', lastName: '', state: '' };
    return { id, ...names, city, avatar: `explorer-${id}.svg`, points };
  };
  const shown = async (id: number) => (await users.byIds([id])).get(id);

  it('keeps the newest version, in whatever order events arrive', async () => {
    await users.apply(eventOf({ user: profile(1, 'third'), version: 3 }));
    await users.apply(eventOf({ user: profile(1, 'second'), version: 2 }));
    await users.apply(eventOf({ user: profile(1, 'third, but not the same'), version: 3 }));
    expect(await shown(1)).toMatchObject({ city: 'third' });
    await users.apply(eventOf({ user: profile(1, 'fourth'), version: 4 }));
    expect(await shown(1)).toMatchObject({ city: 'fourth' });
  });

  it('keeps the highest points, in whatever order events arrive', async () => {
    await users.apply(eventOf({ user: profile(2, '', 5), version: 1 }));
    await users.applyPoints(eventOf({ userId: 2, challengeId: 1, awarded: 4, points: 9 }));
    await users.applyPoints(eventOf({ userId: 2, challengeId: 2, awarded: 2, points: 7 }));
    await users.apply(eventOf({ user: profile(2, 'later', 3), version: 2 }));
    expect(await shown(2)).toMatchObject({ city: 'later', points: 9 });
    await users.apply(eventOf({ user: profile(2, 'older', 11), version: 1 }));
    expect(await shown(2)).toMatchObject({ city: 'later', points: 11 });
  });

  it('replaces a user known from a token by their first event', async () => {
    await users.ensureUser({ id: 3, username: 'by-token' });
    expect(await shown(3)).toMatchObject({ username: 'by-token', points: 0 });
    await users.apply(eventOf({ user: profile(3, 'updated'), version: 1 }));
    await users.ensureUser({ id: 3, username: 'by-token' });
    expect(await shown(3)).toMatchObject({ username: 'person-3', city: 'updated' });
  });
});

describe('the replica of friendships', () => {
  let friendships: ReturnType<typeof createFriendshipReplica>;
  beforeAll(async () => {
    friendships = createFriendshipReplica(connection);
    await prepareStore(connection);
  });

  it('only moves forward, in whatever order events arrive', async () => {
    const friendship = eventOf({ requestId: 1, userIds: [1, 2] as [number, number] });
    await friendships.applyAccepted(friendship);
    await friendships.applyRequested(friendship);
    expect(await friendships.friendsOf(1)).toEqual([2]);
    expect(await friendships.areFriends(2, 1)).toBe(true);
    await friendships.applyRemoved(friendship);
    await friendships.applyAccepted(friendship);
    expect(await friendships.friendsOf(1)).toEqual([]);
    expect(await friendships.friendsAndRequestedOf(1)).toEqual([]);
    expect(await friendships.areFriends(1, 2)).toBe(false);
  });

  it('is not overwritten by a snapshot that started before a newer event', async () => {
    const friendship = { requestId: 7, userIds: [71, 72] as [number, number] };
    const replayed = new Date(Date.now() - 1_000).toISOString();
    await friendships.applyRemoved(eventOf(friendship));
    await friendships.applyAccepted({ ...eventOf(friendship), replayed });
    expect(await friendships.areFriends(71, 72)).toBe(false);
    // A snapshot that started later overwrites it, even with an earlier stage.
    const later = new Date(Date.now() + 1_000).toISOString();
    await friendships.applyAccepted({ ...eventOf(friendship), replayed: later });
    expect(await friendships.areFriends(71, 72)).toBe(true);
  });

  it('distinguishes pending requests from friends', async () => {
    await friendships.applyRequested(eventOf({ requestId: 2, userIds: [11, 12] as [number, number] }));
    await friendships.applyAccepted(eventOf({ requestId: 3, userIds: [13, 11] as [number, number] }));
    expect(await friendships.friendsOf(11)).toEqual([13]);
    expect((await friendships.friendsAndRequestedOf(11)).toSorted()).toEqual([12, 13]);
    expect(await friendships.areFriends(11, 12)).toBe(false);
  });

  it('handles concurrent events of the same request', async () => {
    const friendship = eventOf({ requestId: 4, userIds: [21, 22] as [number, number] });
    const { applyRequested, applyAccepted } = friendships;
    await Promise.all(
      [applyRequested, applyAccepted, applyRequested, applyAccepted].map((apply) => apply(friendship)),
    );
    expect(await friendships.areFriends(21, 22)).toBe(true);
  });
});
