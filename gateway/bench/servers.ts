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

const startExpressProxy = (target: string, agent?: Agent) =>
  listening(createServer(express().use(createProxyMiddleware({ target, agent }))));

/** The servers of the benchmark: starts each, and returns its URL. */
export const servers = {
  /** A service that responds with this number of bytes and does nothing else, so that the proxy is measured. */
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
  /** As in production, with its log and its limits. */
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
  /** Express with http-proxy-middleware, with default options. */
  express: (target: string) => startExpressProxy(target),
  /** The same with keep-alive connections to the service. */
  'express, keep-alive': (target: string) => startExpressProxy(target, new Agent({ keepAlive: true })),
};

export type ServerName = keyof typeof servers;
export const isServer = (name: string): name is ServerName => name in servers;
