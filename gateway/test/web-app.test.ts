import fs from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliCompressSync, gunzipSync, gzipSync } from 'node:zlib';
import type { Gateway } from '../src/index.ts';
import { cleanUp, echo, open, startGateway, startUpstream, textOf, unreachableUrl } from './support.ts';

const script = `console.log(${JSON.stringify('x'.repeat(2_000))});\n`;
const page = '<meta property="csp-nonce" nonce="__CSP_NONCE__"><style nonce="__CSP_NONCE__"></style>';
let directory: string;

const write = async (name: string, content: string | Buffer) => {
  const file = join(directory, name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
};

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'wayquest-web-'));
  await write('index.html', page);
  await write('favicon.svg', '<svg/>');
  await write('assets/app-1a2b.js', script);
  await write('assets/app-1a2b.js.br', brotliCompressSync(script));
  await write('assets/app-1a2b.js.gz', gzipSync(script));
});

afterEach(async () => {
  await cleanUp();
  await rm(directory, { recursive: true });
});

const start = async (more: Parameters<typeof startGateway>[1] = {}): Promise<Gateway> =>
  startGateway(unreachableUrl, { webDirectory: directory, ...more });

const navigate = (gateway: Gateway, path: string) =>
  fetch(gateway.url() + path, { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });

it.each([
  '/',
  '/index.html',
  '/%69ndex.html',
  '/index',
  '/home',
  '/challenges/7',
  '/challenges/7/',
  '/profile?tab=1',
  '/no.such.place',
])('serves the app’s page at %s', async (path) => {
  const response = await navigate(await start(), path);
  expect([
    response.status,
    response.headers.get('content-type'),
    response.headers.get('cache-control'),
  ]).toEqual([200, 'text/html; charset=utf-8', 'no-cache']);
  const html = await response.text();
  expect(html).toContain('csp-nonce');
  expect(html).not.toContain('__CSP_NONCE__');
});

it.each([
  ['/', 'home'],
  ['/home', 'home'],
  ['/Home/', 'home'],
  ['/challenges/7', 'a challenge'],
  ['/challenges/7/more', undefined],
  ['/friends', undefined],
  ['/..%2fhome', undefined],
])('serves at %s the prerendered page', async (path, prerendered) => {
  await write('pages/en/home.html', `home ${page}`);
  await write('pages/en/challenges/_.html', `a challenge ${page}`);
  const html = await (await navigate(await start(), path)).text();
  expect(/^[a-z ]*(?= <)/.exec(html)?.[0]).toBe(prerendered);
  expect(html).not.toContain('__CSP_NONCE__');
});

it('serves the available language that the reader prefers', async () => {
  await write('pages/en/home.html', 'in English');
  await write('pages/zh/home.html', 'in Chinese');
  const gateway = await start();
  const read = async (wanted: string) => {
    const headers = { accept: 'text/html', 'accept-language': wanted };
    return (await fetch(`${gateway.url()}/home`, { headers })).text();
  };
  expect([await read('zh-CN,zh;q=0.9,en;q=0.8'), await read('fr, en;q=0.5'), await read('fr')]).toEqual([
    'in Chinese',
    'in English',
    'in English',
  ]);
});

it('compresses a page for a client that accepts it', async () => {
  const gateway = await start();
  const answerTo = async (accepted: string) => {
    const { request, reply } = open(`${gateway.url()}/home`, { headers: { 'accept-encoding': accepted } });
    request.end();
    const { headers } = await reply;
    return [headers['content-encoding'], headers.vary];
  };
  expect(await answerTo('br, gzip')).toEqual(['gzip', 'accept-encoding, accept-language']);
  expect(await answerTo('identity')).toEqual([undefined, 'accept-encoding, accept-language']);
});

/** The body of a response as it was sent. */
const bodyOf = async (response: AsyncIterable<Buffer>): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return Buffer.concat(chunks);
};

