import { once } from 'node:events';
import { Agent } from 'node:http';
import { createTestClock } from '@wayquest/testing';
import { eventually } from '@wayquest/testing/eventually';
import { cleanUp, echo, gate, open, recordLog, startGateway, startUpstream, textOf } from './support.ts';

afterEach(cleanUp);

const mebibyte = 1024 * 1024;

describe('a body', () => {
  it('of 1 MiB is accepted, with and without its length', async () => {
    const upstream = await startUpstream(async (incoming, response) => {
      response.end(String((await textOf(incoming)).length));
    });
    const gateway = await startGateway(upstream.url);
    const said = await fetch(`${gateway.url()}/api/challenges/`, {
      method: 'POST',
      body: 'x'.repeat(mebibyte),
    });
    expect(await said.text()).toBe(String(mebibyte));
    const unsaid = open(`${gateway.url()}/api/challenges/`, { method: 'POST' });
    for (let piece = 0; piece < 16; piece += 1) unsaid.request.write('x'.repeat(mebibyte / 16));
    unsaid.request.end();
    expect(await textOf(await unsaid.reply)).toBe(String(mebibyte));
  });

  it('with a larger declared length is a 413 that reaches no service', async () => {
    const upstream = await startUpstream(echo);
    const gateway = await startGateway(upstream.url);
    const response = await fetch(`${gateway.url()}/api/challenges/`, {
      method: 'POST',
      body: Buffer.alloc(mebibyte + 1),
    });
    expect(await response.json()).toMatchObject({ status: 413, code: 'too-large' });
    expect(upstream.seen).toEqual([]);
  });

  it('that becomes larger is a 413 that reaches no service', async () => {
    const upstream = await startUpstream(echo);
    const gateway = await startGateway(upstream.url);
    const { request, reply } = open(`${gateway.url()}/api/challenges/`, { method: 'POST' });
    request.write(Buffer.alloc(mebibyte));
    request.write('x');
    const response = await reply;
    expect(JSON.parse(await textOf(response))).toMatchObject({ status: 413, code: 'too-large' });
    request.destroy();
    expect(upstream.seen).toEqual([]);
  });

  it('that was rejected leaves the connection usable for the next call', async () => {
    const gateway = await startGateway((await startUpstream(echo)).url);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const large = open(`${gateway.url()}/api/challenges/`, { method: 'POST', agent });
    large.request.write(Buffer.alloc(2 * mebibyte));
    large.request.end();
    const rejected = await large.reply;
    await textOf(rejected);
    const next = open(`${gateway.url()}/api/users/`, { agent });
    next.request.end();
    expect([rejected.statusCode, (await next.reply).statusCode]).toEqual([413, 200]);
    expect(next.request.reusedSocket).toBe(true);
    agent.destroy();
  });

  it('of a GET is not passed on', async () => {
    const upstream = await startUpstream(echo);
    const gateway = await startGateway(upstream.url);
    const { request, reply } = open(`${gateway.url()}/api/users/`, { headers: { 'content-length': 4 } });
    request.end('what');
    expect(JSON.parse(await textOf(await reply))).toMatchObject({ method: 'GET', body: '' });
  });

  it('that is sent slowly occupies no connection to a service', async () => {
    const upstream = await startUpstream(echo);
    const gateway = await startGateway(upstream.url, { connections: 1 });
    const slow = Array.from({ length: 20 }, () => {
      const { request } = open(`${gateway.url()}/api/friendrequests/`, { method: 'POST' });
      request.write('half');
      return request;
    });
    await Promise.all(slow.map((request) => once(request, 'socket')));
    expect((await fetch(`${gateway.url()}/api/users/`)).status).toBe(200);
    expect(upstream.seen).toEqual(['GET /api/users/']);
    for (const request of slow) request.destroy();
  });

  it('whose client disconnects is neither passed on nor logged as an error', async () => {
    const upstream = await startUpstream(echo);
    const log = recordLog();
    const gateway = await startGateway(upstream.url, { logger: log.logger });
    const headers = { expect: '100-continue' };
    const { request } = open(`${gateway.url()}/api/challenges/`, { method: 'POST', headers });
    request.flushHeaders();
    await once(request, 'continue');
    request.write('half');
    request.destroy();
    expect(await log.waitFor({ path: '/api/challenges/' })).toMatchObject({ status: 499 });
    expect(log.entries.filter(({ err }) => err)).toEqual([]);
    expect(upstream.seen).toEqual([]);
  });
});

