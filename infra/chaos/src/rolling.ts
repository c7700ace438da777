import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { serviceNames } from '@wayquest/contracts';
import { settingsOrExit } from '@wayquest/platform/process';
import type { MultiProcessNetwork } from '@wayquest/testing';
import {
  type Cleanup,
  findBackingService,
  freePort,
  startBackingService,
  startProgram,
} from '@wayquest/testing/backing-services';
import { z } from 'zod';
import { cleanUpAtExit, listOf, positiveInteger, printLine, startServers } from './command.ts';
import { rollingRestartsOf } from './faults.ts';
import { runChaos } from './run-chaos.ts';

const edge = resolve(import.meta.dirname, '../../edge/haproxy.cfg');

/** In production the balancer finds gateways by one host name with one port. */
const byName = /^ *server-template .*$/m;

/** Starts Wayquest's balancer in front of all gateways of a network, each of which has its own port here. */
async function startBalancer({ register }: Cleanup, { gateways }: MultiProcessNetwork): Promise<string> {
  const haproxy = await startBackingService('haproxy', await findBackingService('haproxy'), printLine);
  if (!haproxy) throw new Error('there is no HAProxy here');
  const [port, managementPort] = [await freePort(), await freePort()];
  const servers = gateways.map(({ url, managementUrl }, nth) => {
    const check = new URL(managementUrl).port;
    return `  server gateway${nth} ${new URL(url).host} check port ${check}`;
  });
  const configured = (await readFile(edge, 'utf8')).replace(byName, servers.join('\n'));
  await register(
    startProgram({
      command: haproxy.address,
      args: (folder) => ['-db', '-f', join(folder, 'haproxy.cfg')],
      prepare: (folder) => writeFile(join(folder, 'haproxy.cfg'), configured),
      env: () => ({
        EDGE_PORT: String(port),
        EDGE_MANAGEMENT_PORT: String(managementPort),
        TRUSTED_PROXIES: '1',
      }),
      port,
    }),
  );
  return `http://127.0.0.1:${port}`;
}

const { SOCKETS, RATE, SEED, PARTS } = settingsOrExit(
  z.object({
    SOCKETS: positiveInteger(1_000),
    RATE: positiveInteger(30),
    SEED: positiveInteger(1),
    /** A regular expression: only parts whose name matches. */
    PARTS: z.string().default('.'),
  }),
);
const people = 50;
const replaced = [...serviceNames, 'gateway' as const].filter((name) => new RegExp(PARTS).test(name));
/** By then 99 of 100 disconnected tabs have loaded what they missed. */
const caughtUpWithinMs = 10_000;

const cleanup = cleanUpAtExit();
const servers = await startServers(cleanup);
const { faults, violations, calls, figures } = await runChaos({
  ...{ servers, as: 'processes', seed: SEED, people, rate: RATE, rounds: 1, lasting: 1_000, calm: 4_000 },
  tabsEach: Math.ceil(SOCKETS / people),
  replicas: Object.fromEntries(replaced.map((name) => [name, 2])),
  // Longer than the balancer takes to notice that a gateway is not ready.
  settings: { DRAIN_SECONDS: '2', TRUSTED_PROXIES: '1' },
  startEntryPoint: (network) => startBalancer(cleanup, network),
  faults: rollingRestartsOf(replaced),
  printLine,
});
const failed = calls.filter(({ outcome }) => outcome === 'unknown').length;
printLine(`
${faults.length} parts replaced under ${SOCKETS} sockets: ${failed} of ${calls.length} calls failed
messages delivered live ${figures.live}, recovered on reconnect ${figures.recovered}, broken connections ${figures.dropped}
caught up after a broken connection: ${(figures.caughtUpP99 / 1_000).toFixed(1)} s (p99)
${listOf('violations', violations)}`);
const isLate = figures.caughtUpP99 > caughtUpWithinMs;
if (isLate) printLine(`more than ${caughtUpWithinMs / 1_000} s`);
await cleanup.exit(violations.length || failed || isLate ? 1 : 0);
