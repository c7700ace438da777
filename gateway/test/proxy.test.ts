import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { gunzipSync } from 'node:zlib';
import { cleanUp, echo, gate, open, raw, startGateway, startUpstream, textOf } from './support.ts';

afterEach(cleanUp);

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

it('proxies each operation to its service with method, path, query and body unchanged', async () => {
  const services = { auth: '', users: '', challenges: '', participation: '' };
  for (const name of ['auth', 'users', 'challenges', 'participation'] as const) {
    const { url } = await startUpstream(async (incoming, response) => {
      response.end(`${name} ${incoming.method} ${incoming.url} ${await textOf(incoming)}`);
    });
    services[name] = url;
  }
  const gateway = await startGateway('', { upstreams: services });
  const ask = async (method: string, path: string, body?: string) =>
    (await fetch(gateway.url() + path, { method, body: body ?? null })).text();

  expect(await ask('POST', '/auth/login', '{"a":1}')).toBe('auth POST /auth/login {"a":1}');
  expect(await ask('GET', '/auth/me')).toBe('users GET /auth/me ');
  expect(await ask('GET', '/api/challenges?search=a%2Fb&x')).toBe(
    'challenges GET /api/challenges?search=a%2Fb&x ',
  );
  expect(await ask('PUT', '/api/challengeLine/7/', '{}')).toBe('participation PUT /api/challengeLine/7/ {}');
  expect(await ask('DELETE', '/api/challenges/7')).toBe('challenges DELETE /api/challenges/7 ');
});

it.each([
  ['GET', '/api/nothing', 'not-found', 404],
  ['GET', '/auth/nothing', 'not-found', 404],
  ['GET', '/API/challenges/', 'not-found', 404],
  ['PATCH', '/api/challenges/', 'method-not-allowed', 405],
  ['OPTIONS', '/api/challenges/', 'method-not-allowed', 405],
])('calls no service for %s %s, which is not in the table', async (method, path, code, status) => {
  const upstream = await startUpstream(echo);
  const gateway = await startGateway(upstream.url);
  const response = await fetch(gateway.url() + path, { method });
  expect(response.status).toBe(status);
  expect(response.headers.get('content-type')).toContain('application/problem+json');
  expect(await response.json()).toMatchObject({ code, status });
  expect(upstream.seen).toEqual([]);
});

it('proxies the response: status, headers, each of several cookies', async () => {
  const upstream = await startUpstream((_incoming, response) => {
    response.writeHead(201, { link: '</x>; rel="next"', 'set-cookie': ['a=1', 'b=2'] }).end('made');
  });
  const gateway = await startGateway(upstream.url);
  const response = await fetch(`${gateway.url()}/api/challenges/`, { method: 'POST', body: '{}' });
  expect([response.status, response.headers.get('link'), await response.text()]).toEqual([
    201,
    '</x>; rel="next"',
    'made',
  ]);
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
});

it('responds to HEAD with headers only', async () => {
  const upstream = await startUpstream((_incoming, response) => {
    response.writeHead(200, { 'content-length': 1234 }).end();
  });
  const gateway = await startGateway(upstream.url);
  const response = await fetch(`${gateway.url()}/api/challenges/`, { method: 'HEAD' });
  expect([response.status, response.headers.get('content-length')]).toEqual([200, '1234']);
  expect(upstream.seen).toEqual(['HEAD /api/challenges/']);
});

it('returns a redirect without following it', async () => {
  const upstream = await startUpstream((_incoming, response) => {
    response.writeHead(302, { location: 'https://accounts.example/' }).end();
  });
  const gateway = await startGateway(upstream.url);
  const response = await fetch(`${gateway.url()}/api/googleOauth`, { redirect: 'manual' });
  expect([response.status, response.headers.get('location')]).toEqual([302, 'https://accounts.example/']);
});

describe('request ids', () => {
  it('keeps a valid one and returns it', async () => {
    const gateway = await startGateway((await startUpstream(echo)).url);
    const headers = { 'x-request-id': 'my-request-1' };
    const response = await fetch(`${gateway.url()}/api/users/`, { headers });
    expect(response.headers.get('x-request-id')).toBe('my-request-1');
    expect((await response.json()).headers['x-request-id']).toBe('my-request-1');
  });

  it.each(['short', 'with space in it', 'x'.repeat(65)])('replaces %j', async (given) => {
    const gateway = await startGateway((await startUpstream(echo)).url);
    const response = await fetch(`${gateway.url()}/api/users/`, { headers: { 'x-request-id': given } });
    const answered = response.headers.get('x-request-id');
    expect(answered).toMatch(uuid);
    expect((await response.json()).headers['x-request-id']).toBe(answered);
  });

  it('cannot be replaced by a service', async () => {
    const upstream = await startUpstream((_incoming, response) => {
      response.writeHead(200, { 'x-request-id': 'of-the-service' }).end();
    });
    const gateway = await startGateway(upstream.url);
    const response = await fetch(`${gateway.url()}/api/users/`, {
      headers: { 'x-request-id': 'my-request-1' },
    });
    expect(response.headers.get('x-request-id')).toBe('my-request-1');
  });
});

