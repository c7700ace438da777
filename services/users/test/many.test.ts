import { newEvent } from '@wayquest/platform/bus';
import type { Alone } from '@wayquest/testing';
import { startUsersAlone } from './users-alone.ts';

const many = 1_001;

const profile = (id: number) => ({
  ...{ _id: id, version: 1, username: `person-${id}`, admin: false, accountVersion: 1, points: many - id },
  ...{ firstName: '', lastName: '', streetAddress: '', city: '', state: '', zip: '', email: '' },
  ...{ avatar: `explorer-${id}.svg`, outbox: [] },
});

let users: Alone;
beforeAll(async () => {
  users = await startUsersAlone({
    profiles: Array.from({ length: many }, (_, index) => profile(index + 1)),
  });
});
afterAll(() => users?.stop());

it('counts many people now and then, and ranks them as they are', async () => {
  const board = async () => {
    const { total, rows } = await users.client().getLeaderboard();
    return { total, first: rows.slice(0, 2).map(({ id, rank }) => ({ id, rank })) };
  };
  const ranks = (...ids: number[]) => ids.map((id, index) => ({ id, rank: index + 1 }));
  expect(await board()).toEqual({ total: many, first: ranks(1, 2) });

  await users.deliver(
    newEvent('user.registered.v1', { id: 5_000, username: 'late', admin: false, version: 1 }),
  );
  await users.deliver(
    newEvent('challenge.completed.v1', {
      ...{ lineId: 1, challengeId: 1, userId: 5_000, creatorId: 999_999, points: 9_000 },
      completedAt: new Date().toISOString(),
    }),
  );
  await users.settle();
  expect(await board()).toEqual({ total: many, first: ranks(5_000, 1) });
});
