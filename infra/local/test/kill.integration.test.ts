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
  lineId: number;
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

/** Tries again what a busy machine did not answer in time. */
const patiently = <T>(call: () => Promise<T>) => eventually(call, { withinMs: 60_000, everyMs: 200 });

async function signUp(username: string): Promise<Client> {
  const nobody = createClient({ baseUrl: wayquest.url });
  const body = { username, password: 'correct horse battery staple' };
  const { token } = await patiently(() => nobody.signup({ body }).catch(() => nobody.login({ body })));
  return createClient({ baseUrl: wayquest.url, token: () => token });
}

/** Whether the failure is that of a process that was killed: no answer, or half of one. */
const wasCutOff = (error: unknown) =>
  error instanceof CallError
    ? error.status >= 500
    : /^TypeError: (fetch failed|terminated)/.test(String(error));

const isUnavailable = (error: unknown) =>
  error instanceof CallError && error.problem?.code === 'service-unavailable';

/** Retries a call that a busy process answered with 503; rejects when the process was killed. */
async function whileAlive<T>(call: () => Promise<T>): Promise<T> {
  const outcome = await patiently(async () => {
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

async function ledger(): Promise<{ userId: number; challengeId: number; points: number }[]> {
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

test('60 concurrent completions, killed in the middle: nothing acknowledged is lost, no points are awarded twice', async () => {
  const maker = await signUp('maker');
  const challenges = await Promise.all(
    challengePoints.map((points) =>
      patiently(() =>
        maker.createChallenge({ body: { name: `Worth ${points}`, difficulty: 'Easy', points } }),
      ),
    ),
  );
  const clients = await Promise.all(Array.from({ length: people }, (_, index) => signUp(`walker-${index}`)));
  const completions: Completion[] = await Promise.all(
    clients.flatMap((client) =>
      challenges.map(async ({ id }) => {
        const line = await patiently(() => client.joinChallenge({ body: { challengeId: id } }));
        return { client, lineId: line.id, challengeId: id };
      }),
    ),
  );
  expect(completions).toHaveLength(60);

  const acknowledged = new Set<number>();
  const complete = async ({ client, lineId, challengeId }: Completion) => {
    const put = () =>
      whileAlive(() => client.updateLine({ params: { id: lineId }, body: { completed: true } }));
    // Twice at once, as an impatient finger does it; then the points are asked for, as the page does it.
    await Promise.all([put(), put()]);
    acknowledged.add(lineId);
    await client.awardPoints({ body: { challengeId } });
  };

  const atOnce = Promise.allSettled(completions.map(complete));
  await eventually(() => acknowledged.size >= 20, { withinMs: 60_000, everyMs: 1 });
  await wayquest.end('SIGKILL');
  const outcomes = await atOnce;
  const cut = completions.filter((_, index) => outcomes[index]?.status === 'rejected');
  const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  expect(reasons.filter((reason) => !wasCutOff(reason))).toEqual([]);
  // Otherwise the kill came too late to prove anything.
  expect(cut.length).toBeGreaterThan(0);
  expect(acknowledged.size).toBeLessThan(60);

  wayquest = await startAllInOne(env);
  const lines = await Promise.all(clients.map((client) => patiently(() => client.listLines())));
  const completed = new Set(lines.flat().flatMap((line) => (line.completed ? [line.id] : [])));
  expect([...acknowledged].filter((id) => !completed.has(id))).toEqual([]);

  // What was completed but not yet awarded is awarded by its event, without anybody asking again.
  await eventually(
    async () => {
      expect(await ledger()).toHaveLength(completed.size);
    },
    { withinMs: 60_000, everyMs: 200 },
  );

  await Promise.all(cut.map((completion) => patiently(() => complete(completion))));
  await eventually(
    async () => {
      const points = await Promise.all(clients.map(async (client) => (await client.getMe()).points));
      expect(points).toEqual(clients.map(() => allPoints));
    },
    { withinMs: 60_000, everyMs: 200 },
  );
  const awards = await ledger();
  expect(awards).toHaveLength(60);
  expect(awards.reduce((sum, { points }) => sum + points, 0)).toBe(people * allPoints);
}, 240_000);
