import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Response } from 'express';
import { collectProcessMetrics, measureRoundTrips, metricsRegistry } from '../telemetry/metrics.ts';

export interface RunningServer {
  server: Server;
  port: number;
  /**
   * Accepts no new connections and waits for calls in progress; after `graceMs` the remaining connections are closed.
   */
  stop(): Promise<void>;
}

/** Longer than the gateway's idle timeout, so that the service never closes a connection first. */
const keepAliveMs = 65_000;
const graceMs = 7_000;
const idleCheckMs = 50;

/** Listens; port 0 picks a free one. */
export async function listen(
  listener: RequestListener,
  { port, host }: { port: number; host: string },
): Promise<RunningServer> {
  const server = createServer(
    { keepAliveTimeout: keepAliveMs, headersTimeout: 30_000, requestTimeout: 60_000 },
    listener,
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    server,
    port: (server.address() as AddressInfo).port,
    async stop() {
      const forceCloseTimer = setTimeout(() => server.closeAllConnections(), graceMs);
      // A kept-alive connection would keep the server from closing.
      const closeIdle = setInterval(() => server.closeIdleConnections(), idleCheckMs);
      await new Promise((resolve) => server.close(resolve));
      clearInterval(closeIdle);
      clearTimeout(forceCloseTimer);
    },
  };
}

/** True, or the reason why not. */
type Check = boolean | string;

const sendCheck = (response: Response, result: Check, label: string) => {
  const why = typeof result === 'string' ? `: ${result}` : '';
  return response
    .status(result === true ? 200 : 503)
    .type('text/plain')
    .send(result === true ? `${label}\n` : `not ${label}${why}\n`);
};

/**
 * Serves /healthz (alive), /readyz (stores and bus respond), /idlez (no event from it or for it is pending) and
 * /metrics, on a port that must not be public.
 */
export async function startManagement({
  port,
  host,
  ready,
  isIdle = async () => true,
}: {
  port: number;
  host: string;
  ready(): Promise<Check>;
  isIdle?(): Promise<boolean>;
}): Promise<RunningServer> {
  collectProcessMetrics();
  measureRoundTrips();
  const app = express();
  app.disable('x-powered-by');
  app.get('/healthz', (_request, response) => {
    response.type('text/plain').send('alive\n');
  });
  app.get('/readyz', async (_request, response) => {
    sendCheck(response, await ready(), 'ready');
  });
  app.get('/idlez', async (_request, response) => {
    sendCheck(response, await isIdle(), 'idle');
  });
  app.get('/metrics', async (_request, response) => {
    response.type(metricsRegistry.contentType).send(await metricsRegistry.metrics());
  });
  return listen(app, { port, host });
}
