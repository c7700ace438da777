import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '@wayquest/contracts';
import { z } from 'zod';
import { median, printLine, settings, startStore } from './measure.ts';
import { startSideProcess } from './side.ts';

/** Drops all sockets at the same time; measures how soon they reconnect, and how other calls are affected. */
const people = 100;
const rounds = 3;
const callsPerSecond = 25;
const baselineMs = 10_000;

const Reply = z.object({ times: z.array(z.number()) });

const store = await startStore();
const side = await startSideProcess(['wayquest', store.address]);
const herd = fork(new URL('./herd.process.ts', import.meta.url), [], {
  execArgv: ['--import=tsx', '--conditions=@wayquest/source', '--no-warnings'],
  stdio: ['ignore', process.stderr, process.stderr, 'ipc'],
});
const command = async (order: object): Promise<number[]> => {
  const reply = once(herd, 'message');
  herd.send(order);
  return Reply.parse((await reply)[0]).times;
};

const tokens: string[] = [];
for (let n = 0; n < people; n++) {
  const person = {
    username: `p${randomBytes(6).toString('hex')}`,
    password: randomBytes(12).toString('hex'),
  };
  tokens.push((await createClient({ baseUrl: side.url }).signup({ body: person })).token);
}

const quantile = (values: number[], share: number) =>
  values.toSorted((one, other) => one - other)[Math.floor(share * (values.length - 1))] ?? Number.NaN;

let rejected = 0;

/** Loads pages of challenges at a steady rate; returns a function that stops, and resolves to the durations. */
function startCalls(): () => Promise<number[]> {
  let isStopped = false;
  const pending: Promise<number>[] = [];
  const call = async () => {
    const startedAt = performance.now();
    const response = await fetch(`${side.url}/api/challenges/?limit=24`);
    await response.arrayBuffer();
    if (!response.ok) rejected += 1;
    return performance.now() - startedAt;
  };
  const loop = (async () => {
    while (!isStopped) {
      pending.push(call());
      await pause(1_000 / callsPerSecond);
    }
  })();
  return async () => {
    isStopped = true;
    await loop;
    return Promise.all(pending);
  };
}

const openedAt = performance.now();
const all = Array.from({ length: settings.SOCKETS }, (_, n) => tokens[n % people] ?? '');
await command({ what: 'open', url: side.url, tokens: all });
printLine(
  `${settings.SOCKETS} sockets were opened in ${((performance.now() - openedAt) / 1_000).toFixed(1)} s`,
);

const reconnectTimes: number[] = [];
const baselines: number[] = [];
const duringReconnect: number[] = [];
for (let round = 0; round < rounds; round++) {
  await pause(2_000);
  const stopBaseline = startCalls();
  await pause(baselineMs);
  baselines.push(quantile(await stopBaseline(), 0.95));
  const stopReconnect = startCalls();
  const times = await command({ what: 'drop' });
  duringReconnect.push(quantile(await stopReconnect(), 0.95));
  reconnectTimes.push(Math.max(...times));
  printLine(
    `all back after ${(Math.max(...times) / 1_000).toFixed(1)} s, half of them after ${(median(times) / 1_000).toFixed(1)} s; p95 of other calls ${baselines.at(-1)?.toFixed(1)} → ${duringReconnect.at(-1)?.toFixed(1)} ms`,
  );
}
process.send?.({
  figures: {
    back: median(reconnectTimes) / 1_000,
    calm: median(baselines),
    storm: median(duringReconnect),
    grown: median(duringReconnect) / median(baselines),
    refused: rejected,
  },
});
herd.disconnect();
side.stop();
await store.stop();
process.exit(0);
