import type { ChallengeDetails, DevicePosition, Event, Position } from '@wayquest/contracts';
import { newEvent } from '@wayquest/platform/bus';
import { createLogger } from '@wayquest/platform/telemetry';
import { eventually, type IsolatedService, signToken, startIsolatedService } from '@wayquest/testing';
import { checkLocation } from '../src/completion-checks.ts';
import { challengeDetails } from './challenge-details.ts';
import { unlimited } from './unlimited.ts';

const queens: Position = { lat: 40.75, lng: -73.82 };
const tokyo: Position = { lat: 35.68, lng: 139.69 };
/** Returns the position so many meters north of another one. */
const north = ({ lat, lng }: Position, meters: number): Position => ({ lat: lat + meters / 111_195, lng });
const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1_000);
const devicePosition = (at: Position, { accuracy = 0, age = 1 } = {}): DevicePosition => ({
  ...at,
  accuracy,
  secondsAgo: age,
});

describe('the check of a location', () => {
  it.each([
    ['90 m away', 90, 0, 1, 'near'],
    ['110 m away', 110, 0, 1, 'far'],
    ['140 m away, accurate to 50 m', 140, 50, 1, 'near'],
    ['160 m away, accurate to 50 m', 160, 50, 1, 'far'],
    ['190 m away, accurate to 20 km', 190, 20_000, 1, 'near'],
    ['210 m away, accurate to 20 km', 210, 20_000, 1, 'far'],
    ['measured 55 seconds ago', 10, 0, 55, 'near'],
    ['measured 65 seconds ago', 10, 0, 65, 'stale'],
  ])('of a position %s', (_, meters, accuracy, age, locationCheck) => {
    const position = devicePosition(north(queens, meters), { accuracy, age });
    expect(checkLocation({ position: queens }, position)).toBe(locationCheck);
  });

  it.each([
    ['in', 2_900, 'near'],
    ['outside of', 3_200, 'far'],
  ])(
    'of a position %s the area of a challenge without an exact place (53, finding 3)',
    (_, meters, result) => {
      const area = { kind: 'town', radiusMeters: 3_000 } as const;
      const position = devicePosition(north(queens, meters), { accuracy: 50 });
      expect(checkLocation({ position: queens, area }, position)).toBe(result);
    },
  );

  it('is undetermined if the challenge has no position', () => {
    expect(checkLocation({ position: null }, devicePosition(queens))).toBe('missing');
  });
});

const maker = 900;
/** Users who checked in 10.5 and 11.5 hours ago, 10,900 km from Tokyo. */
const [tooSoon, inTime] = [901, 902];
const storedChallengeId = 9_000;
/** A user who completed nineteen challenges just over an hour ago. */
const slow = 903;
const lineAt = (_id: number, userId: number, challengeId: number, completedAt: Date) => ({
  ...{ _id, key: `${userId}:${challengeId}`, userId, challengeId, points: 10, creatorId: maker },
  ...{ joinedAt: completedAt, completed: true, completedAt, outbox: [] },
});
const participations = [
  { ...lineAt(9_000_001, tooSoon, storedChallengeId, secondsAgo(10.5 * 3_600)), checkedIn: true },
  { ...lineAt(9_000_002, inTime, storedChallengeId, secondsAgo(11.5 * 3_600)), checkedIn: true },
  ...Array.from({ length: 19 }, (_, n) => lineAt(9_000_010 + n, slow, 9_001 + n, secondsAgo(3_700))),
];

const logged: string[] = [];
let service: IsolatedService;
beforeAll(async () => {
  const logger = createLogger({
    name: 'test',
    level: 'trace',
    destination: { write: (line) => void logged.push(line) },
  });
  const create = unlimited();
  service = await startIsolatedService({
    service: 'participation',
    create: (deps) => create({ ...deps, logger }),
    stored: { participations },
  });
});
afterAll(() => service?.stop());

const details = (id: number, changes: Partial<ChallengeDetails> = {}) =>
  challengeDetails(id, { position: queens, creator: { id: maker, username: 'maker' }, ...changes });

let challenges = 0;
const created = async (changes: Partial<ChallengeDetails> = {}) => {
  const challenge = details(++challenges, changes);
  await service.deliver(newEvent('challenge.created.v1', { challenge, version: 1 }));
  return challenge.id;
};

