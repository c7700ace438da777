import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { createClient } from '@wayquest/contracts';
import { median, printLine, startStore } from './measure.ts';
import { startSideProcess } from './side.ts';

/** Logins, compared with argon2 alone on as many cores as the service uses for it; the two are measured alternately. */
const rounds = 3;
const roundMs = 4_000;
const concurrency = 16;
const cores = Math.min(3, Math.max(1, availableParallelism() - 1));

/** Repeats the work with this concurrency; returns how often per second, and the CPU time of each. */
async function measureRepeated(
  lanes: number,
  work: (lane: number) => Promise<unknown>,
  cpuMs: () => Promise<number>,
) {
  const before = await cpuMs();
  const begin = performance.now();
  let done = 0;
  const go = async (lane: number) => {
    while (performance.now() - begin < roundMs) {
      await work(lane);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, lane) => go(lane)));
  const seconds = (performance.now() - begin) / 1_000;
  return { perSecond: done / seconds, cpuEach: ((await cpuMs()) - before) / done };
}

const store = await startStore();
const side = await startSideProcess(['wayquest', store.address]);
const client = createClient({ baseUrl: side.url });
const people: { username: string; password: string }[] = [];
for (let n = 0; n < concurrency; n++) {
  const person = {
    username: `p${randomBytes(6).toString('hex')}`,
    password: randomBytes(12).toString('hex'),
  };
  await client.signup({ body: person });
  people.push(person);
}
const passwordHash = await hash('a password', { memoryCost: 19 * 1_024, timeCost: 2, parallelism: 1 });
const ownCpu = async () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};
const login = async (lane: number) => {
  const body = people[lane];
  if (body) await client.login({ body });
};

// Warms up: the first logins of a new process run code that is not compiled yet.
await measureRepeated(concurrency, login, ownCpu);

const logins: Awaited<ReturnType<typeof measureRepeated>>[] = [];
const verifications: typeof logins = [];
const lags: number[] = [];
for (let round = 0; round < rounds; round++) {
  let lagMs = 0;
  const sideCpu = async () => {
    const usage = await side.usage();
    lagMs = usage.lagMs;
    return usage.cpuMs;
  };
  logins.push(await measureRepeated(concurrency, login, sideCpu));
  lags.push(lagMs);
  verifications.push(await measureRepeated(cores, () => verify(passwordHash, 'a password'), ownCpu));
}
const of = (all: typeof logins, figure: 'perSecond' | 'cpuEach') => median(all.map((one) => one[figure]));
const [ours, theirs, lag] = [of(logins, 'perSecond'), of(verifications, 'perSecond'), median(lags)];
const [cpu, cpuAlone] = [of(logins, 'cpuEach'), of(verifications, 'cpuEach')];
printLine(
  `${ours.toFixed(1)} logins a second, ${theirs.toFixed(1)} verifications; ${cpu.toFixed(1)} and ${cpuAlone.toFixed(1)} ms of CPU`,
);
printLine(`the event loop was delayed by ${lag.toFixed(0)} ms`);
process.send?.({ figures: { login: ours / theirs, cpu, 'cpu alone': cpuAlone, lag } });
side.stop();
await store.stop();
process.exit(0);
