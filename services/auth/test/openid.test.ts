import { createLogger } from '@wayquest/platform/telemetry';
import { createRecordingLogger, createTestClock, storeUrl } from '@wayquest/testing';
import { setAdmin } from '../src/index.ts';
import {
  codeOf,
  isAdmin,
  member,
  newName,
  type RunningAuth,
  startAuth,
  startAuthForTest,
} from './auth-service.ts';
import { type OpenIdServer, openBrowser, someone, startOpenIdServer } from './openid-server.ts';

const clock = createTestClock(Date.now());
let server: OpenIdServer;
let auth: RunningAuth;
beforeAll(async () => {
  server = await startOpenIdServer();
  auth = await startAuth({ openId: server.config, clock });
});
beforeEach(() => {
  Object.assign(server, { isHanging: false, requested: [], rejections: [] });
});
afterAll(async () => {
  await auth.stop();
  await server.stop();
});

const failed = '/login#problem=openid-failed';

const browser = () => openBrowser(auth, server);

describe('signing in with OpenID Connect', () => {
  it('redirects to the provider with a state, a nonce, a PKCE challenge and our callback', async () => {
    const response = await fetch(`${auth.url}/auth/openid`, { redirect: 'manual' });
    expect(response.status).toBe(302);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const { origin, searchParams } = new URL(response.headers.get('location') ?? '');
    expect(origin).toBe(server.config.issuer);
    const random = expect.stringMatching(/^[\w-]{43}$/);
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: 'the-client',
      response_type: 'code',
      redirect_uri: `${auth.url}/auth/openid/callback`,
      scope: 'openid profile',
      ...{ state: random, nonce: random, code_challenge: random, code_challenge_method: 'S256' },
    });
    const values = ['state', 'nonce', 'code_challenge'].map((name) => searchParams.get(name));
    expect(new Set(values).size).toBe(3);
    const setCookie = response.headers.get('set-cookie') ?? '';
    expect(setCookie).toMatch(
      /^wayquest-openid=.*; Max-Age=600; Path=\/auth\/openid;.*; HttpOnly; SameSite=Lax/,
    );
  });

  it('creates an account for a new person, and recognizes them by issuer and subject', async () => {
    const person = someone({ preferred_username: newName() });
    const { signIn, exchange } = browser();
    const page = await signIn(person);
    expect(page).toMatch(/^\/login#code=[\w-]{43}&new=1$/);
    expect((await exchange(page)).token).not.toBe('');
    const [stored] = await auth.store
      .collection('accounts')
      .find({ usernameKey: person.preferred_username })
      .toArray();
    expect(stored).toMatchObject({ openId: `${server.config.issuer} ${person.sub}`, admin: false });
    expect(stored).not.toHaveProperty('email');
    expect(stored).not.toHaveProperty('googleId');

    const second = browser();
    const again = await second.signIn({
      ...person,
      preferred_username: 'somebody-else',
      email: 'new@example.com',
    });
    expect(again).toMatch(/^\/login#code=[\w-]{43}$/);
    const { username, id } = await browser().logIn(person);
    expect([username, id]).toEqual([person.preferred_username, stored?._id]);
  });

  it.each([
    [{ preferred_username: 'Grace.Hopper' }, /^grace\.hopper$/],
    [{ preferred_username: 'alan.turing@example.com' }, /^alan\.turing$/],
    [{ name: 'Zoë  Ångström' }, /^zoe\.angstrom$/],
    [{ preferred_username: '@', name: 'Emmy Noether' }, /^emmy\.noether$/],
    [{ name: '李小龍' }, /^explorer-\d{2,6}$/],
    [{ preferred_username: 'admin', name: 'System' }, /^explorer-\d{2,6}$/],
    [{ name: '' }, /^explorer-\d{2,6}$/],
  ])('makes a username of the claims %j', async (claims, expected) => {
    const { sub } = someone();
    expect((await browser().logIn({ sub, ...claims })).username).toMatch(expected);
  });

  it('links no account by its e-mail address', async () => {
    const existing = await member(auth);
    const email = `${existing.username}@wayquest.example`;
    await auth.store
      .collection<{ _id: number }>('accounts')
      .updateOne({ _id: existing.id }, { $set: { email, emailKey: email } });
    const [first, second] = [
      await browser().logIn(someone({ email })),
      await browser().logIn(someone({ email })),
    ];
    expect(new Set([existing.id, first.id, second.id]).size).toBe(3);
  });

  it('creates one account for concurrent sign-ins of a new person', async () => {
    const person = someone();
    const browsers = [browser(), browser(), browser()];
    const callbacks: string[] = [];
    for (const { consent, start } of browsers) callbacks.push(await consent(await start(), person));
    const pages = await Promise.all(browsers.map(({ go }, at) => go(callbacks[at] ?? '')));
    const sessions = await Promise.all(browsers.map(({ exchange }, at) => exchange(pages[at] ?? '')));
    const ids = sessions.map(({ token }) => JSON.parse(atob(token.split('.')[1] ?? '')).sub);
    expect(new Set(ids).size).toBe(1);
  });

  it('asks for the addresses of the provider once an hour', async () => {
    const discovered = () => server.requested.filter((path) => path.includes('.well-known')).length;
    const own = await startAuthForTest({ openId: server.config, clock });
    const { start } = openBrowser(own, server);
    expect(discovered()).toBe(0);
    await Promise.all([start(), start(), start()]);
    expect(discovered()).toBe(1);
    await clock.advance(60 * 60 * 1_000 - 1);
    await start();
    expect(discovered()).toBe(1);
    await clock.advance(1);
    await start();
    expect(discovered()).toBe(2);
  });

  it('is told to everybody, with its name', async () => {
    expect(await auth.client.getRegistration()).toMatchObject({ openId: { signUp: true } });
    const openId = { ...server.config, name: 'The hiking club', signUp: false };
    const named = await startAuthForTest({ openId });
    expect(await named.client.getRegistration()).toMatchObject({
      openId: { name: 'The hiking club', signUp: false },
    });
  });
});

