import { metricsRegistry } from '@wayquest/platform/telemetry';
import { cleanUp, echo, recordLog, startGateway, startUpstream, unreachableUrl } from './support.ts';

afterEach(cleanUp);
beforeEach(() => metricsRegistry.resetMetrics());

it('logs a line for each request, without its query string', async () => {
  const log = recordLog();
  const gateway = await startGateway((await startUpstream(echo)).url, { logger: log.logger });
  const headers = { 'x-request-id': 'my-request-1', authorization: 'my-token' };
  await fetch(`${gateway.url()}/api/users/?search=my-secret`, { headers });
  const line = await log.waitFor({ path: '/api/users/' });
  expect(line).toEqual({
    requestId: 'my-request-1',
    method: 'GET',
    path: '/api/users/',
    status: 200,
    ms: expect.any(Number),
    address: '127.0.0.1',
  });
  await fetch(`${gateway.url()}/home?code=my-secret`);
  await log.waitFor({ path: '/home', status: 404 });
  expect(JSON.stringify(log.entries)).not.toMatch(/my-secret|my-token/);
});

it('counts calls by operation and status, never by path', async () => {
  const log = recordLog();
  const gateway = await startGateway((await startUpstream(echo)).url, { logger: log.logger });
  await fetch(`${gateway.url()}/api/users/7`);
  await fetch(`${gateway.url()}/some/place`);
  await log.waitFor({ path: '/some/place' });
  const metrics = await metricsRegistry.metrics();
  expect(metrics).toContain(
    'wayquest_http_request_duration_seconds_count{service="gateway",operation="GET /api/users/{id}",status="200"} 1',
  );
  expect(metrics).toContain('{service="gateway",operation="web",status="404"} 1');
  expect(metrics).not.toContain('/some/place');
});

it('counts and logs calls without a response of the service', async () => {
  const log = recordLog();
  const gateway = await startGateway(unreachableUrl, { logger: log.logger });
  const headers = { 'x-request-id': 'my-request-1' };
  await fetch(`${gateway.url()}/api/users/7`, { headers });
  expect(await metricsRegistry.metrics()).toContain(
    'wayquest_upstream_failures_total{upstream="users",problem="service-unavailable"} 1',
  );
  expect(await log.waitFor({ operation: 'GET /api/users/{id}' })).toMatchObject({
    requestId: 'my-request-1',
    err: { code: 'ECONNREFUSED' },
  });
});
