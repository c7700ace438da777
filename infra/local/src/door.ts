// Stands in until the gateway is there.
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { operations, type ServiceName } from '@wayquest/contracts';
import type { Logger } from '@wayquest/platform';

export function createGateway({
  port,
  upstreams,
  host = '127.0.0.1',
}: {
  logger: Logger;
  port: number;
  host?: string | undefined;
  webDirectory?: string | undefined;
  upstreams: Record<ServiceName, () => string>;
}) {
  const table = Object.values(operations).map((o) => ({
    service: o.service,
    method: o.method as string,
    pattern: new RegExp(`^${o.path.replace(/\/$/, '/?').replace(/\{\w+\}/g, '[^/]+')}$`),
  }));
  const server = createServer((req, res) => {
    const path = (req.url ?? '').split('?')[0] ?? '';
    const hit = table.find((o) => o.pattern.test(path) && o.method === req.method);
    if (!hit) return void res.writeHead(404).end();
    const up = request(
      upstreams[hit.service]() + req.url,
      { method: req.method ?? 'GET', headers: { ...req.headers, 'x-forwarded-for': '127.0.0.1' } },
      (answer) => {
        res.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(res);
      },
    );
    up.on('error', () => res.writeHead(503).end());
    req.pipe(up);
  });
  return {
    name: 'gateway',
    start: () => new Promise<void>((r) => server.listen(port, host, r)),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((r) => server.close(r));
    },
    ready: async () => true,
    url: () => `http://${host}:${(server.address() as AddressInfo).port}`,
  };
}