describe('proxied headers', () => {
  const forgery = {
    'x-forwarded-for': '6.6.6.6',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'elsewhere',
    'x-forwarded-port': '1',
    'x-real-ip': '6.6.6.6',
    forwarded: 'for=6.6.6.6',
  };

  it('contain the client’s address, which no client can forge', async () => {
    const gateway = await startGateway((await startUpstream(echo)).url);
    const response = await fetch(`${gateway.url()}/api/users/`, { headers: forgery });
    const { headers } = await response.json();
    expect(headers).toMatchObject({
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': new URL(gateway.url()).host,
    });
    for (const name of ['x-forwarded-port', 'x-real-ip', 'forwarded'])
      expect(headers).not.toHaveProperty(name);
    expect(response.headers.has('strict-transport-security')).toBe(false);
  });

  it('trust as many proxies as configured', async () => {
    const gateway = await startGateway((await startUpstream(echo)).url, { trustedProxies: 1 });
    const headers = { 'x-forwarded-for': '6.6.6.6, 9.9.9.9', 'x-forwarded-proto': 'https' };
    const response = await fetch(`${gateway.url()}/api/users/`, { headers });
    expect((await response.json()).headers).toMatchObject({
      'x-forwarded-for': '9.9.9.9',
      'x-forwarded-proto': 'https',
    });
    expect(response.headers.get('strict-transport-security')).toContain('max-age=');
  });

  it('contain the request’s own, except those of the connection', async () => {
    const gateway = await startGateway((await startUpstream(echo)).url);
    const { request, reply } = open(`${gateway.url()}/api/users/`, {
      headers: {
        authorization: 'a-token',
        'accept-language': 'en',
        connection: 'keep-alive, X-Mine',
        'x-mine': '1',
        'keep-alive': 'timeout=5',
        te: 'trailers',
        'proxy-authorization': 'secret',
        'proxy-connection': 'keep-alive',
        expect: '100-continue',
      },
    });
    request.end();
    const { headers } = JSON.parse(await textOf(await reply));
    expect(headers).toMatchObject({ authorization: 'a-token', 'accept-language': 'en' });
    const passed = Object.keys(headers);
    for (const name of [
      'x-mine',
      'keep-alive',
      'te',
      'trailer',
      'proxy-authorization',
      'proxy-connection',
      'expect',
    ]) {
      expect(passed).not.toContain(name);
    }
  });

  it('omit headers of a service’s own connection', async () => {
    const upstream = await startUpstream((_incoming, response) => {
      response
        .writeHead(200, {
          connection: 'close, x-inner',
          'x-inner': '1',
          'proxy-authenticate': 'Basic',
          'x-outer': '2',
        })
        .end('{}');
    });
    const gateway = await startGateway(upstream.url);
    const { headers } = await fetch(`${gateway.url()}/api/users/`);
    expect([headers.get('x-outer'), headers.get('connection')]).toEqual(['2', 'keep-alive']);
    expect([headers.has('x-inner'), headers.has('proxy-authenticate')]).toEqual([false, false]);
  });

  it('include the security headers that the service does not set', async () => {
    const upstream = await startUpstream((incoming, response) => {
      if (incoming.url?.startsWith('/public/')) response.setHeader('content-security-policy', 'sandbox');
      response.end();
    });
    const gateway = await startGateway(upstream.url);
    const data = await fetch(`${gateway.url()}/api/users/`);
    expect(Object.fromEntries(data.headers)).toMatchObject({
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'strict-origin-when-cross-origin',
    });
    const picture = await fetch(`${gateway.url()}/public/profile-pics/a.svg`);
    expect(picture.headers.get('content-security-policy')).toBe('sandbox');
  });
});

