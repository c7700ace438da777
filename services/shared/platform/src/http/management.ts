import express from 'express';
import { collectProcessMetrics, metricsRegistry } from '../telemetry/metrics.ts';
import { listen, type RunningServer } from './http-server.ts';

/** /healthz (alive), /readyz (its stores and bus answer) and /metrics, on a port that is not for the public. */
export async function startManagement({
  port,
  host,
  ready,
}: {
  port: number;
  host: string;
  ready(): Promise<boolean>;
}): Promise<RunningServer> {
  collectProcessMetrics();
  const app = express();
  app.disable('x-powered-by');
  app.get('/healthz', (_request, response) => {
    response.type('text/plain').send('alive\n');
  });
  app.get('/readyz', async (_request, response) => {
    const isReady = await ready();
    response
      .status(isReady ? 200 : 503)
      .type('text/plain')
      .send(isReady ? 'ready\n' : 'not ready\n');
  });
  app.get('/metrics', async (_request, response) => {
    response.type(metricsRegistry.contentType).send(await metricsRegistry.metrics());
  });
  return listen(app, { port, host });
}
