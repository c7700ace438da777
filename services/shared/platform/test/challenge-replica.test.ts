import { type ChallengeDetails, createClient, deletedUsername } from '@wayquest/contracts';
import { newEvent } from '@wayquest/platform/bus';
import { createErasedUsers } from '@wayquest/platform/erasure';
import { type ChallengeReplica, createChallengeReplica } from '@wayquest/platform/replicas';
import { prepareStore } from '@wayquest/platform/store';
import { connectTestStore, dropDatabases, storeUrl } from '@wayquest/testing';
import type { Connection } from 'mongoose';

const database = `test_challenges_${process.pid}_${Date.now()}`;
let connection: Connection;
let challenges: ChallengeReplica;
/** What the challenges service returns. */
let published: ChallengeDetails | undefined;
beforeAll(async () => {
  connection = await connectTestStore(database);
  const challengesClient = createClient({
    baseUrl: 'http://challenges.test',
    fetch: async () =>
      published
        ? Response.json({ ...published, participants: 3 })
        : Response.json({ title: 'Not found', status: 404, code: 'challenge-not-found' }, { status: 404 }),
  });
  challenges = createChallengeReplica(connection, challengesClient);
  await prepareStore(connection);
});
beforeEach(() => {
  published = undefined;
});
afterAll(async () => {
  await connection?.close();
  await dropDatabases(storeUrl(), [database]);
});

const detailsOf = (id: number, name = 'A walk'): ChallengeDetails => ({
  ...{ id, name, description: '', difficulty: 'Easy', points: 5, createdAt: '2026-01-01T00:00:00.000Z' },
  ...{ locationName: '', streetAddress: '', city: '', state: '', zip: '', position: null },
  ...{ startDate: null, endDate: null, timeZone: 'America/New_York', creator: { id: 7, username: 'ann' } },
});
const updated = (challenge: ChallengeDetails, version: number) =>
  challenges.apply(newEvent('challenge.updated.v1', { challenge, version }));
const remove = (challengeId: number) =>
  challenges.applyDeleted(newEvent('challenge.deleted.v1', { challengeId }));

it('keeps the newest version of a challenge, in whatever order events arrive', async () => {
  await updated(detailsOf(1, 'second'), 2);
  await updated(detailsOf(1, 'first'), 1);
  expect(await challenges.get(1)).toEqual({ details: detailsOf(1, 'second'), version: 2 });
  await updated(detailsOf(1, 'third'), 3);
  expect(await challenges.get(1)).toEqual({ details: detailsOf(1, 'third'), version: 3 });
  expect(await challenges.find(1)).toEqual(detailsOf(1, 'third'));
});

it('never shows a deleted challenge again, in whatever order events arrive', async () => {
  await remove(2);
  await updated(detailsOf(2), 1);
  await updated(detailsOf(3), 1);
  expect(await challenges.isDeleted(2)).toBe(true);
  expect(await challenges.isDeleted(3)).toBe(false);
  expect(await challenges.get(2)).toBeUndefined();
  published = detailsOf(2);
  await expect(challenges.find(2)).rejects.toMatchObject({ code: 'challenge-not-found' });
  expect([...(await challenges.byIds([1, 2, 3])).keys()].sort()).toEqual([1, 3]);
});

it('fetches a challenge whose event has not arrived from the challenges service, and stores it', async () => {
  expect(await challenges.findOrUndefined(4)).toBeUndefined();
  published = detailsOf(4, 'new');
  expect(await challenges.find(4)).toEqual(published);
  published = undefined;
  expect(await challenges.find(4)).toEqual(detailsOf(4, 'new'));
  await updated(detailsOf(4, 'changed'), 2);
  expect(await challenges.find(4)).toEqual(detailsOf(4, 'changed'));
});

it('replaces only the name of a deleted creator', async () => {
  await updated(detailsOf(5), 1);
  await updated({ ...detailsOf(6), creator: { id: 8, username: 'bob' } }, 1);
  await challenges.erase(7);
  const found = await challenges.byIds([5, 6]);
  expect(found.get(5)).toEqual({ ...detailsOf(5), creator: { id: 7, username: deletedUsername } });
  expect(found.get(6)?.creator.username).toBe('bob');
});

it('stores a fetched challenge without the name of a creator who has been erased meanwhile (51.4)', async () => {
  const erasedUsers = createErasedUsers(connection);
  published = { ...detailsOf(7), creator: { id: 9, username: 'cleo' } };
  await erasedUsers.add(9);
  const erased = { ...published, creator: { id: 9, username: deletedUsername } };
  expect(await challenges.find(7)).toEqual(erased);
  expect(await challenges.get(7)).toMatchObject({ details: erased });
});