it.each([
  ['a short page', page],
  ['a page without placeholders', '<p>你好</p>'],
  ['an empty page', ''],
  ['a long page', `${page}${'<li>a line that is repeated</li>'.repeat(9_000)}${page}`],
])('compresses only what is the same in all responses: %s (code 9)', async (_what, html) => {
  await write('pages/en/home.html', html);
  const gateway = await start();
  const nonces = new Set<string>();
  for (let visit = 0; visit < 2; visit += 1) {
    const { request, reply } = open(`${gateway.url()}/home`, { headers: { 'accept-encoding': 'gzip' } });
    request.end();
    const response = await reply;
    const compressed = await bodyOf(response);
    const nonce = /'nonce-([^']+)'/.exec(String(response.headers['content-security-policy']))?.[1] ?? '';
    nonces.add(nonce);
    expect(String(gunzipSync(compressed))).toBe(html.replaceAll('__CSP_NONCE__', nonce));
    // As it is, between blocks that were compressed when the page was read.
    expect(compressed.includes(nonce)).toBe(html.includes('__CSP_NONCE__'));
    expect(compressed.length).toBeLessThan(html.length / 20 + 400);
  }
  expect(nonces.size).toBe(2);
});

it('gives every page its own nonce, and a policy with that nonce', async () => {
  const gateway = await start();
  const nonces = [];
  for (let visit = 0; visit < 2; visit += 1) {
    const response = await navigate(gateway, '/home');
    const html = await response.text();
    const nonce = /nonce="([^"]+)"/.exec(html)?.[1];
    expect(html).toBe(page.replaceAll('__CSP_NONCE__', String(nonce)));
    const policy = response.headers.get('content-security-policy');
    expect(policy?.split(';')).toEqual(
      expect.arrayContaining([
        "default-src 'self'",
        "script-src 'self'",
        `style-src 'self' 'nonce-${nonce}'`,
        "object-src 'none'",
        "base-uri 'self'",
        "frame-ancestors 'none'",
        "form-action 'self'",
      ]),
    );
    expect(policy).not.toContain('unsafe');
    nonces.push(nonce);
  }
  expect(new Set(nonces).size).toBe(2);
});

it('protects the page by its headers, with HSTS only behind https', async () => {
  const gateway = await start({ trustedProxies: 1 });
  const { headers } = await navigate(gateway, '/');
  expect(Object.fromEntries(headers)).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-opener-policy': 'same-origin',
  });
  expect([headers.has('x-powered-by'), headers.has('strict-transport-security')]).toEqual([false, false]);
  const secure = await fetch(`${gateway.url()}/`, { headers: { 'x-forwarded-proto': 'https' } });
  expect(secure.headers.get('strict-transport-security')).toBe('max-age=31536000');
});

it.each([
  ['br, gzip', 'br', brotliCompressSync(script)],
  ['gzip', 'gzip', gzipSync(script)],
  ['identity', undefined, Buffer.from(script)],
])('serves an asset compressed for %s, cached forever', async (accepted, encoding, expected) => {
  const gateway = await start();
  const { request, reply } = open(`${gateway.url()}/assets/app-1a2b.js`, {
    headers: { 'accept-encoding': accepted },
  });
  request.end();
  const response = await reply;
  const { headers } = response;
  const body = await bodyOf(response);
  expect(headers).toMatchObject({
    'content-type': 'text/javascript',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'Accept-Encoding',
  });
  expect(headers['content-encoding']).toBe(encoding);
  expect(body.equals(expected)).toBe(true);
});

it('revalidates other files, with 304 if they are unchanged', async () => {
  const gateway = await start();
  const first = await fetch(`${gateway.url()}/favicon.svg`);
  expect([first.headers.get('content-type'), first.headers.get('cache-control')]).toEqual([
    'image/svg+xml',
    'no-cache',
  ]);
  const again = await fetch(`${gateway.url()}/favicon.svg`, {
    headers: { 'if-none-match': String(first.headers.get('etag')) },
  });
  expect(again.status).toBe(304);
});

it.each([
  ['/sw.js', 'text/javascript'],
  ['/manifest.webmanifest', 'application/manifest+json'],
  ['/icons/icon-192.png', 'image/png'],
])('serves %s with its type, uncached', async (path, type) => {
  await write(path, 'x');
  const { status, headers } = await fetch((await start()).url() + path);
  expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
    200,
    type,
    'no-cache',
  ]);
  // A worker has the content security policy of its own response.
  expect(headers.get('content-security-policy')).toContain("worker-src 'self'");
});

