import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { createClient } from '@wayquest/contracts';
import { eventually } from '@wayquest/testing/eventually';
import { printLine } from '../settings.ts';
import { type Attacker, attacks } from './attacks.ts';
import { type CallTimes, probe } from './probe.ts';
import { startAllInOne, targetAt } from './target.ts';

const [url, only = ''] = process.argv.slice(2);
const seconds = { before: 5, during: 10, after: 5 };
/** How long to wait for the memory after an attack. */
const memoryTimeoutMs = 60_000;

const target = url?.startsWith('http') ? targetAt(url) : await startAllInOne();

/** Signs up a new user, from an address. */
async function signUpFrom(address: string) {
  const username = `p${randomBytes(6).toString('hex')}`;
  const headers = () => ({ 'x-forwarded-for': address });
  const { token } = await createClient({ baseUrl: target.url, headers }).signup({
    body: { username, password: randomBytes(12).toString('hex') },
  });
  const client = createClient({ baseUrl: target.url, headers, token: () => token, timeoutMs: 30_000 });
  return { client, token, id: (await client.getMe()).id };
}

const format = ({ p50, p95, rejected }: CallTimes) =>
  `${p50.toFixed(0)} / ${p95.toFixed(0)}${rejected ? ` (${rejected} rejected)` : ''}`;

const megabytes = (memory: number | undefined) => (memory === undefined ? '–' : memory.toFixed(0));

/** Waits until the memory is about what it was before, or a timeout; returns the memory and the time. */
async function backToNormal(before: number | undefined): Promise<string> {
  if (before === undefined) return '–';
  const began = performance.now();
  for (;;) {
    const now = (await target.memory()) ?? 0;
    const waited = performance.now() - began;
    if (now < before * 1.25 + 50 || waited > memoryTimeoutMs)
      return `${megabytes(now)} (${(waited / 1_000).toFixed(0)} s)`;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

try {
  printLine(
    '| attack | p50 / p95 before, ms | during | after | memory before, MiB | peak | after (waited) |',
  );
  printLine('|---|---|---|---|---|---|---|');
  let network = 0;
  for (const [name, attack] of Object.entries(attacks)) {
    if (!name.includes(only)) continue;
    network += 1;
    // The gateway may close an idle connection just when it is used again.
    const otherUser = await eventually(() => signUpFrom(`192.0.2.${network}`));
    const address = `198.51.100.${network}`;
    const { token, id } = await signUpFrom(address);
    const attacker: Attacker = { url: target.url, address, token, id };

    const before = await probe(otherUser.client, seconds.before);
    const memory = await target.memory();
    let peak = memory;
    const end = new AbortController();
    // Hundreds of connections listen to the signal.
    setMaxListeners(0, end.signal);
    const watching = setInterval(async () => {
      const now = await target.memory();
      if (now !== undefined) peak = Math.max(peak ?? 0, now);
    }, 200);
    const attacking = attack(attacker, end.signal);
    const during = await probe(otherUser.client, seconds.during);
    end.abort();
    await attacking;
    clearInterval(watching);
    const after = await probe(otherUser.client, seconds.after);
    const memoryAfter = await backToNormal(memory);
    const times = [before, during, after].map(format).join(' | ');
    printLine(`| ${name} | ${times} | ${megabytes(memory)} | ${megabytes(peak)} | ${memoryAfter} |`);
  }
} finally {
  await target.stop();
}
