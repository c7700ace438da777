import type { ChallengeDetails, DevicePosition, Event, Position } from '@wayquest/contracts';
import { newEvent } from '@wayquest/platform/bus';
import { createLogger } from '@wayquest/platform/telemetry';
import { eventually, type IsolatedService, signToken, startIsolatedService } from '@wayquest/testing';
import { presenceAt } from '../src/check-in.ts';
import { challengeDetails } from './challenge-details.ts';
import { unlimited } from './unlimited.ts';

const queens: Position = { lat: 40.75, lng: -73.82 };
const tokyo: Position = { lat: 35.68, lng: 139.69 };
/** Metres north of a place. */
const north = ({ lat, lng }: Position, metres: number): Position => ({ lat: lat + metres / 111_195, lng });
const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1_000);
const told = (at: Position, { accuracy = 0, age = 1 } = {}): DevicePosition => ({
  ...at,
  accuracy,
  takenAt: secondsAgo(age).toISOString(),
});

describe('a position that a device tells', () => {
  it.each([
    ['in 90 m', 90, 0, 1, 'there'],
    ['in 110 m', 110, 0, 1, 'far'],
    ['in 140 m, if it may be 50 m off', 140, 50, 1, 'there'],
    ['in 160 m, if it may be 50 m off', 160, 50, 1, 'far'],
    ['in 190 m, if it may be anywhere', 190, 20_000, 1, 'there'],
    ['in 210 m, if it may be anywhere', 210, 20_000, 1, 'far'],
    ['of 55 seconds ago', 10, 0, 55, 'there'],
    ['of 65 seconds ago', 10, 0, 65, 'stale'],
    ['by a clock that is 55 seconds fast', 10, 0, -55, 'there'],
    ['by a clock that is 65 seconds fast', 10, 0, -65, 'stale'],
  ])('%s', (_, metres, accuracy, age, presence) => {
    const position = told(north(queens, metres), { accuracy, age });
    expect(presenceAt({ position: queens }, position, new Date())).toBe(presence);
  });

  it('says nothing of a challenge that is not on the map', () => {
    expect(presenceAt({ position: null }, told(queens), new Date())).toBe('untold');
  });
});

const maker = 900;
/** Checked in at a place 10.5 and 11.5 hours ago; Tokyo is 10,900 km from it. */
const [early, late] = [901, 902];
const kept = 9_000;
/** Completed nineteen challenges just over an hour ago. */
const slow = 903;
const lineAt = (_id: number, userId: number, challengeId: number, completedAt: Date) => ({
  ...{ _id, key: `${userId}:${challengeId}`, userId, challengeId, points: 10, creatorId: maker },
  ...{ joinedAt: completedAt, completed: true, completedAt, outbox: [] },
});
const lines = [
  { ...lineAt(9_000_001, early, kept, secondsAgo(10.5 * 3_600)), checkedIn: true },
  { ...lineAt(9_000_002, late, kept, secondsAgo(11.5 * 3_600)), checkedIn: true },
  ...Array.from({ length: 19 }, (_, n) => lineAt(9_000_010 + n, slow, 9_001 + n, secondsAgo(3_700))),
];

const logged: string[] = [];
let participation: IsolatedService;
beforeAll(async () => {
  const logger = createLogger({
    name: 'test',
    level: 'trace',
    destination: { write: (line) => void logged.push(line) },
  });
  const create = unlimited();
  participation = await startIsolatedService({
    service: 'participation',
    create: (deps) => create({ ...deps, logger }),
    stored: { lines },
  });
});
afterAll(() => participation?.stop());

const details = (id: number, changes: Partial<ChallengeDetails> = {}) =>
  challengeDetails(id, { position: queens, creator: { id: maker, username: 'maker' }, ...changes });

let challenges = 0;
const created = async (changes: Partial<ChallengeDetails> = {}) => {
  const challenge = details(++challenges, changes);
  await participation.deliver(newEvent('challenge.created.v1', { challenge, version: 1 }));
  return challenge.id;
};