it.each([
  [false, 'max-age=31536000'],
  [true, 'max-age=31536000; includeSubDomains'],
])('includes subdomains in HSTS only if a setting says so (%s)', async (hstsSubdomains, said) => {
  const gateway = await start({ trustedProxies: 1, hstsSubdomains });
  for (const path of ['/home', '/api/nothing'])
    expect(
      (await fetch(gateway.url() + path, { headers: { 'x-forwarded-proto': 'https' } })).headers.get(
        'strict-transport-security',
      ),
    ).toBe(said);
});

it.each([
  ['en', '/challenges/1%E0%A4%A', 400, 'This address is not valid.', 'Go to home page'],
  ['zh-CN,zh;q=0.9,en;q=0.8', '/challenges/1%E0%A4%A', 400, '这个地址无效。', '回到首页'],
  ['en-US,en;q=0.9,zh;q=0.8', '/api/nothing', 404, 'Page not found.', 'Go to home page'],
])(
  'shows a browser (%s) at %s an error page with a way back',
  async (language, path, status, sentence, link) => {
    const gateway = await start();
    const { request, reply } = open(`${gateway.url()}${path}`, {
      headers: { accept: 'text/html,application/xhtml+xml', 'accept-language': language },
    });
    request.end();
    const response = await reply;
    const html = await textOf(response);
    expect([response.statusCode, response.headers['content-type']]).toEqual([
      status,
      'text/html; charset=utf-8',
    ]);
    expect(html).toContain(`<h1>${sentence}</h1>`);
    expect(html).toContain(`<a href="/home">${link}</a>`);
  },
);

it('responds to an unknown method of a path with the allowed ones', async () => {
  const gateway = await start();
  const ask = async (method: string, path: string) => {
    const response = await fetch(gateway.url() + path, { method });
    return [response.status, response.headers.get('allow')];
  };
  expect(await ask('DELETE', '/api/challenges/')).toEqual([405, 'GET, HEAD, POST']);
  expect(await ask('PATCH', '/api/challenges/7')).toEqual([405, expect.stringContaining('DELETE')]);
  expect(await ask('GET', '/auth/login')).toEqual([405, 'POST']);
  expect(await ask('POST', '/home')).toEqual([405, 'GET, HEAD']);
  expect(await ask('DELETE', '/assets/app-1a2b.js')).toEqual([405, 'GET, HEAD']);
  expect((await ask('DELETE', '/api/nothing'))[0]).toBe(404);
});

it.each([
  ['an asset that is not there', '/assets/gone-3c4d.js', '*/*'],
  ['a file that is not there', '/robots.txt', '*/*'],
  ['a picture that is not there', '/logo.png', 'image/png,*/*;q=0.8'],
  ['a place, asked for as data', '/home', 'application/json'],
  ['an operation that is not there', '/api/nothing', '*/*'],
  ['a place of auth that is not there', '/auth/nothing', '*/*'],
  ['a picture of a person by a wrong name', '/public/other/x', 'image/*'],
])('is a 404 problem for %s', async (_what, path, accept) => {
  const response = await fetch((await start()).url() + path, { headers: { accept } });
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ code: 'not-found' });
});

it('serves the page for GET and HEAD only', async () => {
  const gateway = await start();
  const ask = async (method: string) => {
    const response = await fetch(`${gateway.url()}/home`, { method, headers: { accept: 'text/html' } });
    return [response.status, (await response.text()).includes('nonce')];
  };
  expect([await ask('HEAD'), await ask('POST')]).toEqual([
    [200, false],
    [405, false],
  ]);
});

it('serves what exists while the app is rebuilt', async () => {
  const gateway = await start();
  const statusOf = async (path: string) => (await fetch(gateway.url() + path)).status;
  await rm(directory, { recursive: true });
  expect(await statusOf('/assets/app-1a2b.js')).toBe(404);
  expect(await (await navigate(gateway, '/home')).text()).toContain('csp-nonce');

  await write('assets/app-3c4d.js', 'new');
  await write('index.html', 'a new page');
  expect(await (await fetch(`${gateway.url()}/assets/app-3c4d.js`)).text()).toBe('new');
  expect(await (await navigate(gateway, '/home')).text()).toBe('a new page');
  expect(await statusOf('/assets/app-1a2b.js')).toBe(404);
});