describe('who gets an account', () => {
  it.each(['closed', 'invitation', 'approval'] as const)(
    'is the provider’s decision, whatever REGISTRATION says: %s',
    async (registration) => {
      const own = await startAuthForTest({ openId: server.config, registration });
      expect(await openBrowser(own, server).signIn()).toMatch(/&new=1$/);
    },
  );

  it('is nobody without sign-up; those who have one log in', async () => {
    const open = await startAuthForTest({ openId: server.config, keepData: true });
    const person = someone();
    const { id } = await openBrowser(open, server).logIn(person);
    await open.stop();

    const { databasePrefix } = open;
    const own = await startAuthForTest({ openId: { ...server.config, signUp: false }, databasePrefix });
    const accounts = () => own.store.collection('accounts').countDocuments();
    const before = await accounts();
    expect(await openBrowser(own, server).signIn()).toBe('/login#problem=openid-not-linked');
    expect(await accounts()).toBe(before);
    expect((await openBrowser(own, server).logIn(person)).id).toBe(id);
  });
});

describe('the group of admins', () => {
  const adminGroup = 'wayquest-admins';
  const start = () => startAuthForTest({ openId: { ...server.config, adminGroup } });

  it('asks the provider for groups', async () => {
    const own = await start();
    const location = await openBrowser(own, server).start();
    expect(new URL(location).searchParams.get('scope')).toBe('openid profile groups');
  });

  it('grants rights to a new and to a known account, and revokes them at the next sign-in without it', async () => {
    const own = await start();
    const person = someone();
    const logIn = (groups?: string[]) =>
      openBrowser(own, server).logIn({ ...person, ...(groups && { groups }) });
    const { id, admin } = await logIn(['hikers', adminGroup]);
    expect(admin).toBe(true);
    expect((await logIn(['hikers', adminGroup])).admin).toBe(true);

    const before = await logIn([adminGroup]);
    expect((await logIn(['hikers'])).admin).toBe(false);
    // Their other sessions end, since they have rights that the account lost.
    expect(await codeOf(own.client.getAccount({}, { token: before.token }))).toBe('invalid-token');
    expect((await logIn([adminGroup])).admin).toBe(true);
    expect((await logIn()).admin).toBe(false);

    await own.settle();
    const published = own.events.filter(({ data }) => 'admin' in data && data.id === id);
    expect(published.map(({ data }) => 'admin' in data && data.admin)).toEqual([
      false,
      true,
      false,
      true,
      false,
    ]);
  });

  it('is not confused with groups of similar names', async () => {
    const own = await start();
    const groups = [`${adminGroup}-2`, adminGroup.toUpperCase(), ''];
    expect((await openBrowser(own, server).logIn(someone({ groups }))).admin).toBe(false);
  });

  it('does not concern those who log in another way, nor anybody without the setting', async () => {
    const grant = (username: string, { databasePrefix }: RunningAuth) =>
      setAdmin({
        ...{ mongoUrl: storeUrl(), databasePrefix, username, admin: true },
        logger: createLogger({ name: 'test', level: 'silent' }),
      });
    const own = await start();
    const { username } = await member(own);
    await grant(username, own);
    expect(await isAdmin(own, username)).toBe(true);

    const person = someone();
    const first = await browser().logIn(person);
    await grant(first.username, auth);
    expect((await browser().logIn(person)).admin).toBe(true);
    expect((await browser().logIn(someone({ groups: [adminGroup] }))).admin).toBe(false);
  });
});