let people = 0;
/** Somebody who joins challenges and completes them. */
const walker = (userId = ++people) => {
  const client = participation.client(signToken({ sub: String(userId), username: `walker-${userId}` }));
  const join = (challengeId: number) => client.joinChallenge({ body: { challengeId } });
  const complete = async (challengeId: number, position?: DevicePosition) => {
    const { id } = await join(challengeId);
    return client.updateLine({ params: { id }, body: { completed: true, ...(position && { position }) } });
  };
  return { userId, client, join, complete };
};

type Completion = Extract<Event, { name: 'challenge.completed.v1' }>['data'];
const completions = async (userId: number): Promise<Completion[]> => {
  await participation.settle();
  return participation.told.flatMap(({ name, data }) =>
    name === 'challenge.completed.v1' && data.userId === userId ? [data] : [],
  );
};

describe('completing with a position', () => {
  it('checks in who is there, once and for good, and tells it with the event', async () => {
    const { complete, client, userId } = walker();
    const challengeId = await created();
    expect(await complete(challengeId, told(north(queens, 50)))).toMatchObject({
      ...{ completed: true, checkedIn: true },
    });
    expect(await complete(challengeId, told(tokyo))).toMatchObject({ checkedIn: true });
    expect(await client.listLines()).toMatchObject([{ checkedIn: true }]);
    expect(await participation.client().listLines({ query: { challengeId } })).toMatchObject([
      { checkedIn: true },
    ]);
    expect(await completions(userId)).toMatchObject([{ checkedIn: true }]);
  });

  it.each<[string, () => DevicePosition | undefined]>([
    ['is far away', () => told(tokyo)],
    ['was there before', () => told(queens, { age: 90 })],
    ['says nothing', () => undefined],
  ])('completes on the word of who %s', async (_, position) => {
    const { complete, userId } = walker();
    expect(await complete(await created(), position())).toMatchObject({ completed: true, checkedIn: false });
    const [completion] = await completions(userId);
    expect(completion).not.toHaveProperty('checkedIn');
    expect(completion).not.toHaveProperty('doubt');
  });

  it('is refused where it is no position, with the field', async () => {
    const position = { ...told(queens), lat: 91 };
    await expect(walker().complete(await created(), position)).rejects.toMatchObject({
      ...{ status: 400, problem: { errors: [{ field: 'position.lat' }] } },
    });
  });
});

describe('a challenge that asks for a check-in', () => {
  it.each<[string, () => DevicePosition | undefined, RegExp]>([
    ['no position', () => undefined, /requires a check-in.*100 m/],
    ['one that is too old', () => told(queens, { age: 90 }), /too old/],
    ['one that is too far away', () => told(north(queens, 250)), /too far away.*100 m/],
  ])('is not completed with %s, and says what to do', async (_, position, sentence) => {
    const { complete, client, userId } = walker();
    const challengeId = await created({ checkInAsked: true });
    await expect(complete(challengeId, position())).rejects.toMatchObject({
      ...{ status: 409, message: expect.stringMatching(sentence), problem: { code: 'check-in-needed' } },
    });
    expect(await client.listLines()).toMatchObject([{ completed: false, checkedIn: false }]);
    expect(await completions(userId)).toEqual([]);
  });

  it('is completed by who is there', async () => {
    const challengeId = await created({ checkInAsked: true });
    expect(await walker().complete(challengeId, told(queens))).toMatchObject({ checkedIn: true });
  });
});

