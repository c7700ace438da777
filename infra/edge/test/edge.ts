import { resolve } from 'node:path';
import { useShared } from '@wayquest/testing';
import { freePort, startProgram } from '@wayquest/testing/backing-services';
import { startDnsServer } from './dns-server.ts';

const file = resolve(import.meta.dirname, '../haproxy.cfg');

/** Starts the edge as in production, in front of gateways that listen on the same two ports, each at its own address. */
export async function startEdge() {
  const [port, managementPort, gatewayPort, gatewayManagementPort] = await Promise.all([
    freePort(),
    freePort(),
    freePort(),
    freePort(),
  ]);
  const dns = await startDnsServer();
  const program = await startProgram({
    command: await useShared('haproxy'),
    args: () => ['-db', '-f', file],
    env: () => ({
      EDGE_PORT: String(port),
      EDGE_MANAGEMENT_PORT: String(managementPort),
      EDGE_DNS: dns.address,
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
    /** Addresses of the running gateways. */
    gateways: dns.addresses,
    async stop() {
      await program.stop();
      dns.close();
    },
  };
}

export type Edge = Awaited<ReturnType<typeof startEdge>>;
