import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient } from '@wayquest/contracts';
import { createTestClock, type FakeGoogle, type GooglePerson, startFakeGoogle } from '@wayquest/testing';
import { Strategy } from 'passport-google-oauth20';
import { claimsOf, type RunningAuth, startAuth, startAuthForTest } from './auth-service.ts';

const clock = createTestClock(Date.now());
let google: FakeGoogle;
let auth: RunningAuth;
beforeAll(async () => {
  google = await startFakeGoogle();
  auth = await startAuth({ google: google.config, clock });
});
beforeEach(() => {
  google.rejections = [];
});
afterAll(async () => {
  await auth.stop();
  await google.stop();
});

const someone = (person: Partial<GooglePerson> = {}): GooglePerson => ({
  sub: randomUUID(),
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  ...person,
});

const go = (url: string, cookie = '') => fetch(url, { redirect: 'manual', headers: { cookie } });
const locationOf = (response: Response) => response.headers.get('location') ?? '';

/** Starts a sign-in; returns the redirect to Google and the cookie. */
async function start(origin = auth.url) {
  const response = await go(`${origin}/api/googleOauth`);
  const setCookie = response.headers.get('set-cookie') ?? '';
  return {
    status: response.status,
    location: locationOf(response),
    setCookie,
    cookie: setCookie.split(';')[0] ?? '',
  };
}

/** Consents at Google; returns the URL that Google redirects to. */
async function consent(location: string, person: GooglePerson) {
  google.person = person;
  return locationOf(await go(location));
}

/** Reads the response to Google's redirect: the next URL, the one-time code, and the cookie that the code is bound to. */
const returned = (response: Response) => ({
  location: locationOf(response),
  code: new URLSearchParams(locationOf(response).split('#')[1]).get('code') ?? '',
  codeCookie: response.headers.getSetCookie().find((cookie) => cookie.startsWith('wayquest-code=')) ?? '',
});

async function signIn(person: GooglePerson) {
  const { location, cookie } = await start();
  return returned(await go(await consent(location, person), cookie));
}

const exchangeCode = ({ code, codeCookie }: { code: string; codeCookie: string }) =>
  createClient({
    baseUrl: auth.url,
    headers: () => ({ cookie: codeCookie.split(';')[0] ?? '' }),
  }).exchangeLoginCode({
    body: { code },
  });
const tokenFor = async (person: GooglePerson) => claimsOf((await exchangeCode(await signIn(person))).token);

const failed = '/login#problem=google-failed';

