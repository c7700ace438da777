import { Agent, createServer, type Server } from 'node:http';
import { createLogger } from '@wayquest/platform/telemetry';
import express from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { createGateway } from '../src/index.ts';

const unlimited = { max: 1_000_000_000, seconds: 1 };

const listening = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`;
};

const stockProxy = (target: string, agent?: Agent) =>
  listening(createServer(express().use(createProxyMiddleware({ target, agent }))));

/** What stands before the service in one run, each in a process of its own; returns where it listens. */
export const doors = {
  /** A service that does next to nothing: what is measured is the way to it. */
  async service(bytes: string) {
    const body = JSON.stringify({ text: 'x'.repeat(Number(bytes)) });
    const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length };
    return listening(
      createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
        request.resume();
        response.writeHead(200, headers).end(body);
      }),
    );
  },
  /** As in production, its log lines and limits included. */
  async gateway(target: string) {
    const gateway = createGateway({
      logger: createLogger({ name: 'gateway', level: 'info' }),
      port: 0,
      upstreams: {
        auth: target,
        users: target,
        challenges: target,
        participation: target,
        friends: target,
        notifications: target,
        moderation: target,
        chat: target,
        places: target,
      },
      rateLimits: { perAddress: unlimited, perToken: unlimited, attempts: unlimited },
    });
    await gateway.start();
    return gateway.url();
  },
  /** Express and http-proxy-middleware as they come. */
  stock: (target: string) => stockProxy(target),
  /** The same with connections that are kept. */
  'stock, keep-alive': (target: string) => stockProxy(target, new Agent({ keepAlive: true })),
};

export type Door = keyof typeof doors;
export const isDoor = (name: string): name is Door => name in doors;