describe('the concurrent calls of one client', () => {
  const hold = async () => {
    const held = gate();
    const upstream = await startUpstream(async (incoming, response) => {
      if (incoming.url?.includes('slow')) await held.promise;
      response.end('done');
    });
    return { held, upstream };
  };

  it('are limited, so that connections to a service remain for others, and are queued', async () => {
    const { held, upstream } = await hold();
    const gateway = await startGateway(upstream.url, {
      connections: 3,
      concurrencyLimits: { perToken: 2 },
      timeouts: { connectMs: 20_000 },
    });
    const ask = (path: string, authorization: string) =>
      fetch(gateway.url() + path, { headers: { authorization } });
    const greedy = Array.from({ length: 10 }, () => ask('/api/users/1?slow', 'a.greedy.one'));
    await eventually(() => upstream.seen.length === 2);
    // Another encoding of the same token counts as the same client.
    const spelled = ask('/api/users/1?slow', 'a.greedy.onf');
    expect((await ask('/api/users/', 'an.honest.one')).status).toBe(200);
    expect(upstream.seen).toHaveLength(3);
    held.open();
    const statuses = (await Promise.all([...greedy, spelled])).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it('are limited to fewer if they are expensive', async () => {
    const { held, upstream } = await hold();
    const gateway = await startGateway(upstream.url, {
      concurrencyLimits: { perToken: 8 },
      timeouts: { connectMs: 20_000 },
    });
    const ask = (path: string) => fetch(gateway.url() + path, { headers: { authorization: 'a.greedy.one' } });
    const costly = Array.from({ length: 5 }, () => ask('/api/users/?search=slow'));
    await eventually(() => upstream.seen.length === 2);
    const cheap = Array.from({ length: 5 }, () => ask('/api/users/1'));
    // Cheap calls of the same client wait behind the expensive ones; those of others do not.
    const other = await fetch(`${gateway.url()}/api/users/2`, {
      headers: { authorization: 'an.honest.one' },
    });
    expect(other.status).toBe(200);
    expect(upstream.seen.filter((seen) => seen.includes('/api/users/1'))).toEqual([]);
    held.open();
    const statuses = (await Promise.all([...costly, ...cheap])).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(upstream.seen).toHaveLength(11);
  });

  it('are rejected with Retry-After if they are queued too long', async () => {
    const { held, upstream } = await hold();
    const gateway = await startGateway(upstream.url, {
      concurrencyLimits: { perAddress: 1 },
      // Longer than the second call waits, and than the first may take to connect.
      timeouts: { connectMs: 2_000 },
    });
    const first = fetch(`${gateway.url()}/api/users/1?slow`);
    await eventually(() => upstream.seen.length === 1);
    const second = await fetch(`${gateway.url()}/api/users/`);
    expect([second.status, second.headers.get('retry-after')]).toEqual([429, '1']);
    held.open();
    expect((await first).status).toBe(200);
    expect((await fetch(`${gateway.url()}/api/users/`)).status).toBe(200);
  });
});

describe('a client that reads slowly', () => {
  const reply = Buffer.alloc(mebibyte / 2, 'x');

  it('occupies no connection to a service', async () => {
    const upstream = await startUpstream((_incoming, response) => response.end(reply));
    const gateway = await startGateway(upstream.url, { connections: 1 });
    const slow = Array.from({ length: 20 }, () => {
      const one = open(`${gateway.url()}/api/users/`);
      one.request.end();
      return one;
    });
    // These clients do not read their responses.
    await Promise.all(slow.map((one) => one.reply));
    expect((await fetch(`${gateway.url()}/api/users/`)).status).toBe(200);
    for (const { request } of slow) request.destroy();
  });

  it('is disconnected, also in the middle of a long response', async () => {
    const left = gate();
    const upstream = await startUpstream((_incoming, response) => {
      response.once('close', () => left.open());
      response.end(Buffer.alloc(64 * mebibyte));
    });
    const gateway = await startGateway(upstream.url, {
      timeouts: { drainTimeoutMs: 100, minBytesPerSecond: 1e9 },
    });
    const { request, reply: given } = open(`${gateway.url()}/api/users/`);
    request.end();
    const response = await given;
    await left.promise;
    await expect(textOf(response)).rejects.toThrow('aborted');
  });
});

describe('rate limits', () => {
  const start = async (rateLimits: Parameters<typeof startGateway>[1]) =>
    startGateway((await startUpstream(echo)).url, rateLimits);
  const statusOf = async (url: string, token?: string, method = 'GET') =>
    (await fetch(url, { method, headers: token ? { authorization: token } : {} })).status;

  it('respond with Retry-After, and count each token separately', async () => {
    const gateway = await start({ rateLimits: { perToken: { max: 2, seconds: 60 } } });
    const url = `${gateway.url()}/api/users/1`;
    const ann = [await statusOf(url, 'ann'), await statusOf(url, 'Bearer ann'), await statusOf(url, 'ann')];
    expect(ann).toEqual([200, 200, 429]);
    expect(await statusOf(url, 'ben')).toBe(200);
    expect([await statusOf(url), await statusOf(url), await statusOf(url)]).toEqual([200, 200, 429]);

    const rejected = await fetch(url, { headers: { authorization: 'ann' } });
    expect(await rejected.json()).toMatchObject({ status: 429, code: 'too-many-requests' });
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(rejected.headers.get('retry-after'))).toBeLessThanOrEqual(60);
  });

  it('delay further rejections of a client that continues after it was rejected, and no others', async () => {
    const clock = createTestClock();
    const gateway = await start({
      trustedProxies: 1,
      rateLimits: { perAddress: { max: 1, seconds: 60 } },
      clock,
    });
    const answered = { greedy: 0, honest: 0 };
    const call = (who: keyof typeof answered, address: string, calls: number) =>
      Promise.all(
        Array.from({ length: calls }, async () => {
          const headers = { 'x-forwarded-for': address };
          const { status } = await fetch(`${gateway.url()}/api/users/1`, { headers });
          answered[who] += 1;
          return status;
        }),
      );
    const greedy = call('greedy', '1.1.1.1', 60);
    await call('honest', '2.2.2.2', 5);
    // One call is served and twenty are rejected immediately, the others a second later.
    await eventually(() => answered.greedy === 21);
    await clock.advance(999);
    expect(answered).toEqual({ greedy: 21, honest: 5 });
    // Advances once the last call has arrived.
    await eventually(async () => {
      await clock.advance(1);
      return answered.greedy === 60;
    });
    expect((await greedy).filter((status) => status === 429)).toHaveLength(59);
  });

  it('count an expensive call several times', async () => {
    const gateway = await start({ rateLimits: { perToken: { max: 5, seconds: 60 } } });
    const statuses = [];
    for (const path of ['/api/users/', '/api/users/1', '/api/users/1'])
      statuses.push(await statusOf(gateway.url() + path, 'ann'));
    expect(statuses).toEqual([200, 200, 429]);
  });

  it('count all calls of an address, whatever tokens it sends', async () => {
    const gateway = await start({ rateLimits: { perAddress: { max: 3, seconds: 60 } } });
    const url = `${gateway.url()}/api/users/1`;
    const statuses = [];
    for (const token of ['a', 'b', 'c', 'd']) statuses.push(await statusOf(url, token));
    expect(statuses).toEqual([200, 200, 200, 429]);
  });

  it('count each address behind a trusted proxy separately', async () => {
    const gateway = await start({
      trustedProxies: 1,
      rateLimits: { perAddress: { max: 1, seconds: 60 } },
    });
    const from = async (address: string) =>
      (await fetch(`${gateway.url()}/api/users/1`, { headers: { 'x-forwarded-for': address } })).status;
    expect([await from('1.1.1.1'), await from('1.1.1.2'), await from('1.1.1.1')]).toEqual([200, 200, 429]);
  });

  it('are stricter for logins and sign-ups, and respond with text', async () => {
    const gateway = await start({ rateLimits: { attempts: { max: 2, seconds: 60 } } });
    const attempt = (path: string) => fetch(gateway.url() + path, { method: 'POST', body: '{}' });
    expect([(await attempt('/auth/login')).status, (await attempt('/auth/signup')).status]).toEqual([
      200, 200,
    ]);
    const rejected = await attempt('/auth/login');
    expect([rejected.status, await rejected.text()]).toEqual([
      429,
      'Too many attempts. Please wait a moment and try again.',
    ]);
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await statusOf(`${gateway.url()}/auth/logout`, 'a-token', 'POST')).toBe(200);
  });

  it('allow a page to load all its pictures', async () => {
    const gateway = await start({ rateLimits: { perToken: { max: 1, seconds: 60 } } });
    const statuses = [];
    for (let picture = 0; picture < 3; picture += 1) {
      statuses.push(await statusOf(`${gateway.url()}/public/profile-pics/a${picture}.svg`));
    }
    expect(statuses).toEqual([200, 200, 200]);
  });

  it('allow 50 people behind one address to make 200 concurrent completions by default', async () => {
    const gateway = await start({});
    const calls = Array.from({ length: 50 }, (_, person) => [
      statusOf(`${gateway.url()}/auth/signup`, undefined, 'POST'),
      statusOf(`${gateway.url()}/auth/login`, undefined, 'POST'),
      ...Array.from({ length: 4 }, (_line, line) => [
        statusOf(`${gateway.url()}/api/challengeLine/`, `person ${person}`, 'POST'),
        statusOf(`${gateway.url()}/api/challengeLine/${line + 1}`, `person ${person}`, 'PUT'),
        statusOf(`${gateway.url()}/api/points/`, `person ${person}`, 'PUT'),
      ]),
    ]).flat(2);
    expect(new Set(await Promise.all(calls))).toEqual(new Set([200]));
  });
});
