import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Challenge, PublicUser } from '@wayquest/contracts';
import { createTestClock } from '@wayquest/testing';
import { cleanUp, open, raw, startGateway, startUpstream, textOf, unreachableUrl } from './support.ts';

const general = '<!-- preview --><title>Wayquest</title><!-- /preview -->';
const page = `<head>${general}<meta property="og:image" content="__ORIGIN__/x.jpg"></head><body></body>`;
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'wayquest-previews-'));
  await writeFile(join(directory, 'index.html'), page);
});
afterEach(cleanUp);
afterAll(() => rm(directory, { recursive: true }));

const challenge: Challenge = {
  id: 7,
  name: 'Count the bridges',
  description: 'There are five.',
  difficulty: 'Easy',
  points: 10,
  locationName: 'Kissena Park',
  streetAddress: '',
  city: 'Flushing',
  state: 'NY',
  zip: '',
  startDate: null,
  endDate: null,
  timeZone: 'America/New_York',
  position: null,
  creator: { id: 9, username: 'theo' },
  createdAt: '2026-05-01T12:00:00.000Z',
  participants: 1,
};

const maya: PublicUser = {
  id: 3,
  username: 'maya',
  firstName: '',
  lastName: '',
  city: 'Flushing',
  state: 'NY',
  avatar: 'maya-1.webp',
  points: 40,
};

/** Starts a service that responds with the given JSON by path, and a gateway in front of it. */
async function start(replies: Record<string, unknown>, more: Parameters<typeof startGateway>[1] = {}) {
  const service = await startUpstream((request, response) => {
    const reply = replies[request.url ?? ''];
    response.statusCode = reply === undefined ? 404 : 200;
    response.setHeader('content-type', 'application/json').end(JSON.stringify(reply ?? {}));
  });
  const gateway = await startGateway(service.url, {
    webDirectory: directory,
    timeouts: { previewMs: 10_000 },
    ...more,
  });
  const read = async (path: string) => {
    const response = await fetch(gateway.url() + path, { headers: { accept: 'text/html' } });
    return { status: response.status, html: await response.text() };
  };
  return { service, gateway, read };
}

it('shows the photo that is the picture of a challenge (53, finding 17)', async () => {
  const picture = { completionId: 5, userId: 3, photo: '0'.repeat(32) };
  const { read, gateway } = await start({ '/api/challenges/7': { ...challenge, picture } });
  expect((await read('/challenges/7')).html).toContain(
    `<meta property="og:image" content="${gateway.url()}/api/challenges/7/pictures/${picture.photo}">`,
  );
});

it('describes a challenge for readers without scripts', async () => {
  const { read, gateway, service } = await start({ '/api/challenges/7': challenge });
  const { html } = await read('/challenges/7');
  expect(html).toContain('<title>Count the bridges · Wayquest</title>');
  expect(html).toContain('<meta property="og:title" content="Count the bridges">');
  expect(html).toContain('content="Easy, 10 points: Kissena Park, Flushing, NY. There are five."');
  expect(html).toContain(`<meta property="og:url" content="${gateway.url()}/challenges/7">`);
  expect(html).toContain(
    `<meta property="og:image" content="${gateway.url()}/images/place-categories/park.jpg">`,
  );
  expect(html).toContain('<meta property="twitter:card" content="summary_large_image">');
  expect(html).not.toContain(general);
  await read('/Challenges/7/');
  expect(service.seen).toEqual(['GET /api/challenges/7']);
});

it('uses URLs below PUBLIC_URL, whatever host a request names', async () => {
  const { gateway } = await start(
    { '/api/challenges/7': challenge },
    { publicUrl: 'https://wayquest.example' },
  );
  const { request, reply } = open(`${gateway.url()}/challenges/7`, {
    headers: { accept: 'text/html', host: 'elsewhere.example' },
  });
  request.end();
  const html = await textOf(await reply);
  expect(html).toContain('<meta property="og:url" content="https://wayquest.example/challenges/7">');
  expect(html).not.toContain('elsewhere.example');
});

it('truncates a long description after a whole character', async () => {
  const { read } = await start({ '/api/challenges/7': { ...challenge, description: '😀'.repeat(300) } });
  const description = /name="description" content="([^"]*)"/.exec((await read('/challenges/7')).html)?.[1];
  expect(description).toMatch(/😀…$/u);
  // Half of a character would be sent as a replacement character.
  expect(description).not.toContain('\ufffd');
});

it('describes a user for readers without scripts, with an uploaded picture', async () => {
  const theo = { ...maya, id: 4, username: 'theo', avatar: 'explorer-4.svg', city: '', state: '' };
  const { read, gateway } = await start({ '/api/users/3': maya, '/api/users/4': theo });
  const { html } = await read('/users/3');
  expect(html).toContain('content="maya has 40 points on Wayquest and explores around Flushing, NY."');
  expect(html).toContain(`content="${gateway.url()}/public/profile-pics/maya-1.webp"`);
  expect(html).toContain('<meta property="twitter:card" content="summary">');
  const other = await read('/users/4');
  expect(other.html).toContain('content="theo has 40 points on Wayquest."');
  expect(other.html).toContain(`content="${gateway.url()}/images/preview.jpg"`);
});

