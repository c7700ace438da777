import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Pool } from '../src/upstreams.ts';
import type { ServerName } from './servers.ts';

/**
 * Measures the cost of proxying a request: the gateway compared with Express and http-proxy-middleware, in turns, so that
 * other load of the machine affects all of them. CPU time per request depends less on other load than throughput.
 *
 *   npm run bench -w gateway [-- <seconds per run> <rounds> <bytes per response>]
 */
const [seconds = 3, rounds = 5, bytes = 600] = process.argv.slice(2).map(Number);
const clients = 64;
const compared: ServerName[] = ['gateway', 'express', 'express, keep-alive'];

interface RunningServer {
  url: string;
  child: ChildProcess;
}

async function start(name: ServerName, argument: string): Promise<RunningServer> {
  const child = fork(join(import.meta.dirname, 'server.process.ts'), [name, argument], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [{ url }] = await once(child, 'message');
  return { url, child };
}

async function cpuOf({ child }: RunningServer): Promise<number> {
  const reply = once(child, 'message');
  child.send('cpu');
  const [{ cpuMicroseconds }] = await reply;
  return cpuMicroseconds;
}

async function load(url: string, durationMs: number): Promise<number> {
  const pool = new Pool(url, { connections: clients });
  const until = performance.now() + durationMs;
  let requests = 0;
  const sendRequests = async () => {
    while (performance.now() < until) {
      const { body, statusCode } = await pool.request({ path: '/api/challenges/', method: 'GET' });
      await body.dump();
      if (statusCode !== 200) throw new Error(`responded with ${statusCode}`);
      requests += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, sendRequests));
  await pool.close();
  return requests;
}

const service = await start('service', String(bytes));
const running = new Map<ServerName, RunningServer>();
const runs = new Map<ServerName, { perSecond: number; cpu: number; serviceCpu: number }[]>();
for (const name of compared) {
  const server = await start(name, service.url);
  running.set(name, server);
  runs.set(name, []);
  await load(server.url, 1_000);
}
for (let round = 0; round < rounds; round += 1) {
  for (const [name, server] of running) {
    const [cpu, serviceCpu] = [await cpuOf(server), await cpuOf(service)];
    const requests = await load(server.url, seconds * 1_000);
    runs.get(name)?.push({
      perSecond: requests / seconds,
      cpu: ((await cpuOf(server)) - cpu) / requests,
      serviceCpu: ((await cpuOf(service)) - serviceCpu) / requests,
    });
  }
}
const median = (values: number[]) =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
const medianOf = (name: ServerName, figure: 'perSecond' | 'cpu' | 'serviceCpu') =>
  median((runs.get(name) ?? []).map((run) => run[figure]));
console.table(
  Object.fromEntries(
    compared.map((name) => [
      name,
      {
        'requests/s': Math.round(medianOf(name, 'perSecond')),
        'CPU of the proxy per request, µs': Math.round(medianOf(name, 'cpu')),
        'CPU of the service per request, µs': Math.round(medianOf(name, 'serviceCpu')),
      },
    ]),
  ),
);
const [ours, peer] = (['gateway', 'express, keep-alive'] as const).map((name) => ({
  rps: medianOf(name, 'perSecond'),
  cpu: medianOf(name, 'cpu'),
}));
if (ours && peer) {
  const ratios = { cpu: ours.cpu / peer.cpu, throughput: ours.rps / peer.rps };
  const each = { µs: ours.cpu, 'µs peer': peer.cpu, rps: ours.rps, 'rps peer': peer.rps };
  process.send?.({ figures: { ...ratios, ...each } });
}
for (const { child } of [service, ...running.values()]) child.disconnect();