describe('streaming', () => {
  it('sends each chunk of a response as it arrives', async () => {
    const firstArrived = gate();
    const upstream = await startUpstream(async (_incoming, response) => {
      response.write('first');
      await firstArrived.promise;
      response.end('second');
    });
    const gateway = await startGateway(upstream.url);
    const { request, reply } = open(`${gateway.url()}/api/challenges/`);
    request.end();
    const response = await reply;
    const [first] = await once(response, 'data');
    firstArrived.open();
    const [second] = await once(response, 'data');
    expect([String(first), String(second)]).toEqual(['first', 'second']);
  });

  it('sends a request to the service when it is complete', async () => {
    const upstream = await startUpstream(async (incoming, response) => response.end(await textOf(incoming)));
    const gateway = await startGateway(upstream.url);
    const { request, reply } = open(`${gateway.url()}/api/challenges/`, { method: 'POST' });
    request.write('first ');
    request.end('second');
    expect(await textOf(await reply)).toBe('first second');
  });

  it('reads no more of a response than the client does', async () => {
    const piece = Buffer.alloc(64 * 1024);
    let readBytes = 0;
    const upstream = await startUpstream(async (incoming, response) => {
      if (incoming.url !== '/api/challenges/') return response.end();
      while (!response.destroyed && readBytes < 4_000 * piece.length) {
        readBytes += piece.length;
        if (!response.write(piece)) await once(response, 'drain');
      }
    });
    const gateway = await startGateway(upstream.url);
    const { request, reply } = open(`${gateway.url()}/api/challenges/`);
    request.end();
    (await reply).pause();
    // Other calls give the gateway time to read more, if it did.
    for (let call = 0; call < 200; call += 1) await (await fetch(`${gateway.url()}/api/users/`)).text();
    expect(readBytes).toBeLessThan(1_000 * piece.length);
    request.destroy();
  });

  it('transfers 32 MiB unchanged', async () => {
    const bytes = randomBytes(32 * 1024 * 1024);
    const upstream = await startUpstream((_incoming, response) => void response.end(bytes));
    const gateway = await startGateway(upstream.url);
    const received = Buffer.from(await (await fetch(`${gateway.url()}/api/challenges/`)).arrayBuffer());
    const digest = (data: Buffer) => createHash('sha256').update(data).digest('hex');
    expect(digest(received)).toBe(digest(bytes));
  });
});

describe('compression', () => {
  const list = JSON.stringify(Array.from({ length: 1_000 }, (_, id) => ({ id, name: `challenge ${id}` })));
  const json = { 'content-type': 'application/json; charset=utf-8' };

  const ask = async (
    headers: Record<string, string>,
    body: string,
    acceptEncoding?: string,
    method = 'GET',
  ) => {
    const upstream = await startUpstream((_incoming, response) => response.writeHead(200, headers).end(body));
    const gateway = await startGateway(upstream.url);
    const { request, reply } = open(`${gateway.url()}/api/challenges/`, {
      method,
      headers: acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding },
    });
    request.end();
    const response = await reply;
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    return { headers: response.headers, body: Buffer.concat(chunks) };
  };

  it.each([
    ['a length', { 'content-length': String(list.length) }],
    ['none', {}],
  ])('compresses a long list with %s for a client that accepts it', async (_what, length) => {
    const { headers, body } = await ask({ ...json, ...length }, list, 'br, gzip;q=0.9');
    expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
    expect(headers['content-length']).toBeUndefined();
    expect(body.length).toBeLessThan(list.length / 3);
    expect(gunzipSync(body).toString()).toBe(list);
  });

  it.each([
    ['nobody who did not ask', json, list, undefined],
    ['nobody who refuses it', json, list, 'br, gzip;q=0'],
    ['nothing short', { ...json, 'content-length': '2' }, '{}', 'gzip'],
    ['no pictures', { 'content-type': 'image/webp' }, list, 'gzip'],
    ['nothing compressed', { ...json, 'content-encoding': 'identity' }, list, 'gzip'],
    ['nothing that must stay as it is', { ...json, 'cache-control': 'no-transform' }, list, 'gzip'],
    ['nothing whose bytes have a name', { ...json, etag: '"1"' }, list, 'gzip'],
  ])('applies to %s', async (_what, given, sent, acceptEncoding) => {
    const { headers, body } = await ask(given, sent, acceptEncoding);
    expect(headers['content-encoding']).not.toBe('gzip');
    expect(body.toString()).toBe(sent);
  });

  it('leaves the headers of a HEAD unchanged', async () => {
    const { headers } = await ask({ ...json, 'content-length': String(list.length) }, '', 'gzip', 'HEAD');
    expect([headers['content-encoding'], headers['content-length']]).toEqual([
      undefined,
      String(list.length),
    ]);
  });
});

it('reuses its connections to a service', async () => {
  const ports = new Set<number | undefined>();
  const upstream = await startUpstream((incoming, response) => {
    ports.add(incoming.socket.remotePort);
    response.end();
  });
  const gateway = await startGateway(upstream.url);
  for (let call = 0; call < 5; call += 1) await (await fetch(`${gateway.url()}/api/users/`)).text();
  expect(ports.size).toBe(1);
});

describe('an upgrade', () => {
  const ask = async (path: string, upgrade: string) => {
    const gateway = await startGateway((await startUpstream(echo)).url);
    return raw(
      gateway.url(),
      `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: upgrade, close\r\nUpgrade: ${upgrade}\r\n\r\n`,
    );
  };

  it.each(['/elsewhere', '/api/users/'])('to WebSocket is a 404 at %s', async (path) => {
    expect(await ask(path, 'WebSocket')).toMatch(/^HTTP\/1.1 404 /);
  });

  // Clients of Java and curl offer HTTP/2 with their first call, and expect a normal response without it.
  it('to another protocol is ignored', async () => {
    expect(await ask('/api/users/', 'h2c')).toMatch(/^HTTP\/1.1 200 /);
  });
});