it('counts one point, and isolates what users wrote in any direction (Y7)', async () => {
  const override = '\u202eevil';
  const { read } = await start({
    '/api/users/3': { ...maya, points: 1, city: override, state: 'NY' },
    '/api/challenges/7': { ...challenge, points: 1, locationName: '', city: override, description: override },
  });
  const isolated = `\u2068${override}\u2069`;
  expect((await read('/users/3')).html).toContain(
    `content="maya has 1 point on Wayquest and explores around ${isolated}, NY."`,
  );
  expect((await read('/challenges/7')).html).toContain(
    `content="Easy, 1 point: ${isolated}, NY. ${isolated}"`,
  );
});

it('escapes names in the page', async () => {
  const hostile = `</title><script>alert(1)</script>"'><img src=x onerror=alert(1)>$& __CSP_NONCE__ __ORIGIN__`;
  const { read } = await start({
    '/api/challenges/7': { ...challenge, name: hostile, description: hostile },
  });
  const { html } = await read('/challenges/7');
  const written =
    '&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&gt;&lt;img src=x onerror=alert(1)&gt;$&amp; __CSP_NONCE__ __ORIGIN__';
  expect(html).toContain(`<title>${written}`);
  expect(html).toContain(`<meta property="og:title" content="${written}`);
  // The page contains only its own elements and attributes.
  expect(html.match(/<[a-z]+/g)?.filter((tag) => tag !== '<meta')).toEqual(['<head', '<title', '<body']);
});

it('ignores an invalid host header', async () => {
  const { gateway } = await start({ '/api/challenges/7': challenge });
  const { port } = new URL(gateway.url());
  const ask = (host: string) =>
    raw(
      `http://127.0.0.1:${port}`,
      `GET /challenges/7 HTTP/1.1\r\nHost: ${host}\r\nAccept: text/html\r\nConnection: close\r\n\r\n`,
    );
  expect(await ask('a"><script>')).toContain('<meta property="og:url" content="/challenges/7">');
  expect(await ask('wayquest.example')).toContain('content="http://wayquest.example/x.jpg"');
});

it('serves the page without a preview if there is nothing to describe', async () => {
  const { read, service } = await start({ '/api/users/3': { nonsense: true } });
  for (const path of ['/home', '/challenges', '/challenges/8', '/challenges/x', '/users/3', '/users/3/x']) {
    const { status, html } = await read(path);
    expect([path, status, html.includes(general)]).toEqual([path, 200, true]);
  }
  expect(service.seen).toEqual(['GET /api/challenges/8', 'GET /api/users/3']);
});

it('does not wait for an unavailable or unresponsive service', async () => {
  const silent = await startUpstream(() => {});
  const gateway = await startGateway(unreachableUrl, {
    webDirectory: directory,
    upstreams: { users: silent.url },
    timeouts: { previewMs: 100 },
  });
  for (const path of ['/challenges/7', '/users/3']) {
    const response = await fetch(gateway.url() + path, { headers: { accept: 'text/html' } });
    expect([response.status, (await response.text()).includes(general)]).toEqual([200, true]);
  }
});

it('caches a preview for 30 seconds, and for one second that it could not be loaded', async () => {
  let isUnavailable = true;
  const service = await startUpstream((_request, response) => {
    response.statusCode = isUnavailable ? 503 : 200;
    response.setHeader('content-type', 'application/json').end(JSON.stringify(challenge));
  });
  const clock = createTestClock();
  const gateway = await startGateway(service.url, { webDirectory: directory, clock });
  const isDescribed = async () => {
    const response = await fetch(`${gateway.url()}/challenges/7`, { headers: { accept: 'text/html' } });
    return (await response.text()).includes(challenge.name);
  };
  expect([await isDescribed(), await isDescribed()]).toEqual([false, false]);
  expect(service.seen).toHaveLength(1);
  isUnavailable = false;
  await clock.advance(1_000);
  expect([await isDescribed(), await isDescribed()]).toEqual([true, true]);
  expect(service.seen).toHaveLength(2);
  await clock.advance(30_000);
  expect(await isDescribed()).toBe(true);
  expect(service.seen).toHaveLength(3);
});

it('calls no service for a client over its limit, and serves the page', async () => {
  const { read, service } = await start(
    { '/api/challenges/7': challenge, '/api/challenges/8': challenge },
    { rateLimits: { perToken: { max: 1, seconds: 60 } } },
  );
  expect((await read('/challenges/7')).html).not.toContain(general);
  const { status, html } = await read('/challenges/8');
  expect([status, html.includes(general)]).toEqual([200, true]);
  expect(service.seen).toEqual(['GET /api/challenges/7']);
});
