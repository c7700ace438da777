import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RegistrationMode } from '@wayquest/contracts';
import { createTestClock, eventually } from '@wayquest/testing';
import { cleanUp, startGateway, startUpstream, type Upstream, unreachableUrl } from './support.ts';

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'wayquest-registration-'));
  await writeFile(join(directory, 'index.html'), '<html data-registration="__REGISTRATION__"></html>');
});
afterEach(cleanUp);
afterAll(() => rm(directory, { recursive: true }));

/** What auth says; undefined if it fails. */
interface Said {
  registration?: RegistrationMode | 'a-mode-of-a-later-version' | undefined;
  openId?: { signUp: boolean } | null;
}

/** Starts a gateway before an auth service, and returns who can create an account according to its page. */
async function start(said: Said) {
  const auth = await startUpstream((_, response) => {
    response.statusCode = said.registration ? 200 : 500;
    response.setHeader('content-type', 'application/json').end(JSON.stringify(said));
  });
  const clock = createTestClock(0);
  const gateway = await startGateway(unreachableUrl, {
    webDirectory: directory,
    timeouts: { previewMs: 10_000 },
    upstreams: { auth: auth.url },
    clock,
  });
  const page = async (headers: Record<string, string> = {}) => {
    const response = await fetch(`${gateway.url()}/home`, { headers: { accept: 'text/html', ...headers } });
    return /data-registration="(.*)"/.exec(await response.text())?.[1];
  };
  return { auth, clock, page };
}

const callsTo = ({ seen }: Upstream) => seen.filter((line) => line === 'GET /auth/registration').length;

it.each(['open', 'approval', 'invitation', 'closed'] as const)(
  'a page says who can create an account: %s',
  async (registration) => {
    const { page } = await start({ registration, openId: null });
    expect(await page()).toBe(registration);
    expect(await page({ 'accept-encoding': 'gzip' })).toBe(registration);
  },
);

it('a page offers the sign-up where a provider lets people in', async () => {
  expect(await (await start({ registration: 'closed', openId: { signUp: true } })).page()).toBe('');
  expect(await (await start({ registration: 'closed', openId: { signUp: false } })).page()).toBe('closed');
});

it('auth is called once in half a minute, and pages do not wait for it again', async () => {
  const said: Said = { registration: 'open' };
  const { auth, clock, page } = await start(said);
  expect(await Promise.all([page(), page()])).toEqual(['open', 'open']);
  expect(callsTo(auth)).toBe(1);
  said.registration = 'closed';
  await clock.advance(31_000);
  expect(await page()).toBe('open');
  await eventually(async () => expect(await page()).toBe('closed'));
  expect(callsTo(auth)).toBe(2);
});

it('a page after a quiet hour waits for what auth says now', async () => {
  const said: Said = { registration: 'open' };
  const { clock, page } = await start(said);
  expect(await page()).toBe('open');
  said.registration = 'closed';
  await clock.advance(3_600_000);
  expect(await page()).toBe('closed');
});

it('a page is served while auth does not respond, with what was known last', async () => {
  const said: Said = {};
  const { auth, clock, page } = await start(said);
  for (const _ of [1, 2]) expect(await page()).toBe('');
  expect(callsTo(auth)).toBe(1);
  said.registration = 'invitation';
  await clock.advance(1_001);
  expect(await page()).toBe('invitation');
  said.registration = undefined;
  for (const ms of [31_000, 3_600_000]) {
    await clock.advance(ms);
    for (const _ of [1, 2]) expect(await page()).toBe('invitation');
  }
});

it('a page says nothing about a mode that this version does not know', async () => {
  expect(await (await start({ registration: 'a-mode-of-a-later-version' })).page()).toBe('');
});