let people = 0;
/** A user who joins and completes challenges. */
const walker = (userId = ++people) => {
  const client = service.client(signToken({ sub: String(userId), username: `walker-${userId}` }));
  const join = (challengeId: number) => client.joinChallenge({ body: { challengeId } });
  const complete = async (challengeId: number, position?: DevicePosition) => {
    const { id } = await join(challengeId);
    return client.updateParticipation({
      params: { id },
      body: { completed: true, ...(position && { position }) },
    });
  };
  return { userId, client, join, complete };
};

type Completion = Extract<Event, { name: 'challenge.completed.v1' }>['data'];
const completions = async (userId: number): Promise<Completion[]> => {
  await service.settle();
  return service.published.flatMap(({ name, data }) =>
    name === 'challenge.completed.v1' && data.userId === userId ? [data] : [],
  );
};

describe('completing with a position', () => {
  it('checks in a user who is there, permanently, and publishes that with the completion', async () => {
    const { complete, client, userId } = walker();
    const challengeId = await created();
    expect(await complete(challengeId, devicePosition(north(queens, 50)))).toMatchObject({
      ...{ completed: true, checkedIn: true },
    });
    expect(await complete(challengeId, devicePosition(tokyo))).toMatchObject({ checkedIn: true });
    expect(await client.listParticipations()).toMatchObject([{ checkedIn: true }]);
    expect(await service.client().listParticipations({ query: { challengeId } })).toMatchObject([
      { checkedIn: true },
    ]);
    expect(await completions(userId)).toMatchObject([{ checkedIn: true }]);
  });

  it.each<[string, () => DevicePosition | undefined]>([
    ['a position far away', () => devicePosition(tokyo)],
    ['a position from 90 seconds ago', () => devicePosition(queens, { age: 90 })],
    ['no position', () => undefined],
  ])('completes without a check-in and without a flag reason for %s', async (_, position) => {
    const { complete, userId } = walker();
    expect(await complete(await created(), position())).toMatchObject({ completed: true, checkedIn: false });
    const [completion] = await completions(userId);
    expect(completion).not.toHaveProperty('checkedIn');
    expect(completion).not.toHaveProperty('flagReason');
  });

  it.each([
    ['three minutes behind', 180],
    ['three minutes ahead', -180],
    ['three days behind', 3 * 86_400],
    ['three days ahead', -3 * 86_400],
  ])('checks in although the device’s clock is %s (Q3)', async (_, behind) => {
    const position = { ...queens, accuracy: 10, takenAt: secondsAgo(behind).toISOString() };
    const required = await created({ checkInRequired: true });
    expect(await walker().complete(required, position)).toMatchObject({ completed: true, checkedIn: true });
  });

  it('rejects an invalid position and names the field', async () => {
    const position = { ...devicePosition(queens), lat: 91 };
    await expect(walker().complete(await created(), position)).rejects.toMatchObject({
      ...{ status: 400, problem: { errors: [{ field: 'position.lat' }] } },
    });
  });
});

describe('a challenge with a required check-in', () => {
  it.each<[string, () => DevicePosition | undefined, RegExp]>([
    ['no position', () => undefined, /requires a check-in.*100 m/],
    ['a position that is too old', () => devicePosition(queens, { age: 90 }), /too old/],
    ['a position that is too far away', () => devicePosition(north(queens, 250)), /too far away.*100 m/],
  ])('is not completed with %s; the response says what to do', async (_, position, sentence) => {
    const { complete, client, userId } = walker();
    const challengeId = await created({ checkInRequired: true });
    await expect(complete(challengeId, position())).rejects.toMatchObject({
      ...{ status: 409, message: expect.stringMatching(sentence), problem: { code: 'check-in-required' } },
    });
    expect(await client.listParticipations()).toMatchObject([{ completed: false, checkedIn: false }]);
    expect(await completions(userId)).toEqual([]);
  });

  it('is completed with a position at the challenge', async () => {
    const challengeId = await created({ checkInRequired: true });
    expect(await walker().complete(challengeId, devicePosition(queens))).toMatchObject({ checkedIn: true });
  });
});

