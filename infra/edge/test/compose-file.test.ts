import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';

const root = resolve(import.meta.dirname, '../../..');
const reset = { tag: '!reset', collection: 'seq', resolve: () => 'none' } as const;
const read = (file: string): unknown =>
  parse(readFileSync(resolve(root, file), 'utf8'), { merge: true, customTags: [reset] });

test('the port belongs to the load balancer if there is one, and both know the number of proxies', () => {
  const ports = [expect.stringMatching(/^\$\{BIND:\+\$\{BIND:-\}:\}\$\{PORT:-8080\}:8080$/)];
  const drain = (seconds: string) => expect.stringMatching(`{DRAIN_SECONDS:-${seconds}}$`);
  const environment = { TRUSTED_PROXIES: expect.stringContaining('{TRUSTED_PROXIES:-1}') };
  expect(read('docker-compose.yml')).toMatchObject({
    services: { gateway: { ports, environment: { DRAIN_SECONDS: drain('') } } },
  });
  expect(read('docker-compose.edge.yml')).toMatchObject({
    services: {
      gateway: { ports: 'none', environment: { ...environment, DRAIN_SECONDS: drain('2') } },
      edge: {
        ports,
        environment,
        volumes: ['./infra/edge/haproxy.cfg:/etc/haproxy/haproxy.cfg:ro'],
        command: ['haproxy', '-f', '/etc/haproxy/haproxy.cfg'],
      },
      tls: { environment: { TLS_UPSTREAM: 'edge:8080' } },
    },
  });
  expect(existsSync(resolve(root, 'infra/edge/haproxy.cfg'))).toBe(true);
});
