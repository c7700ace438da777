import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { createTestClock, eventually, stallProcess } from '@wayquest/testing';
import {
  cleanUp,
  echo,
  gate,
  open,
  recordLog,
  startGateway,
  startUpstream,
  unreachableUrl,
} from './support.ts';

afterEach(cleanUp);

describe('a stopped service', () => {
  it('is a 503, while the others respond', async () => {
    const gateway = await startGateway((await startUpstream(echo)).url, {
      upstreams: { users: unreachableUrl },
    });
    const down = await fetch(`${gateway.url()}/api/users/`);
    expect(down.headers.get('content-type')).toContain('application/problem+json');
    expect(await down.json()).toMatchObject({
      status: 503,
      code: 'service-unavailable',
      requestId: down.headers.get('x-request-id'),
    });
    expect((await fetch(`${gateway.url()}/api/challenges/`)).status).toBe(200);
  });

  it('is a 503 for each of many concurrent calls', async () => {
    const log = recordLog();
    const gateway = await startGateway(unreachableUrl, { connections: 4, logger: log.logger });
    const paths = Array.from({ length: 40 }, (_, id) => `/api/users/${id + 1}`);
    await Promise.all(paths.map((path) => fetch(gateway.url() + path)));
    for (const path of paths) {
      expect((await log.waitFor({ path })).status).toBe(503);
    }
  });

  it('is plain text for operations of forms', async () => {
    const gateway = await startGateway(unreachableUrl);
    const response = await fetch(`${gateway.url()}/auth/login`, { method: 'POST', body: '{}' });
    expect([response.status, await response.text()]).toEqual([
      503,
      'Wayquest is temporarily unavailable. Please try again in a moment.',
    ]);
  });

  it('is a 503 until its address is known, then responds', async () => {
    let address: string | undefined;
    const gateway = await startGateway('', {
      upstreams: {
        users: () => {
          if (address === undefined) throw new Error('not started');
          return address;
        },
      },
    });
    expect((await fetch(`${gateway.url()}/api/users/`)).status).toBe(503);
    address = 'http://127.0.0.1:undefined';
    expect((await fetch(`${gateway.url()}/api/users/`)).status).toBe(503);
    address = (await startUpstream(echo)).url;
    expect((await fetch(`${gateway.url()}/api/users/`)).status).toBe(200);
  });

  it('responds again as soon as it listens', async () => {
    const upstream = await startUpstream(echo);
    const gateway = await startGateway(upstream.url);
    const getStatus = async () => (await fetch(`${gateway.url()}/api/users/`)).status;
    expect(await getStatus()).toBe(200);
    await upstream.stop();
    expect(await getStatus()).toBe(503);
    await startUpstream(echo, Number(new URL(upstream.url).port));
    expect(await getStatus()).toBe(200);
  });
});

describe('a service that is slow', () => {
  it('is a 504, and its request is aborted', async () => {
    const hungUp = gate();
    const upstream = await startUpstream((_incoming, response) => response.once('close', hungUp.open));
    const gateway = await startGateway(upstream.url, { timeouts: { headersMs: 100 } });
    const response = await fetch(`${gateway.url()}/api/users/`);
    expect(await response.json()).toMatchObject({ status: 504, code: 'gateway-timeout' });
    await hungUp.promise;
  });

  it('is a 503 immediately after several timeouts, and is called again until it responds', async () => {
    let silent = true;
    const upstream = await startUpstream((incoming, response) => {
      if (!silent) echo(incoming, response);
    });
    const clock = createTestClock();
    const gateway = await startGateway(upstream.url, {
      clock,
      timeouts: { headersMs: 1_000 },
      upstreams: { challenges: (await startUpstream(echo)).url },
    });
    const getStatus = async () => (await fetch(`${gateway.url()}/api/users/`)).status;
    const requestConcurrently = (count: number) => Promise.all(Array.from({ length: count }, getStatus));
    expect(await requestConcurrently(5)).toEqual([504, 504, 504, 504, 504]);
    expect(new Set(await requestConcurrently(20))).toEqual(new Set([503]));
    expect(upstream.seen).toHaveLength(5);
    expect((await fetch(`${gateway.url()}/api/challenges/`)).status).toBe(200);
    // One call a second is let through, to check whether it responds again.
    await clock.advance(1_000);
    expect((await requestConcurrently(3)).sort()).toEqual([503, 503, 504]);
    silent = false;
    await clock.advance(1_000);
    expect(await getStatus()).toBe(200);
    expect(new Set(await requestConcurrently(20))).toEqual(new Set([200]));
  });

  it('ends the response if it stalls in the middle', async () => {
    const upstream = await startUpstream((_incoming, response) => {
      response.writeHead(200, { 'content-length': 10 }).write('half');
    });
    const gateway = await startGateway(upstream.url, { timeouts: { bodyIdleMs: 100 } });
    const response = await fetch(`${gateway.url()}/api/users/`);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow('terminated');
  });

  it('is a 503 for calls that would have to wait for a connection', async () => {
    const upstream = await startUpstream(() => {});
    const gateway = await startGateway(upstream.url, { connections: 1, timeouts: { connectMs: 2_000 } });
    const first = open(`${gateway.url()}/api/users/1`).request.end();
    await eventually(() => upstream.seen.length === 1);
    expect((await fetch(`${gateway.url()}/api/users/2`)).status).toBe(503);
    expect(upstream.seen).toEqual(['GET /api/users/1']);
    first.destroy();
  });
});

