import { resolve } from 'node:path';
import { useShared } from '@wayquest/testing';
import { freePort, startProgram } from '@wayquest/testing/backing-services';
import { startNames } from './names.ts';

const file = resolve(import.meta.dirname, '../haproxy.cfg');

/** The edge as in production, before gateways that all listen on the same two ports, each at an address of its own. */
export async function startEdge() {
  const [port, managementPort, gatewayPort, gatewayManagementPort] = await Promise.all([
    freePort(),
    freePort(),
    freePort(),
    freePort(),
  ]);
  const names = await startNames();
  const program = await startProgram({
    command: await useShared('haproxy'),
    args: () => ['-db', '-f', file],
    env: () => ({
      EDGE_PORT: String(port),
      EDGE_MANAGEMENT_PORT: String(managementPort),
      EDGE_DNS: names.address,
      GATEWAY_PORT: String(gatewayPort),
      GATEWAY_MANAGEMENT_PORT: String(gatewayManagementPort),
      TRUSTED_PROXIES: '1',
    }),
    port,
  });
  return {
    url: `http://127.0.0.1:${port}`,
    managementUrl: `http://127.0.0.1:${managementPort}`,
    gatewayPort,
    gatewayManagementPort,
    /** Where gateways are now. */
    gateways: names,
    async stop() {
      await program.stop();
      names.close();
    },
  };
}

export type Edge = Awaited<ReturnType<typeof startEdge>>;
