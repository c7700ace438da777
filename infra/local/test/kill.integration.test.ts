import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CallError, type Client, createClient } from '@wayquest/contracts';
import { eventually, freePort } from '@wayquest/testing';
import { MongoClient } from 'mongodb';
import { type AllInOneProcess, startAllInOne } from './all-in-one-process.ts';

const people = 15;
const challengePoints = [1, 10, 20, 40];
const allPoints = challengePoints.reduce((sum, points) => sum + points, 0);

interface Completion {
  client: Client;
  participationId: number;
  challengeId: number;
}

let directory: string;
let env: NodeJS.ProcessEnv;
let wayquest: AllInOneProcess;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'wayquest-kill-'));
  env = { DATA_DIR: directory, PORT: String(await freePort()) };
  wayquest = await startAllInOne(env);
});

afterAll(async () => {
  await wayquest.end('SIGKILL');
  await rm(directory, { recursive: true, force: true });
});

/** Retries a call that fails on a busy machine. */
const withRetries = <T>(call: () => Promise<T>) => eventually(call, { withinMs: 60_000, everyMs: 200 });

async function signUp(username: string): Promise<Client> {
  const visitor = createClient({ baseUrl: wayquest.url });
  const body = { username, password: 'correct horse battery staple' };
  const { token } = await withRetries(() => visitor.signup({ body }).catch(() => visitor.login({ body })));
  return createClient({ baseUrl: wayquest.url, token: () => token });
}

/** Whether a call failed because the process was killed. */
const isCausedByKill = (error: unknown) =>
  error instanceof CallError
    ? error.status >= 500
    : /^TypeError: (fetch failed|terminated)/.test(String(error));

const isUnavailable = (error: unknown) =>
  error instanceof CallError && error.problem?.code === 'service-unavailable';

/** Retries a call that a busy process rejected with 503; rejects once the process was killed. */
async function whileAlive<T>(call: () => Promise<T>): Promise<T> {
  const outcome = await withRetries(async () => {
    try {
      return { value: await call() };
    } catch (error) {
      if (isUnavailable(error)) throw error;
      return { error };
    }
  });
  if ('error' in outcome) throw outcome.error;
  return outcome.value;
}

async function readAwards(): Promise<{ userId: number; challengeId: number; points: number }[]> {
  const store = await MongoClient.connect(await readFile(join(directory, 'mongo.url'), 'utf8'));
  try {
    return await store
      .db('wayquest_users')
      .collection<{ userId: number; challengeId: number; points: number }>('awards')
      .find()
      .toArray();
  } finally {
    await store.close();
  }
}

test('a kill during 60 concurrent completions loses nothing acknowledged and awards no points twice', async () => {
  const maker = await signUp('maker');
  const challenges = await Promise.all(
    challengePoints.map((points) =>
      withRetries(() =>
        maker.createChallenge({ body: { name: `Worth ${points}`, difficulty: 'Easy', points } }),
      ),
    ),
  );
  const clients = await Promise.all(Array.from({ length: people }, (_, index) => signUp(`walker-${index}`)));
  const completions: Completion[] = await Promise.all(
    clients.flatMap((client) =>
      challenges.map(async ({ id }) => {
        const participation = await withRetries(() => client.joinChallenge({ body: { challengeId: id } }));
        return { client, participationId: participation.id, challengeId: id };
      }),
    ),
  );
  expect(completions).toHaveLength(60);

  const acknowledged = new Set<number>();
  const complete = async ({ client, participationId, challengeId }: Completion) => {
    const put = () =>
      whileAlive(() =>
        client.updateParticipation({ params: { id: participationId }, body: { completed: true } }),
      );
    // Twice concurrently, as with a double click; then claims the points, as the page does.
    await Promise.all([put(), put()]);
    acknowledged.add(participationId);
    await client.awardPoints({ body: { challengeId } });
  };

  const completing = Promise.allSettled(completions.map(complete));
  await eventually(() => acknowledged.size >= 20, { withinMs: 60_000, everyMs: 1 });
  await wayquest.end('SIGKILL');
  const outcomes = await completing;
  const interrupted = completions.filter((_, index) => outcomes[index]?.status === 'rejected');
  const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  expect(reasons.filter((reason) => !isCausedByKill(reason))).toEqual([]);
  // Otherwise the kill came after all calls, and the test would prove nothing.
  expect(interrupted.length).toBeGreaterThan(0);
  expect(acknowledged.size).toBeLessThan(60);

  wayquest = await startAllInOne(env);
  const participations = await Promise.all(
    clients.map((client) => withRetries(() => client.listParticipations())),
  );
  const completed = new Set(
    participations.flat().flatMap((participation) => (participation.completed ? [participation.id] : [])),
  );
  expect([...acknowledged].filter((id) => !completed.has(id))).toEqual([]);

  // Points that were not awarded before the kill are awarded by the event, without another call.
  await eventually(
    async () => {
      expect(await readAwards()).toHaveLength(completed.size);
    },
    { withinMs: 60_000, everyMs: 200 },
  );

  await Promise.all(interrupted.map((completion) => withRetries(() => complete(completion))));
  await eventually(
    async () => {
      const points = await Promise.all(clients.map(async (client) => (await client.getMe()).points));
      expect(points).toEqual(clients.map(() => allPoints));
    },
    { withinMs: 60_000, everyMs: 200 },
  );
  const awards = await readAwards();
  expect(awards).toHaveLength(60);
  expect(awards.reduce((sum, { points }) => sum + points, 0)).toBe(people * allPoints);
}, 240_000);
