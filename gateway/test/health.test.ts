import type { RequestListener } from 'node:http';
import { createTestClock } from '@wayquest/testing';
import { cleanUp, startGateway, startUpstream, unreachableUrl } from './support.ts';

afterEach(cleanUp);

const respond =
  (status: number): RequestListener =>
  (_request, response) => {
    response.writeHead(status).end();
  };

const healthOf = async (gateway: { url(): string }) => {
  const response = await fetch(`${gateway.url()}/healthz`);
  return [response.status, await response.json(), response.headers.get('cache-control')];
};

it('is healthy while every service is ready', async () => {
  const upstream = await startUpstream(respond(200));
  const gateway = await startGateway(upstream.url, { realtime: [upstream.url] });
  expect(await healthOf(gateway)).toEqual([200, { ready: true }, 'no-store']);
  expect(upstream.seen).toEqual(Array(10).fill('GET /readyz'));
});

it('names the services that are not ready, do not respond, or have no address', async () => {
  const [ready, notReady] = [await startUpstream(respond(200)), await startUpstream(respond(503))];
  const gateway = await startGateway(ready.url, {
    upstreams: {
      chat: notReady.url,
      places: unreachableUrl,
      users: () => {
        throw new Error('not started');
      },
    },
    realtime: [notReady.url],
  });
  const [status, body] = await healthOf(gateway);
  expect(status).toBe(503);
  expect(body.notReady.sort()).toEqual(['chat', 'places', 'realtime', 'users']);
});

it('counts realtime as ready while one of its nodes is', async () => {
  const [ready, notReady] = [await startUpstream(respond(200)), await startUpstream(respond(503))];
  const gateway = await startGateway(ready.url, { realtime: [notReady.url, unreachableUrl, ready.url] });
  expect(await healthOf(gateway)).toEqual([200, { ready: true }, 'no-store']);
});

it('asks the services once for all requests of two seconds', async () => {
  const clock = createTestClock();
  const upstream = await startUpstream(respond(200));
  const gateway = await startGateway(upstream.url, { clock });
  await Promise.all([healthOf(gateway), healthOf(gateway), healthOf(gateway)]);
  expect(upstream.seen).toHaveLength(9);
  await clock.advance(2_000);
  await healthOf(gateway);
  expect(upstream.seen).toHaveLength(18);
});

it('asks again where a service had closed the connection meanwhile', async () => {
  let isFirst = true;
  const restarted = await startUpstream((request, response) => {
    if (isFirst) request.socket.destroy();
    else response.end();
    isFirst = false;
  });
  const other = await startUpstream(respond(200));
  const gateway = await startGateway(other.url, { upstreams: { chat: restarted.url } });
  expect(await healthOf(gateway)).toEqual([200, { ready: true }, 'no-store']);
  expect(restarted.seen).toEqual(['GET /readyz', 'GET /readyz']);
});

it.each(['/readyz', '/idlez', '/metrics', '/.well-known/security.txt'])('does not serve %s', async (path) => {
  const gateway = await startGateway(unreachableUrl);
  expect((await fetch(gateway.url() + path)).status).toBe(404);
});

it('says where to report vulnerabilities, if the operator does', async () => {
  const now = Date.parse('2026-11-30T12:00:00Z');
  const gateway = await startGateway(unreachableUrl, {
    securityContact: 'mailto:security@wayquest.example',
    clock: createTestClock(now),
  });
  const response = await fetch(`${gateway.url()}/.well-known/security.txt`);
  expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
    200,
    'text/plain; charset=utf-8',
    'Contact: mailto:security@wayquest.example\nExpires: 2027-05-29T12:00:00.000Z\n',
  ]);
});

it('allows pages the position and the whole screen, and nothing else of the device', async () => {
  const gateway = await startGateway(unreachableUrl);
  const policy = (await fetch(`${gateway.url()}/api/docs`)).headers.get('permissions-policy');
  expect(policy?.split(', ')).toEqual(
    expect.arrayContaining(['camera=()', 'microphone=()', 'geolocation=(self)', 'fullscreen=(self)']),
  );
});