it.each([
  '/index.html/',
  '/index.html.br',
  '/pages/en/home.html',
  '//index.html',
  '/assets/../index.html',
  '/assets/%2e%2e/index.html',
  '/.env',
  '/assets/.map',
])('does not serve the file %s itself', async (path) => {
  await write('index.html.br', brotliCompressSync(page));
  await write('pages/en/home.html', page);
  await write('.env', 'a secret');
  await write('assets/.map', 'a secret');
  const gateway = await start();
  const { request, reply } = open(gateway.url(), { path });
  request.end();
  const incoming = await reply;
  expect(incoming.headers['content-encoding']).toBeUndefined();
  expect(String(await bodyOf(incoming))).not.toMatch(/secret|__CSP_NONCE__/);
});

it('ignores invalid ranges', async () => {
  const gateway = await start();
  const odd = await fetch(`${gateway.url()}/favicon.svg`, { headers: { range: 'bytes=5-2' } });
  expect([odd.status, await odd.text()]).toEqual([200, '<svg/>']);
});

it('starts without a built web app only in development', async () => {
  await rm(directory, { recursive: true });
  const gateway = await start({ development: true });
  expect((await navigate(gateway, '/home')).status).toBe(404);
  await expect(start()).rejects.toThrow('index.html');
  await mkdir(directory);
});

it.each([
  ['a page', '/home'],
  ['a file', '/assets/app-1a2b3c.js'],
  ['the documentation', '/api/docs/'],
  ['the settings', '/api/settings'],
  ['what does not exist', '/assets/none.js'],
])('counts %s against the limit of its address, and not of its token (code 9)', async (_, path) => {
  const allowance = (max: number) => ({ max, seconds: 60 });
  const gateway = await start({ rateLimits: { perAddress: allowance(3), perToken: allowance(1) } });
  const statuses = [];
  for (let visit = 0; visit < 5; visit += 1) statuses.push((await navigate(gateway, path)).status);
  const [first] = statuses;
  expect(statuses).toEqual([first, first, first, 429, 429]);
  expect(first).not.toBe(429);
});

it('serves a page that was rebuilt, without reading it again before (code 9)', async () => {
  await write('pages/en/home.html', 'first build');
  const gateway = await start();
  const read = async () => (await navigate(gateway, '/home')).text();
  expect([await read(), await read()]).toEqual(['first build', 'first build']);
  await write('pages/en/home.html', 'other build');
  expect(await read()).toBe('other build');
  await rm(join(directory, 'pages/en/home.html'));
  expect(await read()).toBe('other build');
});

it.each(['/home', '/assets/app-1a2b.js', '/favicon.svg', '/assets/none.js'])(
  'serves %s without blocking the process by file system calls (code 9)',
  async (path) => {
    const gateway = await start();
    await (await navigate(gateway, path)).text();
    const blocking = ['existsSync', 'statSync', 'lstatSync', 'openSync', 'readFileSync'] as const;
    const calls = blocking.map((name) => jest.spyOn(fs, name));
    syncBuiltinESMExports();
    try {
      await (await navigate(gateway, path)).text();
      const named = calls
        .flatMap(({ mock }) => mock.calls)
        .filter(([file]) => String(file).includes(directory));
      expect(named).toEqual([]);
    } finally {
      for (const call of calls) call.mockRestore();
      syncBuiltinESMExports();
    }
  },
);

it.each([
  ['br;q=0, gzip', 'gzip'],
  ['gzip;q=0, br;q=0.5', 'br'],
  ['brotli, x-gzip', undefined],
])('serves an asset in no form that the client does not accept: %s', async (accepted, encoding) => {
  const { request, reply } = open(`${(await start()).url()}/assets/app-1a2b.js`, {
    headers: { 'accept-encoding': accepted },
  });
  request.end();
  const response = await reply;
  expect(response.headers['content-encoding']).toBe(encoding);
  await bodyOf(response);
});

it('works without a web app', async () => {
  const gateway = await startGateway((await startUpstream(echo)).url);
  expect((await navigate(gateway, '/')).status).toBe(404);
  expect((await fetch(`${gateway.url()}/api/users/`)).status).toBe(200);
});
