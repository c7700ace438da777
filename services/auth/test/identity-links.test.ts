import { randomUUID } from 'node:crypto';
import {
  createAuthenticator,
  createRecordingLogger,
  createTestClock,
  startFakeGoogle,
} from '@wayquest/testing';
import {
  claimsOf,
  codeOf,
  confirmAddress,
  member,
  newestMail,
  openCookieBrowser,
  password,
  type RunningAuth,
  startAuth,
  startAuthForTest,
} from './auth-service.ts';
import { openBrowser, startOpenIdServer } from './openid-server.ts';

interface Person {
  sub: string;
  name: string;
  email: string;
}
type Session = Pick<Awaited<ReturnType<typeof member>>, 'token'>;

const somebody = (): Person => ({ sub: randomUUID(), name: 'Ada Lovelace', email: 'ada@example.com' });

async function startGoogle() {
  const google = await startFakeGoogle();
  return {
    options: { google: google.config },
    stop: google.stop,
    open(auth: RunningAuth) {
      const tab = openCookieBrowser(auth);
      const { client, go } = tab;
      return {
        ...tab,
        async visitForLink({ token }: Session, person: Person) {
          const { location } = await client.startGoogleLink(
            { body: { currentPassword: password } },
            { token },
          );
          google.person = person;
          return go(location);
        },
        async logIn(person: Person) {
          google.person = person;
          const page = await go(await go(await go(`${auth.url}/api/googleOauth`)));
          const code = new URLSearchParams(page.split('#')[1]).get('code') ?? '';
          const { token } = await client.exchangeLoginCode({ body: { code } });
          return { token, id: Number(claimsOf(token).sub) };
        },
      };
    },
  };
}

async function startOpenId() {
  const server = await startOpenIdServer();
  return {
    options: { openId: { ...server.config, name: 'The hiking club' } },
    stop: server.stop,
    open: (auth: RunningAuth) => openBrowser(auth, server),
  };
}

const providers = [
  {
    name: 'Google',
    start: startGoogle,
    field: 'google',
    ...({ startLink: 'startGoogleLink', finishLink: 'finishGoogleLink', unlink: 'unlinkGoogle' } as const),
    ...{ inUse: 'google-in-use', failed: 'google-failed' },
    callbackPath: '/api/googleOauth/callback',
    ...{ signInCookie: 'wayquest-google', linkCookie: 'wayquest-link' },
    settingsPage: /^\/settings#link=[\w-]{43}$/,
    ownParameter: 'prompt',
    mails: [
      { subject: 'Google was linked to your account' },
      { subject: 'Google was unlinked from your account' },
    ],
    events: ['google-linked', 'google-unlinked'],
  },
  {
    name: 'OpenID Connect',
    start: startOpenId,
    field: 'openId',
    ...({ startLink: 'startOpenIdLink', finishLink: 'finishOpenIdLink', unlink: 'unlinkOpenId' } as const),
    ...{ inUse: 'openid-in-use', failed: 'openid-failed' },
    callbackPath: '/auth/openid/callback',
    ...{ signInCookie: 'wayquest-openid', linkCookie: 'wayquest-openid-link' },
    settingsPage: /^\/settings#openid-link=[\w-]{43}$/,
    ownParameter: 'nonce',
    mails: [
      {
        subject: 'Another login was linked to your account',
        text: expect.stringContaining('A login with The hiking club was just linked'),
      },
      { subject: 'A login was unlinked from your account' },
    ],
    events: ['openid-linked', 'openid-unlinked'],
  },
] as const;