describe('an invalid sign-in', () => {
  it('fails with a wrong state', async () => {
    const { start, consent, go } = browser();
    const back = new URL(await consent(await start()));
    back.searchParams.set('state', 'x'.repeat(43));
    expect(await go(back.href)).toBe(failed);
    expect(server.requested).not.toContain('/token');
  });

  it('fails in a browser that did not start it', async () => {
    const { start, consent } = browser();
    const back = await consent(await start());
    const other = browser();
    expect(await other.go(back)).toBe(failed);
    await other.start();
    expect(await other.go(back)).toBe(failed);
    expect(server.requested).not.toContain('/token');
  });

  it('fails with a forged cookie', async () => {
    const { start, consent, go, cookies } = browser();
    const back = new URL(await consent(await start()));
    const [content = '', seal] = (cookies.get('wayquest-openid') ?? '').split('.');
    const forged = { ...JSON.parse(Buffer.from(content, 'base64url').toString()), state: 'mine' };
    back.searchParams.set('state', 'mine');
    cookies.set('wayquest-openid', `${Buffer.from(JSON.stringify(forged)).toString('base64url')}.${seal}`);
    expect(await go(back.href)).toBe(failed);
  });

  it('fails after ten minutes', async () => {
    const [early, late] = [browser(), browser()];
    const [earlyBack, lateBack] = [
      await early.consent(await early.start()),
      await late.consent(await late.start()),
    ];
    await clock.advance(10 * 60 * 1_000 - 1);
    expect(await early.go(earlyBack)).toMatch(/^\/login#code=/);
    await clock.advance(1);
    expect(await late.go(lateBack)).toBe(failed);
  });

  it('fails if the callback is replayed, also with the cookie', async () => {
    const { start, consent, go, cookies } = browser();
    const back = await consent(await start());
    const cookie = cookies.get('wayquest-openid') ?? '';
    expect(await go(back)).toMatch(/^\/login#code=/);
    expect(cookies.get('wayquest-openid')).toBe('');
    expect(await go(back)).toBe(failed);
    cookies.set('wayquest-openid', cookie);
    expect(await go(back)).toBe(failed);
    expect(server.rejections).toEqual(['invalid_grant']);
  });

  it('fails with the code of another sign-in, by PKCE', async () => {
    const attacker = browser();
    const stolen = new URL(await attacker.consent(await attacker.start())).searchParams.get('code') ?? '';
    const { start, consent, go } = browser();
    const back = new URL(await consent(await start()));
    back.searchParams.set('code', stolen);
    expect(await go(back.href)).toBe(failed);
    expect(server.rejections).toEqual(['invalid_grant']);
  });

  it.each(['another nonce', undefined])('fails with an ID token that has %s', async (nonce) => {
    const { start, consent, go } = browser();
    const location = new URL(await start());
    if (nonce) location.searchParams.set('nonce', nonce);
    else location.searchParams.delete('nonce');
    expect(await go(await consent(location.href))).toBe(failed);
    expect(server.requested).toContain('/token');
    expect(server.rejections).toEqual([]);
  });

  it('fails with a response of another issuer', async () => {
    const { start, consent, go } = browser();
    const back = new URL(await consent(await start()));
    back.searchParams.set('iss', 'https://evil.example');
    expect(await go(back.href)).toBe(failed);
    expect(server.requested).not.toContain('/token');
  });

  it.each(['error=access_denied', 'error=server_error&error_description=x', '', 'code=', 'code=1&code=2'])(
    'fails if the provider responds "%s"',
    async (answer) => {
      const { start, go } = browser();
      const state = new URL(await start()).searchParams.get('state');
      expect(await go(`${auth.url}/auth/openid/callback?state=${state}&${answer}`)).toBe(failed);
    },
  );

  it('fails if the client secret is wrong', async () => {
    const own = await startAuthForTest({ openId: { ...server.config, clientSecret: 'another' } });
    expect(await openBrowser(own, server).signIn()).toBe(failed);
    expect(server.rejections).toEqual(['invalid_client']);
  });

  it('gives a code that is valid once, in that browser, and for a minute', async () => {
    const victim = browser();
    await victim.signIn();
    const attacker = browser();
    const page = await attacker.signIn();
    expect(await codeOf(victim.exchange(page))).toBe('invalid-code');
    const cookie = attacker.cookies.get('wayquest-code') ?? '';
    expect(await codeOf(attacker.exchange(page))).toBe('done');
    attacker.cookies.set('wayquest-code', cookie);
    expect(await codeOf(attacker.exchange(page))).toBe('invalid-code');
    const late = browser();
    const latePage = await late.signIn();
    await clock.advance(60_000);
    expect(await codeOf(late.exchange(latePage))).toBe('invalid-code');
  });
});

describe('without the provider', () => {
  it('the service starts, says so on the login page and in the log, and signs in once it is there', async () => {
    const { logger, hasLogged } = createRecordingLogger();
    const own = await startOpenIdServer();
    await own.pause();
    const service = await startAuthForTest({ openId: own.config, logger });
    const { start, signIn } = openBrowser(service, own);
    expect(await start()).toBe(failed);
    expect(hasLogged('a sign-in with OpenID Connect could not be started')).toBe(true);
    expect(hasLogged('ECONNREFUSED')).toBe(true);
    const { token } = await member(service);
    const { client } = openBrowser(service, own);
    const body = { currentPassword: 'a long enough password' };
    expect(await codeOf(client.startOpenIdLink({ body }, { token }))).toBe('openid-unavailable');
    await own.resume();
    expect(await signIn()).toMatch(/&new=1$/);
    await own.stop();
  });

  it('a sign-in fails if it does not respond in time, in each step', async () => {
    const { logger, hasLogged } = createRecordingLogger();
    const timeoutMs = 100;
    const service = await startAuthForTest({ openId: { ...server.config, timeoutMs }, logger });
    const { start, consent, go, signIn } = openBrowser(service, server);
    server.isHanging = true;
    expect(await start()).toBe(failed);
    expect(hasLogged(`${server.config.issuer} did not respond within 100 ms`)).toBe(true);
    server.isHanging = false;
    const back = await consent(await start());
    server.isHanging = true;
    expect(await go(back)).toBe(failed);
    expect(hasLogged('a sign-in with OpenID Connect failed')).toBe(true);
    server.isHanging = false;
    expect(await signIn()).toMatch(/^\/login#code=/);
  });

  it('a sign-in fails if the addresses are those of another issuer', async () => {
    const { logger, hasLogged } = createRecordingLogger();
    const issuer = server.config.issuer.replace('127.0.0.1', 'localhost');
    const service = await startAuthForTest({ openId: { ...server.config, issuer }, logger });
    expect(await openBrowser(service, server).start()).toBe(failed);
    expect(hasLogged('does not match the expected issuer')).toBe(true);
  });
});

describe('without a configuration', () => {
  it('redirects to the login page with the problem', async () => {
    const bare = await startAuthForTest();
    const { go } = openBrowser(bare, server);
    for (const path of ['/auth/openid', '/auth/openid/callback?code=1&state=1'])
      expect(await go(bare.url + path)).toBe('/login#problem=openid-not-set-up');
    expect(await bare.client.getRegistration()).toMatchObject({ openId: null });
  });

  it('uses PUBLIC_URL, whatever the host header says, and a Secure cookie', async () => {
    const publicUrl = 'https://wayquest.example';
    const own = await startAuthForTest({ openId: server.config, publicUrl });
    const response = await fetch(`${own.url}/auth/openid`, { redirect: 'manual' });
    const { searchParams } = new URL(response.headers.get('location') ?? '');
    expect(searchParams.get('redirect_uri')).toBe(`${publicUrl}/auth/openid/callback`);
    expect(response.headers.get('set-cookie')).toMatch(/; Secure/);
  });
});