describe('what is hard to believe', () => {
  const doubts = async (userId: number) => (await completions(userId)).map(({ doubt }) => doubt);

  it('is a check-in that is farther from the last one than a plane flies meanwhile', async () => {
    const { complete, userId } = walker();
    await complete(await created(), told(queens));
    await complete(await created({ position: north(queens, 390) }), told(north(queens, 390)));
    // On somebody's word nothing is said of where they were.
    await complete(await created({ position: tokyo }));
    await complete(await created({ position: tokyo }), told(tokyo));
    expect(await doubts(userId)).toEqual([undefined, undefined, undefined, 'travel']);
  });

  it.each([
    [early, 'travel'],
    [late, undefined],
  ])('is not one that there was time for (%i)', async (userId, doubt) => {
    await participation.deliver(newEvent('challenge.created.v1', { challenge: details(kept), version: 1 }));
    await walker(userId).complete(await created({ position: tokyo }), told(tokyo));
    expect(await doubts(userId)).toEqual([doubt]);
  });

  it('is the twentieth in an hour, and nothing is said of it to anybody', async () => {
    const { complete, userId } = walker();
    const ids = await Promise.all(Array.from({ length: 21 }, () => created()));
    for (const id of ids) await complete(id);
    expect(await doubts(userId)).toEqual([...Array(19).fill(undefined), 'pace', 'pace']);
    await walker(slow).complete(await created());
    expect(await doubts(slow)).toEqual([undefined]);
    const token = signToken({ sub: String(userId) });
    const bytes = async (path: string, as: string) =>
      (await fetch(participation.url + path, { headers: { authorization: as } })).text();
    const answers = [
      await bytes('/api/challengeLine/', token),
      await bytes(`/api/challengeLine/?challengeId=${ids.at(-1)}`, signToken({ sub: '800' })),
      await bytes(`/api/completions/?ids=${userId}`, signToken({ sub: '800' })),
      await bytes(`/api/trails/${userId}`, token),
      await bytes('/api/own-data/participation', token),
    ];
    for (const answer of answers) {
      expect(answer).toMatch(/"(name|challengeId)":/);
      expect(answer).not.toMatch(/doubt|pace/);
    }
  });
});

/** Nowhere else in this file. */
const recognisable = { lat: 40.123456, lng: -73.654321 };

it('keeps nothing of the position: not in the store, in events, in answers or in the log', async () => {
  const { complete, userId } = walker();
  const position = { lat: 40.1234, lng: -73.6543 };
  participation.commands.length = 0;
  logged.length = 0;
  const line = await complete(
    await created({ position, checkInAsked: true }),
    told(recognisable, { accuracy: 7.654321 }),
  );
  expect(line.checkedIn).toBe(true);
  const refused = [
    complete(await created({ checkInAsked: true }), told(recognisable)),
    complete(await created(), { ...told(recognisable), accuracy: -1 }),
    complete(await created(), { ...told(recognisable), takenAt: '40.123456' }),
  ];
  const problems = await Promise.all(refused.map((call) => call.catch((error: unknown) => error)));
  await participation.settle();
  const traces = [
    line,
    problems,
    participation.commands.map(({ command }) => command),
    participation.told,
    logged,
  ];
  expect(logged.length).toBeGreaterThan(5);
  for (const trace of traces) expect(JSON.stringify(trace)).not.toMatch(/123456|654321/);
  // It would be seen.
  expect(JSON.stringify(participation.commands.map(({ command }) => command))).toContain('40.1234');
  expect(await completions(userId)).toHaveLength(1);
});

it('costs one read more to complete, and another where the last completion was a check-in too', async () => {
  const { client, join } = walker();
  const readsOf = async (position?: DevicePosition) => {
    const { id } = await join(await created());
    await participation.settle();
    participation.commands.length = 0;
    await client.updateLine({ params: { id }, body: { completed: true, ...(position && { position }) } });
    return participation.commands.flatMap(({ command }) => command.find ?? []);
  };
  const reads = ['lines', 'challenges', 'lines', 'challenges', 'users'];
  expect(await readsOf()).toEqual(reads);
  expect(await readsOf(told(queens))).toEqual(reads);
  expect(await readsOf(told(queens))).toEqual([...reads.slice(0, 3), 'challenges', ...reads.slice(3)]);
});

it('tells the same when it tells again', async () => {
  const { complete, userId } = walker();
  await complete(await created(), told(queens));
  await complete(await created({ position: tokyo }), told(tokyo));
  const before = await completions(userId);
  expect(before.map(({ doubt }) => doubt)).toEqual([undefined, 'travel']);
  participation.told.length = 0;
  await participation.deliver(newEvent('replica.rebuild-requested.v1', { service: 'users' }));
  await participation.settle();
  await eventually(async () => expect(await completions(userId)).toEqual(before));
});