describe('signing in with Google', () => {
  it('redirects to Google with a state, a PKCE challenge and our callback', async () => {
    const { status, location, setCookie } = await start();
    expect(status).toBe(302);
    const url = new URL(location);
    expect(location.startsWith(google.config.authorizationUrl)).toBe(true);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      client_id: 'the-client',
      response_type: 'code',
      redirect_uri: `${auth.url}/api/googleOauth/callback`,
      scope: 'openid profile',
      state: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    expect(setCookie).toMatch(/^wayquest-google=/);
    expect(setCookie).toMatch(/; HttpOnly/);
    expect(setCookie).toMatch(/; SameSite=Lax/);
    expect(setCookie).toMatch(/; Max-Age=600;/);
  });

  it('creates an account for a new person, and returns a code for its token', async () => {
    const person = someone({ name: 'Zoë  Ångström-O’Neil the Younger of Something' });
    const back = await signIn(person);
    expect(back.location).toMatch(/^\/login#code=[\w-]{43}&new=1$/);
    const claims = claimsOf((await exchangeCode(back)).token);
    expect(claims).toMatchObject({ username: 'zoe.angstrom-oneil.the', admin: false });
    await auth.settle();
    expect(auth.events.map(({ data }) => data)).toContainEqual({
      id: Number(claims.sub),
      username: claims.username,
      admin: false,
      registeredAt: expect.any(String),
      version: 1,
    });
  });

  it('returns a code that is valid for a minute', async () => {
    const [early, late] = [await signIn(someone()), await signIn(someone())];
    await clock.advance(60_000 - 1);
    expect((await exchangeCode(early)).token).not.toBe('');
    await clock.advance(1);
    await expect(exchangeCode(late)).rejects.toMatchObject({ status: 401 });
  });

  it('recognizes a person by Google’s subject, whatever their name', async () => {
    const person = someone();
    const first = await tokenFor(person);
    const back = await signIn({ ...person, name: 'Augusta King', email: 'other@example.com' });
    expect(back.location).toMatch(/^\/login#code=[\w-]{43}$/);
    const again = claimsOf((await exchangeCode(back)).token);
    expect(again).toMatchObject({ sub: first.sub, username: first.username });
  });

  it('distinguishes people with the same e-mail address', async () => {
    const first = await tokenFor(someone({ email: 'shared@example.com' }));
    const second = await tokenFor(someone({ email: 'shared@example.com' }));
    expect(second.sub).not.toBe(first.sub);
    expect(second.username).not.toBe(first.username);
  });

  it('creates one account for concurrent sign-ins of a new person', async () => {
    const { sub } = someone();
    const signIns = [];
    for (const name of ['First Name', 'Second Name', 'Third Name']) {
      const { location, cookie } = await start();
      signIns.push({ cookie, back: await consent(location, someone({ sub, name })) });
    }
    const responses = await Promise.all(signIns.map(({ back, cookie }) => go(back, cookie)));
    const claims = await Promise.all(
      responses.map(async (response) => claimsOf((await exchangeCode(returned(response))).token)),
    );
    expect(new Set(claims.map((claim) => claim.sub)).size).toBe(1);
  });

  it.each(['', '李小龍', 'Al', '...'])('derives a valid username from the name %j', async (name) => {
    expect((await tokenFor(someone({ name }))).username).toMatch(/^explorer-\d{2,6}$/);
  });

  it('creates an account without a password', async () => {
    const { username } = await tokenFor(someone());
    for (const password of ['', 'undefined', 'null'])
      await expect(auth.client.login({ body: { username, password } })).rejects.toMatchObject({
        status: 401,
      });
  });
});

describe('the one-time code', () => {
  it('is valid once', async () => {
    const back = await signIn(someone());
    await exchangeCode(back);
    await expect(exchangeCode(back)).rejects.toMatchObject({
      status: 401,
      problem: { code: 'invalid-code' },
    });
  });

  it('is valid for one of several concurrent calls', async () => {
    const back = await signIn(someone());
    const exchanges = await Promise.allSettled([exchangeCode(back), exchangeCode(back), exchangeCode(back)]);
    expect(exchanges.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('is stored as a hash, and is valid for a minute', async () => {
    const [timely, late] = [await signIn(someone()), await signIn(someone())];
    const codes = await auth.store.collection('login_codes').find().toArray();
    for (const { code } of [timely, late]) expect(JSON.stringify(codes)).not.toContain(code);
    await clock.advance(59_999);
    await exchangeCode(timely);
    await clock.advance(1);
    await expect(exchangeCode(late)).rejects.toMatchObject({ status: 401 });
  });

  it('is rejected if it was not issued', async () => {
    const { codeCookie } = await signIn(someone());
    await expect(exchangeCode({ code: 'made-up', codeCookie })).rejects.toMatchObject({ status: 401 });
  });

  it('is only valid in the browser that Google redirected, so that a link logs nobody into another account', async () => {
    const [attacker, victim] = [await signIn(someone()), await signIn(someone())];
    expect(attacker.codeCookie).toMatch(/; Path=\/auth\/code;.*; HttpOnly; SameSite=Lax/);
    for (const codeCookie of ['', victim.codeCookie, 'wayquest-code=eyJiaW5kaW5nIjoieCJ9.AAAA'])
      await expect(exchangeCode({ code: attacker.code, codeCookie })).rejects.toMatchObject({
        problem: { code: 'invalid-code' },
      });
    await exchangeCode(attacker);
  });
});

describe('an invalid sign-in', () => {
  it('fails with a wrong state', async () => {
    const { location, cookie } = await start();
    const back = new URL(await consent(location, someone()));
    back.searchParams.set('state', 'x'.repeat(43));
    expect(locationOf(await go(back.href, cookie))).toBe(failed);
  });

  it('fails in a browser that did not start it', async () => {
    const { location } = await start();
    const back = await consent(location, someone());
    expect(locationOf(await go(back))).toBe(failed);
    const other = await start();
    expect(locationOf(await go(back, other.cookie))).toBe(failed);
  });

  it('fails with a forged cookie', async () => {
    const { location, cookie } = await start();
    const back = new URL(await consent(location, someone()));
    const [name, content = '', seal] = cookie.split(/[=.]/);
    const forged = { ...JSON.parse(Buffer.from(content, 'base64url').toString()), state: 'mine' };
    back.searchParams.set('state', 'mine');
    const value = `${Buffer.from(JSON.stringify(forged)).toString('base64url')}.${seal}`;
    expect(locationOf(await go(back.href, `${name}=${value}`))).toBe(failed);
    expect(google.rejections).toEqual([]);
  });

  it('fails with a used code', async () => {
    const { location, cookie } = await start();
    const back = await consent(location, someone());
    expect(locationOf(await go(back, cookie))).toMatch(/^\/login#code=/);
    expect(locationOf(await go(back, cookie))).toBe(failed);
    expect(google.rejections).toEqual(['code']);
  });

  it('fails with the code of another sign-in, by PKCE', async () => {
    const attackerSignIn = await start();
    const stolen = new URL(await consent(attackerSignIn.location, someone())).searchParams.get('code') ?? '';
    const mine = await start();
    const back = new URL(await consent(mine.location, someone()));
    back.searchParams.set('code', stolen);
    expect(locationOf(await go(back.href, mine.cookie))).toBe(failed);
    expect(google.rejections).toEqual(['verifier']);
  });

  it.each(['error=access_denied', 'error=server_error&error_description=x', '', 'code=', 'code=1&code=2'])(
    'fails if Google responds "%s"',
    async (answer) => {
      const { location, cookie } = await start();
      const state = new URL(location).searchParams.get('state');
      const response = await go(`${auth.url}/api/googleOauth/callback?state=${state}&${answer}`, cookie);
      expect([response.status, locationOf(response)]).toEqual([302, failed]);
    },
  );
});

describe('without a configuration', () => {
  it('redirects to the login page with the problem', async () => {
    const bare = await startAuthForTest();
    for (const path of ['/api/googleOauth', '/api/googleOauth/callback?code=1&state=1']) {
      const response = await go(bare.url + path);
      expect([response.status, locationOf(response)]).toEqual([302, '/login#problem=google-not-set-up']);
    }
  });

  it('ignores an unknown host name', async () => {
    const response = await fetch(`${auth.url}/api/googleOauth`, {
      redirect: 'manual',
      headers: { 'x-forwarded-host': 'evil.example' },
    });
    expect(locationOf(response)).toBe('/login#problem=google-not-set-up');
  });

  it('uses PUBLIC_URL, whatever the host header says, and a Secure cookie', async () => {
    const set = await startAuthForTest({ google: google.config, publicUrl: 'https://wayquest.example' });
    const { location, setCookie } = await start(set.url);
    expect(new URL(location).searchParams.get('redirect_uri')).toBe(
      'https://wayquest.example/api/googleOauth/callback',
    );
    expect(setCookie).toMatch(/; Secure/);
  });
});

// Fails when the library does not need the patch any more (infra/docs/patched-libraries.md).
it('passport-oauth2 alone sends the access token in the URL', async () => {
  class PlainStrategy extends Strategy {
    get = (url: string, token: string) =>
      new Promise<void>((resolve) => this._oauth2.get(url, token, () => resolve()));
  }
  const requested: string[] = [];
  const server = createServer((request, response) => {
    requested.push(request.url ?? '');
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const strategy = new PlainStrategy({ clientID: 'id', clientSecret: 'secret', callbackURL: '/' }, () => {});
  await strategy.get(`http://127.0.0.1:${(server.address() as AddressInfo).port}/profile`, 'the-token');
  server.close();
  expect(requested).toEqual(['/profile?access_token=the-token']);
});
