import { cleanUp, echo, raw, startGateway, startUpstream } from './support.ts';

afterEach(cleanUp);

const get = (target: string, ...headers: string[]) =>
  [`GET ${target} HTTP/1.1`, 'Host: x', 'Connection: close', ...headers, '', ''].join('\r\n');

it.each([
  ['an absolute form', get('http://elsewhere/api/users/')],
  ['an asterisk', get('*').replace('GET', 'OPTIONS')],
  ['no slash', get('api/users/')],
  ['two slashes', get('//api/users/')],
  ['two slashes within', get('/api//users/')],
  ['dot segments', get('/api/challenges/../users/')],
  ['escaped dot segments', get('/api/challenges/%2e%2E/users/')],
  ['an escaped slash among dots', get('/assets/..%2f..%2fetc/passwd')],
  ['a backslash', get('/api\\users/')],
  ['an escaped NUL', get('/api/users/%00')],
  ['a broken escape', get('/api/users/%zz')],
  ['half a character', get('/%E0%A4')],
  ['bytes beyond ASCII', get('/api/caf\xe9')],
  ['a fragment', get('/api/users/#me')],
  ['no host', 'GET /api/users/ HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ['no HTTP', 'what is this?\r\n\r\n'],
  ['a header without a name', get('/api/users/', ': x')],
  ['a header folded over two lines', get('/api/users/', 'X: a', ' b')],
  ['two lengths', get('/api/users/', 'Content-Length: 1', 'Content-Length: 2')],
  ['a length and chunks', get('/api/users/', 'Content-Length: 1', 'Transfer-Encoding: chunked')],
  ['a length that is none', get('/api/users/', 'Content-Length: -1')],
  [
    'a chunk that is none',
    `${get('/api/challenges/', 'Transfer-Encoding: chunked').replace('GET', 'POST')}zz\r\n`,
  ],
])('responds 400 to %s, calls no service, and continues to serve', async (_what, text) => {
  const upstream = await startUpstream((incoming, response) => {
    // Only counts complete requests, since a service may receive the beginning of an invalid one.
    incoming.resume().once('end', () => response.end());
  });
  const gateway = await startGateway(upstream.url);
  expect(await raw(gateway.url(), text)).toMatch(/^HTTP\/1\.1 400 /);
  const { status } = await fetch(`${gateway.url()}/api/leaderboard`);
  expect(status).toBe(200);
  expect(upstream.seen.filter((seen) => seen !== 'POST /api/challenges/')).toEqual(['GET /api/leaderboard']);
});

it('responds 431 to headers that never end', async () => {
  const gateway = await startGateway((await startUpstream(echo)).url);
  expect(await raw(gateway.url(), get('/api/users/', `X: ${'x'.repeat(20_000)}`))).toMatch(
    /^HTTP\/1\.1 431 /,
  );
});

it('opens no tunnel', async () => {
  const gateway = await startGateway((await startUpstream(echo)).url);
  expect(await raw(gateway.url(), 'CONNECT elsewhere:443 HTTP/1.1\r\nHost: elsewhere:443\r\n\r\n')).toBe('');
  expect((await fetch(`${gateway.url()}/api/users/`)).status).toBe(200);
});

it('explains an invalid path as a problem', async () => {
  const gateway = await startGateway((await startUpstream(echo)).url);
  const [head = '', body = ''] = (await raw(gateway.url(), get('/api/%zz'))).split('\r\n\r\n');
  expect(head.toLowerCase()).toContain('content-type: application/problem+json');
  expect(head.toLowerCase()).toContain('x-content-type-options: nosniff');
  expect(JSON.parse(body)).toMatchObject({
    code: 'invalid-request',
    errors: [{ field: 'path', reason: 'is not well-formed' }],
  });
});