describe('a stall of the gateway itself', () => {
  it('fails no call, even if it is longer than the timeout of the connection that is being opened', async () => {
    const upstream = await startUpstream(echo);
    const gateway = await startGateway(upstream.url, { timeouts: { connectMs: 1_000 } });
    let stalls = 0;
    const stall = (message: unknown) => {
      if (!JSON.stringify(message).includes(new URL(upstream.url).port)) return;
      stalls += 1;
      stallProcess(1_100);
    };
    subscribe('undici:client:beforeConnect', stall);
    try {
      expect((await fetch(`${gateway.url()}/api/users/`)).status).toBe(200);
    } finally {
      unsubscribe('undici:client:beforeConnect', stall);
    }
    expect(stalls).toBe(1);
  });
});

describe('a failing service', () => {
  it.each([
    ['says something that is not HTTP', 'what?\r\n\r\n'],
    ['hangs up without a word', ''],
  ])('is a 502 if it %s', async (_what, words) => {
    const server = createServer((socket) => {
      socket.once('data', () => socket.end(words));
      socket.on('error', () => {});
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    const gateway = await startGateway(`http://127.0.0.1:${port}`);
    const response = await fetch(`${gateway.url()}/api/challenges/`, { method: 'POST', body: '{}' });
    server.close();
    expect(await response.json()).toMatchObject({ status: 502, code: 'bad-gateway' });
  });

  it('ends the response if it crashes in the middle', async () => {
    const upstream = await startUpstream((incoming, response) => {
      response.write('half', () => incoming.socket.destroy());
    });
    const gateway = await startGateway(upstream.url);
    const response = await fetch(`${gateway.url()}/api/users/`);
    await expect(response.text()).rejects.toThrow('terminated');
  });
});

describe('a reset connection', () => {
  /** Responds to the first call of a connection and resets it at the second, as if it had been idle too long. */
  const resetsAtSecond = () => {
    const known = new WeakSet();
    return ({ socket }: IncomingMessage, response: ServerResponse) => {
      if (known.has(socket)) socket.resetAndDestroy();
      else response.end('{}');
      known.add(socket);
    };
  };

  const second = async (method: string, path: string, body?: string) => {
    const upstream = await startUpstream(resetsAtSecond());
    const gateway = await startGateway(upstream.url);
    await (await fetch(`${gateway.url()}/api/users/`)).text();
    const { status } = await fetch(gateway.url() + path, { method, body: body ?? null });
    return { status, asked: upstream.seen.slice(1) };
  };

  it.each([
    ['GET', '/api/users/', undefined],
    ['HEAD', '/api/users/', undefined],
    ['DELETE', '/api/challenges/7', undefined],
    ['PUT', '/api/points/', '{}'],
  ])('is retried for %s', async (method, path, body) => {
    expect(await second(method, path, body)).toEqual({
      status: 200,
      asked: [`${method} ${path}`, `${method} ${path}`],
    });
  });

  it.each([
    ['POST, which may have been done', 'POST', '/auth/logout', undefined],
    ['POST with a body', 'POST', '/api/challenges/', '{}'],
  ])('is a 502 for %s', async (_what, method, path, body) => {
    expect(await second(method, path, body)).toEqual({ status: 502, asked: [`${method} ${path}`] });
  });

  it('is retried only once', async () => {
    const upstream = await startUpstream(({ socket }) => void socket.resetAndDestroy());
    const gateway = await startGateway(upstream.url);
    expect((await fetch(`${gateway.url()}/api/users/`)).status).toBe(502);
    expect(upstream.seen).toHaveLength(2);
  });
});

describe('a client that disconnects', () => {
  it('cancels the call before there is a response', async () => {
    const arrived = gate();
    const ended = gate();
    const upstream = await startUpstream((_incoming, response) => {
      response.once('close', ended.open);
      arrived.open();
    });
    const gateway = await startGateway(upstream.url);
    const { request } = open(`${gateway.url()}/api/users/`);
    request.end();
    await arrived.promise;
    request.destroy();
    await ended.promise;
  });

  it('cancels the call in the middle of a response', async () => {
    const ended = gate();
    const upstream = await startUpstream((_incoming, response) => {
      response.once('close', ended.open);
      response.write('half');
    });
    const gateway = await startGateway(upstream.url);
    const { request, reply } = open(`${gateway.url()}/api/users/`);
    request.end();
    await once(await reply, 'data');
    request.destroy();
    await ended.promise;
  });

  it('causes no call if it was waiting for a connection', async () => {
    const firstArrived = gate();
    const release = gate();
    const upstream = await startUpstream(async (incoming, response) => {
      firstArrived.open();
      if (incoming.url === '/api/users/1') await release.promise;
      response.end();
    });
    const log = recordLog();
    const gateway = await startGateway(upstream.url, { connections: 1, logger: log.logger });
    const first = fetch(`${gateway.url()}/api/users/1`);
    await firstArrived.promise;
    const second = open(`${gateway.url()}/api/users/2`, { headers: { expect: '100-continue' } });
    second.request.end();
    // The gateway has received it now.
    await once(second.request, 'continue');
    second.request.destroy();
    await log.waitFor({ path: '/api/users/2', status: 499 });
    const third = fetch(`${gateway.url()}/api/users/3`);
    release.open();
    await Promise.all([first, third]);
    expect(upstream.seen).toEqual(['GET /api/users/1', 'GET /api/users/3']);
  });
});