describe('the flag reason of a completion', () => {
  const flagReasonsOf = async (userId: number) =>
    (await completions(userId)).map(({ flagReason }) => flagReason);

  it('is `travel` for a check-in farther from the previous one than a plane flies in between', async () => {
    const { complete, userId } = walker();
    await complete(await created(), devicePosition(queens));
    await complete(await created({ position: north(queens, 390) }), devicePosition(north(queens, 390)));
    // A completion without a check-in has no position to compare.
    await complete(await created({ position: tokyo }));
    await complete(await created({ position: tokyo }), devicePosition(tokyo));
    expect(await flagReasonsOf(userId)).toEqual([undefined, undefined, undefined, 'travel']);
  });

  it.each([
    [tooSoon, 'travel'],
    [inTime, undefined],
  ])('depends on the time since the previous check-in (user %i: %s)', async (userId, flagReason) => {
    await service.deliver(
      newEvent('challenge.created.v1', { challenge: details(storedChallengeId), version: 1 }),
    );
    await walker(userId).complete(await created({ position: tokyo }), devicePosition(tokyo));
    expect(await flagReasonsOf(userId)).toEqual([flagReason]);
  });

  it('is `pace` from the twentieth completion within an hour, and is in no response', async () => {
    const { complete, userId } = walker();
    const ids = await Promise.all(Array.from({ length: 21 }, () => created()));
    for (const id of ids) await complete(id);
    expect(await flagReasonsOf(userId)).toEqual([...Array(19).fill(undefined), 'pace', 'pace']);
    await walker(slow).complete(await created());
    expect(await flagReasonsOf(slow)).toEqual([undefined]);
    const token = signToken({ sub: String(userId) });
    const bytes = async (path: string, as: string) =>
      (await fetch(service.url + path, { headers: { authorization: as } })).text();
    const responses = [
      await bytes('/api/challengeLine/', token),
      await bytes(`/api/challengeLine/?challengeId=${ids.at(-1)}`, signToken({ sub: '800' })),
      await bytes(`/api/completions/?ids=${userId}`, signToken({ sub: '800' })),
      await bytes(`/api/trails/${userId}`, token),
      await bytes('/api/own-data/participation', token),
    ];
    for (const response of responses) {
      expect(response).toMatch(/"(name|challengeId)":/);
      expect(response).not.toMatch(/flagReason|pace/);
    }
  });
});

/** Digits that occur nowhere else, and are so many that no random id contains them. */
const uniquePosition = { lat: 40.12345678901, lng: -73.65432109876 };

it('stores, publishes, returns and logs nothing of the position of a check-in', async () => {
  const { complete, userId } = walker();
  const position = { lat: 40.1234, lng: -73.6543 };
  service.commands.length = 0;
  logged.length = 0;
  const line = await complete(
    await created({ position, checkInRequired: true }),
    devicePosition(uniquePosition, { accuracy: 7.65432109876 }),
  );
  expect(line.checkedIn).toBe(true);
  const rejectedCalls = [
    complete(await created({ checkInRequired: true }), devicePosition(uniquePosition)),
    complete(await created(), { ...devicePosition(uniquePosition), accuracy: -1 }),
    complete(await created(), { ...devicePosition(uniquePosition), takenAt: '40.12345678901' }),
  ];
  const problems = await Promise.all(rejectedCalls.map((call) => call.catch((error: unknown) => error)));
  await service.settle();
  const outputs = [line, problems, service.commands.map(({ command }) => command), service.published, logged];
  expect(logged.length).toBeGreaterThan(5);
  for (const output of outputs) expect(JSON.stringify(output)).not.toMatch(/12345678901|65432109876/);
  // The position of the challenge occurs, so this search would find the other one.
  expect(JSON.stringify(service.commands.map(({ command }) => command))).toContain('40.1234');
  expect(await completions(userId)).toHaveLength(1);
});

it('needs one read more to complete with a check-in if the previous completion had one, too', async () => {
  const { client, join } = walker();
  const readsOf = async (position?: DevicePosition) => {
    const { id } = await join(await created());
    await service.settle();
    service.commands.length = 0;
    await client.updateParticipation({
      params: { id },
      body: { completed: true, ...(position && { position }) },
    });
    return service.commands.flatMap(({ command }) => command.find ?? []);
  };
  const reads = ['participations', 'challenges', 'participations', 'challenges', 'users'];
  expect(await readsOf()).toEqual(reads);
  expect(await readsOf(devicePosition(queens))).toEqual(reads);
  expect(await readsOf(devicePosition(queens))).toEqual([
    ...reads.slice(0, 3),
    'challenges',
    ...reads.slice(3),
  ]);
});

it('publishes the same flag reasons and check-ins in a snapshot', async () => {
  const { complete, userId } = walker();
  await complete(await created(), devicePosition(queens));
  await complete(await created({ position: tokyo }), devicePosition(tokyo));
  const before = await completions(userId);
  expect(before.map(({ flagReason }) => flagReason)).toEqual([undefined, 'travel']);
  service.published.length = 0;
  await service.deliver(newEvent('replica.rebuild-requested.v1', { service: 'users' }));
  await service.settle();
  await eventually(async () => expect(await completions(userId)).toEqual(before));
});
