import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Pool } from '../src/upstreams.ts';
import type { Door } from './doors.ts';

/**
 * What the way to a service costs: the gateway against Express with http-proxy-middleware, in turns, so that a busy
 * machine is unfair to all of them. CPU time a request says more than throughput where other things run as well.
 *
 *   npm run bench -w gateway [-- <seconds a run> <rounds> <bytes per response>]
 */
const [seconds = 3, rounds = 5, bytes = 600] = process.argv.slice(2).map(Number);
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
  const reply = once(child, 'message');
  child.send('cpu');
  const [{ cpuMicroseconds }] = await reply;
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
      if (statusCode !== 200) throw new Error(`responded with ${statusCode}`);
      requests += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, ask));
  await pool.close();
  return requests;
}

const service = await start('service', String(bytes));
const running = new Map<Door, Running>();
const runs = new Map<Door, { perSecond: number; cpu: number; serviceCpu: number }[]>();
for (const door of compared) {
  const one = await start(door, service.url);
  running.set(door, one);
  runs.set(door, []);
  await load(one.url, 1_000);
}
for (let round = 0; round < rounds; round += 1) {
  for (const [door, one] of running) {
    const [cpu, serviceCpu] = [await cpuOf(one), await cpuOf(service)];
    const requests = await load(one.url, seconds * 1_000);
    runs.get(door)?.push({
      perSecond: requests / seconds,
      cpu: ((await cpuOf(one)) - cpu) / requests,
      serviceCpu: ((await cpuOf(service)) - serviceCpu) / requests,
    });
  }
}
const median = (values: number[]) =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
const medianOf = (door: Door, figure: 'perSecond' | 'cpu' | 'serviceCpu') =>
  median((runs.get(door) ?? []).map((run) => run[figure]));
console.table(
  Object.fromEntries(
    compared.map((door) => [
      door,
      {
        'requests/s': Math.round(medianOf(door, 'perSecond')),
        'µs CPU of the door a request': Math.round(medianOf(door, 'cpu')),
        'µs CPU of the service a request': Math.round(medianOf(door, 'serviceCpu')),
      },
    ]),
  ),
);
const [ours, stock] = (['gateway', 'stock, keep-alive'] as const).map((door) => ({
  rps: medianOf(door, 'perSecond'),
  cpu: medianOf(door, 'cpu'),
}));
if (ours && stock) {
  const ratios = { cpu: ours.cpu / stock.cpu, throughput: ours.rps / stock.rps };
  const each = { µs: ours.cpu, 'µs stock': stock.cpu, rps: ours.rps, 'rps stock': stock.rps };
  process.send?.({ figures: { ...ratios, ...each } });
}
for (const { child } of [service, ...running.values()]) child.disconnect();
