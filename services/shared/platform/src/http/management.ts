import express, { type Response } from 'express';
import { collectProcessMetrics, metricsRegistry } from '../telemetry/metrics.ts';
import { measureRoundTrips } from '../telemetry/round-trips.ts';
import { listen, type RunningServer } from './http-server.ts';

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
