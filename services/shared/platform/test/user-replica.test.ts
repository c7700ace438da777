import { randomUUID } from 'node:crypto';
import type { PublicUser } from '@wayquest/contracts';
import { newEvent } from '@wayquest/platform/bus';
import { createUserReplica, type UserReplica } from '@wayquest/platform/replicas';
import { connectTestStore, dropDatabases, storeUrl } from '@wayquest/testing';
import type { Connection } from 'mongoose';

const database = `test_users_${randomUUID().slice(0, 8)}`;
let connection: Connection;
let users: UserReplica;
beforeAll(async () => {
  connection = await connectTestStore(database);
  users = createUserReplica(connection);
});
afterAll(async () => {
  await connection.close();
  await dropDatabases(storeUrl(), [database]);
});

const ann = (id: number, changes: { points?: number; city?: string } = {}) => ({
  id,
  username: 'ann',
  firstName: '',
  lastName: '',
  city: '',
  state: '',
  avatar: `explorer-${id}-2.svg`,
  points: 0,
  ...changes,
});
const apply = (user: PublicUser, version: number) =>
  users.apply(newEvent('user.profile-changed.v1', { user, version }));
const awarded = (userId: number, points: number) =>
  newEvent('points.awarded.v1', { userId, challengeId: 1, awarded: 10, points });
const shown = async (id: number) => (await users.byIds([id])).get(id);

it('keeps points that arrive before the profile', async () => {
  await users.applyPoints(awarded(1, 30));
  expect(await shown(1)).toBeUndefined();
  await apply(ann(1, { points: 10 }), 1);
  expect(await shown(1)).toEqual(ann(1, { points: 30 }));
});

it('shows such a user as of their token until then', async () => {
  await users.applyPoints(awarded(2, 30));
  await users.ensureUser({ id: 2, username: 'ann' });
  expect(await shown(2)).toEqual(ann(2, { points: 30 }));
  await apply(ann(2, { city: 'Queens' }), 1);
  await users.ensureUser({ id: 2, username: 'somebody' });
  expect(await shown(2)).toEqual(ann(2, { points: 30, city: 'Queens' }));
});

it('uses the newest total, even if it is lower, once totals have versions', async () => {
  const versioned = (points: number, pointsVersion: number) =>
    newEvent('points.awarded.v1', { userId: 7, challengeId: 1, awarded: 10, points, pointsVersion });
  const revoked = newEvent('points.revoked.v1', {
    ...{ userId: 7, challengeId: 1, revoked: 30, points: 10, pointsBefore: 40, pointsVersion: 3 },
  });
  await apply(ann(7, { points: 25 }), 1);
  await users.applyPoints(versioned(40, 2));
  await users.applyPoints(revoked);
  for (const outdated of [versioned(40, 2), versioned(20, 1), awarded(7, 35)])
    await users.applyPoints(outdated);
  expect(await shown(7)).toEqual(ann(7, { points: 10 }));
  await users.apply(
    newEvent('user.profile-changed.v1', {
      ...{ user: ann(7, { points: 12, city: 'Queens' }), version: 2, pointsVersion: 4 },
    }),
  );
  await users.applyPoints(revoked);
  expect(await shown(7)).toEqual(ann(7, { points: 12, city: 'Queens' }));
});

it('keeps the newest of concurrent totals, also of an unknown user', async () => {
  for (let id = 800; id < 820; id++) {
    const versions = [1, 2, 3, 4, 5, 6];
    await Promise.all(
      versions.map((pointsVersion) =>
        users.applyPoints(
          newEvent('points.awarded.v1', {
            ...{ userId: id, challengeId: 1, awarded: 1, points: 60 - pointsVersion, pointsVersion },
          }),
        ),
      ),
    );
    await apply(ann(id), 1);
    expect(await shown(id)).toEqual(ann(id, { points: 54 }));
  }
});

it('uses the newest profile and the highest total, in whatever order and however often they arrive', async () => {
  await apply(ann(3, { city: 'Queens', points: 20 }), 3);
  await apply(ann(3, { city: 'Hoboken', points: 40 }), 2);
  await users.applyPoints(awarded(3, 30));
  expect(await shown(3)).toEqual(ann(3, { city: 'Queens', points: 40 }));
});

it('handles concurrent events', async () => {
  await Promise.all(
    Array.from({ length: 10 }, (_, n) => [
      users.applyPoints(awarded(4, n * 10)),
      users.ensureUser({ id: 4, username: 'ann' }),
      apply(ann(4, { city: `Queens ${n}` }), n + 1),
    ]).flat(),
  );
  expect(await shown(4)).toEqual(ann(4, { city: 'Queens 9', points: 90 }));
});

it('keeps users with a recent event of any kind when it prunes, and no others', async () => {
  const at = (occurredAt: string, event: ReturnType<typeof awarded>) => ({ ...event, occurredAt });
  const [before, since, after] = ['2026-01-01', '2026-02-01', '2026-03-01'].map(
    (day) => `${day}T00:00:00.000Z`,
  ) as [string, string, string];
  for (const id of [901, 902]) {
    const profile = newEvent('user.profile-changed.v1', { user: ann(id), version: 1 });
    await users.apply({ ...profile, occurredAt: before });
  }
  await users.applyPoints(at(after, awarded(901, 10)));
  await users.applyPoints(at(before, awarded(902, 10)));
  await users.pruneStale(new Date(since));
  expect(await shown(901)).toEqual(ann(901, { points: 10 }));
  expect(await shown(902)).toBeUndefined();
});

it('takes a snapshot over what is older, also with fewer points and another privacy, and over nothing newer', async () => {
  const hour = (n: number) => new Date(Date.parse('2026-05-01T00:00:00Z') + n * 3_600_000).toISOString();
  const privacy = { participation: 'me' as const, requests: false, presence: false };
  const profile = (city: string, points: number) => ({ user: ann(60, { city, points }) });
  const first = newEvent('user.profile-changed.v1', {
    ...{ ...profile('Queens', 50), version: 9, pointsVersion: 9 },
  });
  await users.apply({ ...first, occurredAt: hour(2) });
  const restored = newEvent('user.profile-changed.v1', {
    ...{ ...profile('Hoboken', 20), version: 3, pointsVersion: 3, privacy },
  });
  await users.apply({ ...restored, occurredAt: hour(0), replayed: hour(1) });
  expect(await shown(60)).toEqual(ann(60, { city: 'Queens', points: 50 }));
  await users.apply({ ...restored, occurredAt: hour(3), replayed: hour(3) });
  expect(await shown(60)).toEqual(ann(60, { city: 'Hoboken', points: 20 }));
  expect(await users.privacyOf(60)).toEqual(privacy);
});