describe.each(providers)('an account of $name', (provider) => {
  const { field, startLink, finishLink, unlink: unlinkOperation, failed, settingsPage } = provider;
  const { logger, securityEvents } = createRecordingLogger();
  const clock = createTestClock(Date.now());
  let site: Awaited<ReturnType<typeof provider.start>>;
  let auth: RunningAuth;
  beforeAll(async () => {
    site = await provider.start();
    auth = await startAuth({ ...site.options, logger, clock });
  });
  afterAll(async () => {
    await auth.stop();
    await site.stop();
  });

  const browser = () => site.open(auth);
  const logIn = (person: Person) => browser().logIn(person);
  /** The code for linking in the address of the settings. */
  const codeIn = (page: string): string => {
    expect(page).toMatch(settingsPage);
    return page.split('=')[1] ?? '';
  };
  const link = async (user: Session, person = somebody()) => {
    const { visitForLink, go, client } = browser();
    const code = codeIn(await go(await visitForLink(user, person)));
    await client[finishLink]({ body: { code } }, { token: user.token });
  };
  const statusOf = async ({ token }: Session) => (await auth.client.getAccount({}, { token }))[field];
  const unlink = ({ token }: Session, currentPassword?: string) =>
    codeOf(auth.client[unlinkOperation]({ body: { currentPassword } }, { token }));

  describe('that is linked', () => {
    it('lets its owner log in there, too, and ends no session', async () => {
      const ann = await member(auth);
      const person = somebody();
      expect(await statusOf(ann)).toBe('not-linked');
      await link(ann, person);
      expect(await statusOf(ann)).toBe('linked');
      expect((await logIn(person)).id).toBe(ann.id);
      await auth.client.login({ body: { username: ann.username, password } });
    });

    it('requires the password even in a fresh session, and starts nothing with a wrong one', async () => {
      const { token } = await member(auth);
      const { client, cookies } = browser();
      expect(await codeOf(client[startLink]({ body: {} }, { token }))).toBe('password-required');
      const wrong = { currentPassword: 'not my password' };
      expect(await codeOf(client[startLink]({ body: wrong }, { token }))).toBe('invalid-credentials');
      expect([...cookies]).toEqual([]);
    });

    it('puts no account in a URL, and stores the code only as a hash', async () => {
      const ann = await member(auth);
      const { client, go, visitForLink } = browser();
      const body = { currentPassword: password };
      const { location } = await client[startLink]({ body }, { token: ann.token });
      expect([...new URL(location).searchParams.keys()].toSorted()).toEqual(
        [
          ...['client_id', 'code_challenge', 'code_challenge_method', provider.ownParameter],
          ...['redirect_uri', 'response_type', 'scope', 'state'],
        ].toSorted(),
      );
      const code = codeIn(await go(await visitForLink(ann, somebody())));
      const codes = await auth.store.collection('login_codes').find().toArray();
      expect(codes.length).toBeGreaterThan(0);
      expect(JSON.stringify(codes)).not.toContain(code);
    });

    it('cannot be linked to another account, whatever its e-mail address', async () => {
      const [ann, bob] = [await member(auth), await member(auth)];
      const person = somebody();
      await link(ann, person);
      expect(await codeOf(link(bob, person))).toBe(provider.inUse);
      expect(await statusOf(bob)).toBe('not-linked');
      expect((await logIn(person)).id).toBe(ann.id);
      // Another one with the same e-mail address can be linked.
      await link(bob, somebody());
    });

    it('cannot be linked where this provider is not configured', async () => {
      const bare = await startAuthForTest();
      const { token } = await member(bare);
      expect((await bare.client.getAccount({}, { token }))[field]).toBe('not-configured');
      const body = { currentPassword: password };
      expect(await codeOf(bare.client[startLink]({ body }, { token }))).toBe('not-configured');
    });

    it('returns to the settings if the person cancels there', async () => {
      const ann = await member(auth);
      const { client, go } = browser();
      const body = { currentPassword: password };
      const { location } = await client[startLink]({ body }, { token: ann.token });
      const state = new URL(location).searchParams.get('state');
      const back = `${auth.url}${provider.callbackPath}?state=${state}&error=access_denied`;
      expect(await go(back)).toBe(`/settings#problem=${failed}`);
    });
  });

  describe('of an attacker cannot be linked to another account', () => {
    it('with a code of the attacker, nor with a cookie of the attacker', async () => {
      const [attacker, victim] = [await member(auth), await member(auth)];
      const [attackerTab, ownTab] = [browser(), browser()];
      const code = codeIn(await attackerTab.go(await attackerTab.visitForLink(attacker, somebody())));
      const use = () => codeOf(ownTab.client[finishLink]({ body: { code } }, { token: victim.token }));
      expect(await use()).toBe('invalid-code');
      // Neither with the cookies of the owner's own request, nor with the attacker's cookies.
      await ownTab.go(await ownTab.visitForLink(victim, somebody()));
      expect(await use()).toBe('invalid-code');
      for (const [name, value] of attackerTab.cookies) ownTab.cookies.set(name, value);
      expect(await use()).toBe('invalid-code');
      expect(await statusOf(victim)).toBe('not-linked');
    });

    it('with a redirect of the provider that another browser started', async () => {
      const [attacker, victim] = [await member(auth), await member(auth)];
      const back = await browser().visitForLink(attacker, somebody());
      const ownTab = browser();
      expect(await ownTab.go(back)).toBe(`/login#problem=${failed}`);
      await ownTab.visitForLink(victim, somebody());
      expect(await ownTab.go(back)).toBe(`/settings#problem=${failed}`);
    });

    it('by sending the owner to the provider with the cookie of the attacker’s account', async () => {
      const [attacker, victim] = [await member(auth), await member(auth)];
      const attackerTab = browser();
      const back = await attackerTab.visitForLink(attacker, somebody());
      const ownTab = browser();
      for (const [name, value] of attackerTab.cookies) ownTab.cookies.set(name, value);
      const code = codeIn(await ownTab.go(back));
      const finished = ownTab.client[finishLink]({ body: { code } }, { token: victim.token });
      expect(await codeOf(finished)).toBe('invalid-code');
      expect(await statusOf(attacker)).toBe('not-linked');
    });

    it('by changing the account in the cookie', async () => {
      const [attacker, victim] = [await member(auth), await member(auth)];
      const attackerTab = browser();
      const back = await attackerTab.visitForLink(attacker, somebody());
      const [content = '', seal] = (attackerTab.cookies.get(provider.signInCookie) ?? '').split('.');
      const started = JSON.parse(Buffer.from(content, 'base64url').toString());
      expect(started.links).toBe(attacker.id);
      const forged = Buffer.from(JSON.stringify({ ...started, links: victim.id })).toString('base64url');
      attackerTab.cookies.set(provider.signInCookie, `${forged}.${seal}`);
      expect(await attackerTab.go(back)).toBe(`/login#problem=${failed}`);
    });

    it('with a code that is used, expired, or for another purpose', async () => {
      const ann = await member(auth);
      const { visitForLink, go, client, cookies } = browser();
      const finish = (code: string) => codeOf(client[finishLink]({ body: { code } }, { token: ann.token }));
      const late = codeIn(await go(await visitForLink(ann, somebody())));
      await clock.advance(60_000);
      expect(await finish(late)).toBe('invalid-code');

      const code = codeIn(await go(await visitForLink(ann, somebody())));
      const cookie = cookies.get(provider.linkCookie) ?? '';
      const others = providers.filter((other) => other.name !== provider.name);
      for (const name of ['wayquest-code', ...others.map((other) => other.linkCookie)])
        cookies.set(name, cookie);
      expect(await codeOf(client.exchangeLoginCode({ body: { code } }))).toBe('invalid-code');
      for (const other of others) {
        const finished = client[other.finishLink]({ body: { code } }, { token: ann.token });
        expect(await codeOf(finished)).toBe('invalid-code');
      }
      expect(await finish(code)).toBe('done');
      cookies.set(provider.linkCookie, cookie);
      expect(await finish(code)).toBe('invalid-code');
    });

    it('after the owner logged out in between', async () => {
      const ann = await member(auth);
      const { visitForLink, go, client } = browser();
      const code = codeIn(await go(await visitForLink(ann, somebody())));
      await auth.client.logout({}, { token: ann.token });
      const late = client[finishLink]({ body: { code } }, { token: ann.token });
      expect(await codeOf(late)).toBe('invalid-token');
    });
  });

  describe('that is unlinked', () => {
    it('requires the password, and is rejected afterwards; several accounts can be without one', async () => {
      const [ann, bob] = [await member(auth), await member(auth)];
      const person = somebody();
      await link(ann, person);
      await link(bob);
      expect(await unlink(ann)).toBe('password-required');
      expect([await unlink(ann, password), await unlink(bob, password)]).toEqual(['done', 'done']);
      expect(await statusOf(ann)).toBe('not-linked');
      expect((await logIn(person)).id).not.toBe(ann.id);
      await link(ann);
    });

    it('is not the last login method: there is a password', async () => {
      const ann = await logIn(somebody());
      expect(await unlink(ann)).toBe('last-login-method');
      const { token } = await auth.client.changePassword(
        { body: { newPassword: password } },
        { token: ann.token },
      );
      expect(await unlink({ token }, password)).toBe('done');
      expect(await statusOf({ token })).toBe('not-linked');
    });

    it('is not the last login method: there is a passkey, which then is the last one', async () => {
      const { token } = await logIn(somebody());
      const { client } = browser();
      const { challenge, user } = await client.startPasskey({ body: {} }, { token });
      const device = createAuthenticator();
      const credential = device.create({ origin: auth.url, challenge, user });
      await client.addPasskey({ body: { name: 'My phone', credential } }, { token });
      expect(await unlink({ token })).toBe('done');
      const params = { id: device.id };
      expect(await codeOf(auth.client.removePasskey({ params, body: {} }, { token }))).toBe(
        'last-login-method',
      );
      expect(await statusOf({ token })).toBe('not-linked');
    });
  });

  it('is announced to the confirmed email address when it is linked and unlinked, and logged as security events', async () => {
    const ann = await member(auth);
    const email = `${ann.username}@wayquest.example`;
    await confirmAddress(auth, ann, email);
    await link(ann);
    expect(await newestMail(auth, email, 2)).toMatchObject(provider.mails[0]);
    expect(await unlink(ann, password)).toBe('done');
    expect(await newestMail(auth, email, 3)).toMatchObject(provider.mails[1]);
    const events = securityEvents().filter(({ userId }) => userId === ann.id);
    expect(events.map(({ security }) => security)).toEqual(['email-changed', ...provider.events]);
  });
});
