import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Pool } from 'undici';
import type { Door } from './doors.ts';

/**
 * What the way to a service costs: the gateway against Express with http-proxy-middleware, in turns, so that a busy
 * machine is unfair to all of them. CPU time a request says more than throughput where other things run as well.
 *
 *   npm run bench -w gateway [-- <seconds a run> <rounds> <bytes an answer>]
 */
const [seconds = 3, rounds = 4, bytes = 600] = process.argv.slice(2).map(Number);
const clients = 64;
const compared: Door[] = ['gateway', 'stock', 'stock, keep-alive'];

interface Running {
  url: string;
  child: ChildProcess;
}

async function start(door: Door, given: string): Promise<Running> {
  const child = fork(join(import.meta.dirname, 'door.process.ts'), [door, given], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [{ url }] = await once(child, 'message');
  return { url, child };
}

async function cpuOf({ child }: Running): Promise<number> {
  const answer = once(child, 'message');
  child.send('cpu');
  const [{ cpuMicroseconds }] = await answer;
  return cpuMicroseconds;
}

async function load(url: string, forMs: number): Promise<number> {
  const pool = new Pool(url, { connections: clients });
  const until = performance.now() + forMs;
  let requests = 0;
  const ask = async () => {
    while (performance.now() < until) {
      const { body, statusCode } = await pool.request({ path: '/api/challenges/', method: 'GET' });
      await body.dump();
      if (statusCode !== 200) throw new Error(`was answered ${statusCode}`);
      requests += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, ask));
  await pool.close();
  return requests;
}

const service = await start('service', String(bytes));
const running = new Map<Door, Running>();
const totals = new Map(compared.map((door) => [door, { requests: 0, cpu: 0, serviceCpu: 0 }]));
for (const door of compared) {
  const one = await start(door, service.url);
  running.set(door, one);
  await load(one.url, 1_000);
}
for (let round = 0; round < rounds; round += 1) {
  for (const [door, one] of running) {
    const total = totals.get(door);
    if (!total) continue;
    const [cpu, serviceCpu] = [await cpuOf(one), await cpuOf(service)];
    total.requests += await load(one.url, seconds * 1_000);
    total.cpu += (await cpuOf(one)) - cpu;
    total.serviceCpu += (await cpuOf(service)) - serviceCpu;
  }
}
console.table(
  Object.fromEntries(
    [...totals].map(([door, { requests, cpu, serviceCpu }]) => [
      door,
      {
        'requests/s': Math.round(requests / (rounds * seconds)),
        'µs CPU of the door a request': Math.round(cpu / requests),
        'µs CPU of the service a request': Math.round(serviceCpu / requests),
      },
    ]),
  ),
);
for (const { child } of [service, ...running.values()]) child.disconnect();
