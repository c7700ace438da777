import { once } from 'node:events';
import { Agent } from 'node:http';
import { cleanUp, echo, gate, open, startGateway, startUpstream, textOf } from './support.ts';

afterEach(cleanUp);

const mebibyte = 1024 * 1024;

describe('a body', () => {
  it('of 1 MiB passes, with its length said and without', async () => {
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
    expect(await textOf(await unsaid.answer)).toBe(String(mebibyte));
  });

  it('that says it is larger is a 413 of which no service hears', async () => {
    const upstream = await startUpstream(echo);
    const gateway = await startGateway(upstream.url);
    const response = await fetch(`${gateway.url()}/api/challenges/`, {
      method: 'POST',
      body: Buffer.alloc(mebibyte + 1),
    });
    expect(await response.json()).toMatchObject({ status: 413, code: 'too-large' });
    expect(upstream.seen).toEqual([]);
  });

  it('that turns out larger is a 413, and the service is left', async () => {
    const left = gate();
    const upstream = await startUpstream((incoming) => {
      incoming.resume().once('error', () => left.open());
    });
    const gateway = await startGateway(upstream.url);
    const { request, answer } = open(`${gateway.url()}/api/challenges/`, { method: 'POST' });
    request.write(Buffer.alloc(mebibyte));
    request.write('x');
    const response = await answer;
    expect(JSON.parse(await textOf(response))).toMatchObject({ status: 413, code: 'too-large' });
    request.destroy();
    await left.promise;
  });

  it('that was refused leaves the connection fit for the next call', async () => {
    const gateway = await startGateway((await startUpstream(echo)).url);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const large = open(`${gateway.url()}/api/challenges/`, { method: 'POST', agent });
    large.request.write(Buffer.alloc(2 * mebibyte));
    large.request.end();
    const refused = await large.answer;
    await textOf(refused);
    const next = open(`${gateway.url()}/api/users/`, { agent });
    next.request.end();
    expect([refused.statusCode, (await next.answer).statusCode]).toEqual([413, 200]);
    expect(next.request.reusedSocket).toBe(true);
    agent.destroy();
  });

  it('of a GET goes nowhere', async () => {
    const upstream = await startUpstream(echo);
    const gateway = await startGateway(upstream.url);
    const { request, answer } = open(`${gateway.url()}/api/users/`, { headers: { 'content-length': 4 } });
    request.end('what');
    expect(JSON.parse(await textOf(await answer))).toMatchObject({ method: 'GET', body: '' });
  });

  it('that the service does not wait for does not keep its answer back', async () => {
    const upstream = await startUpstream((_incoming, response) => response.writeHead(401).end('who?'));
    const gateway = await startGateway(upstream.url);
    const { request, answer } = open(`${gateway.url()}/api/challenges/`, { method: 'POST' });
    request.write('half');
    const response = await answer;
    expect([response.statusCode, await textOf(response)]).toEqual([401, 'who?']);
    request.destroy();
    await once(request, 'close');
  });
});

describe('rate limits', () => {
  const start = async (rateLimits: Parameters<typeof startGateway>[1]) =>
    startGateway((await startUpstream(echo)).url, rateLimits);
  const statusOf = async (url: string, token?: string, method = 'GET') =>
    (await fetch(url, { method, headers: token ? { authorization: token } : {} })).status;

  it('tell a caller when to come back, and count each token by itself', async () => {
    const gateway = await start({ rateLimits: { perCaller: { points: 2, seconds: 60 } } });
    const url = `${gateway.url()}/api/users/`;
    const ann = [await statusOf(url, 'ann'), await statusOf(url, 'Bearer ann'), await statusOf(url, 'ann')];
    expect(ann).toEqual([200, 200, 429]);
    expect(await statusOf(url, 'ben')).toBe(200);
    expect([await statusOf(url), await statusOf(url), await statusOf(url)]).toEqual([200, 200, 429]);

    const refused = await fetch(url, { headers: { authorization: 'ann' } });
    expect(await refused.json()).toMatchObject({ status: 429, code: 'too-many-requests' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
  });

  it('count an address as a whole, whatever tokens it makes up', async () => {
    const gateway = await start({ rateLimits: { perAddress: { points: 3, seconds: 60 } } });
    const url = `${gateway.url()}/api/users/`;
    const statuses = [];
    for (const token of ['a', 'b', 'c', 'd']) statuses.push(await statusOf(url, token));
    expect(statuses).toEqual([200, 200, 200, 429]);
  });

  it('count each address behind a trusted proxy by itself', async () => {
    const gateway = await start({
      trustedProxies: 1,
      rateLimits: { perAddress: { points: 1, seconds: 60 } },
    });
    const from = async (address: string) =>
      (await fetch(`${gateway.url()}/api/users/`, { headers: { 'x-forwarded-for': address } })).status;
    expect([await from('1.1.1.1'), await from('1.1.1.2'), await from('1.1.1.1')]).toEqual([200, 200, 429]);
  });

  it('are stricter for attempts to log in or sign up, and say so as text', async () => {
    const gateway = await start({ rateLimits: { attempts: { points: 2, seconds: 60 } } });
    const attempt = (path: string) => fetch(gateway.url() + path, { method: 'POST', body: '{}' });
    expect([(await attempt('/auth/login')).status, (await attempt('/auth/signup')).status]).toEqual([
      200, 200,
    ]);
    const refused = await attempt('/auth/login');
    expect([refused.status, await refused.text()]).toEqual([
      429,
      'Too many attempts. Please wait a moment and try again.',
    ]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await statusOf(`${gateway.url()}/auth/logout`, 'a-token', 'POST')).toBe(200);
  });

  it('let a page ask for all its pictures', async () => {
    const gateway = await start({ rateLimits: { perCaller: { points: 1, seconds: 60 } } });
    const statuses = [];
    for (let picture = 0; picture < 3; picture += 1) {
      statuses.push(await statusOf(`${gateway.url()}/public/profile-pics/a${picture}.svg`));
    }
    expect(statuses).toEqual([200, 200, 200]);
  });

  it('by default let 50 people behind one address make 200 completions at once', async () => {
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
