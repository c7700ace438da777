import type { ChallengeDetails, DevicePosition, Position } from '@wayquest/contracts';
import { newEvent } from '@wayquest/platform/bus';
import { createTestClock, type IsolatedService, signToken, startIsolatedService } from '@wayquest/testing';
import { challengeDetails } from './challenge-details.ts';
import { unlimited } from './unlimited.ts';

const hour = 3_600_000;
const queens: Position = { lat: 40.75, lng: -73.82 };
const tokyo: Position = { lat: 35.68, lng: 139.69 };

/** Starts at noon UTC on 4 May 2026: 8 a.m. in New York. */
const clock = createTestClock();
let service: IsolatedService;
beforeAll(async () => {
  service = await startIsolatedService({ service: 'participation', create: unlimited(), clock });
});
afterAll(() => service?.stop());

let challenges = 0;
const created = async (changes: Partial<ChallengeDetails> = {}) => {
  const id = ++challenges;
  const challenge = challengeDetails(id, { position: queens, ...changes });
  await service.deliver(newEvent('challenge.created.v1', { challenge, version: 1 }));
  return id;
};

let people = 0;
/** A user who joins and completes challenges. */
const walker = () => {
  const userId = ++people;
  const client = service.client(signToken({ sub: String(userId), username: `walker-${userId}` }));
  const join = async (challengeId: number) => (await client.joinChallenge({ body: { challengeId } })).id;
  const complete = (id: number, details: { secondsAgo?: number; position?: DevicePosition } = {}) =>
    client.updateParticipation({ params: { id }, body: { completed: true, ...details } });
  return { userId, client, join, complete };
};
const ago = (ms: number) => new Date(clock.now() - ms).toISOString();
const at = (position: Position, secondsAgo: number): DevicePosition => ({
  ...position,
  accuracy: 5,
  secondsAgo,
});

describe('a completion that is sent later', () => {
  it('is dated by when it happened, which has to be within the challenge’s dates', async () => {
    const { join, complete, client } = walker();
    const yesterday = await join(await created({ endDate: '2026-05-06' }));
    const today = await join(await created({ startDate: '2026-05-07' }));
    await clock.advance(72 * hour);
    await expect(complete(yesterday)).rejects.toMatchObject({ problem: { code: 'already-ended' } });
    await expect(complete(today, { secondsAgo: 20 * 3_600 })).rejects.toMatchObject({
      problem: { code: 'not-started' },
    });
    const participation = await complete(yesterday, { secondsAgo: 20 * 3_600 });
    expect(participation).toMatchObject({ completed: true, completedAt: ago(20 * hour) });
    // A retry after a lost response changes nothing.
    expect(await complete(yesterday, { secondsAgo: 20 * 3_600 + 30 })).toEqual(participation);
    const { stamps } = await client.getTrailBook({ params: { id: String(participation.userId) } });
    expect(stamps).toMatchObject([{ day: '2026-05-06' }]);
  });

  it('is accepted for 48 hours, and not with a date in the future', async () => {
    const { join, complete } = walker();
    const [first, second] = [await join(await created()), await join(await created())];
    await clock.advance(72 * hour);
    await expect(complete(first, { secondsAgo: 48 * 3_600 + 1 })).rejects.toMatchObject({
      ...{ status: 409, message: expect.stringContaining('48 hours') },
      problem: { code: 'completed-too-long-ago' },
    });
    await expect(complete(first, { secondsAgo: -1 })).rejects.toMatchObject({
      ...{ status: 400, problem: { errors: [{ field: 'secondsAgo' }] } },
    });
    expect(await complete(second, { secondsAgo: 48 * 3_600 })).toMatchObject({ completedAt: ago(48 * hour) });
  });

  it('is dated no earlier than the user joined', async () => {
    const { join, complete } = walker();
    const id = await join(await created());
    const joinedAt = ago(0);
    await clock.advance(hour);
    expect(await complete(id, { secondsAgo: 2 * 3_600 })).toMatchObject({ completedAt: joinedAt });
  });

  it('checks in with a position measured at that time, not with a current one', async () => {
    const { join, complete } = walker();
    const lines = [await join(await created()), await join(await created()), await join(await created())];
    await clock.advance(72 * hour);
    const secondsAgo = 3_600;
    const results = [at(queens, 3_605), at(queens, 0), { ...queens, accuracy: 5 }].map((position, index) =>
      complete(lines[index] ?? 0, { secondsAgo, position }),
    );
    // Without an age, as from clients that send a date, it was measured then.
    expect((await Promise.all(results)).map(({ checkedIn }) => checkedIn)).toEqual([true, false, true]);
  });

  it.each([
    [20, undefined],
    [2, 'travel'],
  ])(
    'is also compared with a later check-in: %i hours before it, on another continent, the flag reason is %s',
    async (hours, flagReason) => {
      const { join, complete, userId } = walker();
      const [later, earlier] = [await join(await created()), await join(await created({ position: tokyo }))];
      await clock.advance(72 * hour);
      await complete(later, { position: at(queens, 0) });
      await complete(earlier, { secondsAgo: hours * 3_600, position: at(tokyo, hours * 3_600) });
      await service.settle();
      const completions = service.published.flatMap(({ name, data }) =>
        name === 'challenge.completed.v1' && data.userId === userId ? [data.flagReason] : [],
      );
      expect(completions).toEqual([undefined, flagReason]);
    },
  );
});
