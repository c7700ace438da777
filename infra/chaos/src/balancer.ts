import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { ApartNetwork } from '@wayquest/testing';
import {
  type Cleanup,
  findBackingService,
  freePort,
  startBackingService,
  startProgram,
} from '@wayquest/testing/backing-services';
import { say } from './command.ts';

const edge = resolve(import.meta.dirname, '../../edge/haproxy.cfg');

/** In production the balancer finds gateways by one host name with one port. */
const byName = /^ *server-template .*$/m;

/** Starts Wayquest's balancer in front of all gateways of a network, each of which has its own port here. */
export async function startBalancer({ keep }: Cleanup, { gateways }: ApartNetwork): Promise<string> {
  const haproxy = await startBackingService('haproxy', await findBackingService('haproxy'), say);
  if (!haproxy) throw new Error('there is no HAProxy here');
  const [port, managementPort] = [await freePort(), await freePort()];
  const servers = gateways.map(({ url, managementUrl }, nth) => {
    const check = new URL(managementUrl).port;
    return `  server gateway${nth} ${new URL(url).host} check port ${check}`;
  });
  const configured = (await readFile(edge, 'utf8')).replace(byName, servers.join('\n'));
  await keep(
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
