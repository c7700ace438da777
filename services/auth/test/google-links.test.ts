import { randomUUID } from 'node:crypto';
import {
  createAuthenticator,
  createRecordingLogger,
  createTestClock,
  eventually,
  type FakeGoogle,
  startFakeGoogle,
} from '@wayquest/testing';
import {
  claimsOf,
  codeOf,
  member,
  openCookieBrowser,
  password,
  type RunningAuth,
  startAuth,
  startAuthForTest,
} from './auth-service.ts';

const { logger, securityEvents } = createRecordingLogger();
const clock = createTestClock(Date.now());
let google: FakeGoogle;
let auth: RunningAuth;
beforeAll(async () => {
  google = await startFakeGoogle();
  auth = await startAuth({ google: google.config, logger, clock });
});
afterAll(async () => {
  await auth.stop();
  await google.stop();
});

type Member = Awaited<ReturnType<typeof member>>;

const subject = () => ({ sub: randomUUID(), name: 'Ada Lovelace', email: 'ada@example.com' });

function browser() {
  const tab = openCookieBrowser(auth);
  return {
    ...tab,
    /** Starts linking; returns the URL that Google redirects to. */
    async visitGoogle({ token }: Pick<Member, 'token'>, person = subject()) {
      const body = { currentPassword: password };
      const { location } = await tab.client.startGoogleLink({ body }, { token });
      google.person = person;
      return tab.go(location);
    },
  };
}

const codeIn = (location: string) => {
  expect(location).toMatch(/^\/settings#link=[\w-]{43}$/);
  return location.split('=')[1] ?? '';
};
const link = async (user: Pick<Member, 'token'>, person = subject()) => {
  const { visitGoogle, go, client } = browser();
  const code = codeIn(await go(await visitGoogle(user, person)));
  await client.finishGoogleLink({ body: { code } }, { token: user.token });
};
/** Signs in with Google: logs in or, for a new person, creates an account. */
const signInAs = async (person: ReturnType<typeof subject>) => {
  const { go, client } = browser();
  google.person = person;
  const back = await go(await go(await go(`${auth.url}/api/googleOauth`)));
  const code = new URLSearchParams(back.split('#')[1]).get('code') ?? '';
  const { token } = await client.exchangeLoginCode({ body: { code } });
  return { token, id: Number(claimsOf(token).sub) };
};
const googleOf = async ({ token }: Pick<Member, 'token'>) =>
  (await auth.client.getAccount({}, { token })).google;

describe('linking Google', () => {
  it('lets a user with a password log in with Google, too, and ends no session', async () => {
    const ann = await member(auth);
    const person = subject();
    expect(await googleOf(ann)).toBe('not-linked');
    await link(ann, person);
    expect(await googleOf(ann)).toBe('linked');
    expect((await signInAs(person)).id).toBe(ann.id);
    await auth.client.login({ body: { username: ann.username, password } });
  });

  it('requires the password even in a fresh session, and starts nothing with a wrong one', async () => {
    const { token } = await member(auth);
    const { client, cookies } = browser();
    expect(await codeOf(client.startGoogleLink({ body: {} }, { token }))).toBe('password-required');
    const wrong = { currentPassword: 'not my password' };
    expect(await codeOf(client.startGoogleLink({ body: wrong }, { token }))).toBe('invalid-credentials');
    expect([...cookies]).toEqual([]);
  });

  it('puts no account in a URL, and stores the code only as a hash', async () => {
    const ann = await member(auth);
    const { client, go } = browser();
    const { location } = await client.startGoogleLink(
      { body: { currentPassword: password } },
      { token: ann.token },
    );
    expect([...new URL(location).searchParams.keys()].toSorted()).toEqual(
      [
        ...['client_id', 'code_challenge', 'code_challenge_method', 'prompt'],
        ...['redirect_uri', 'response_type', 'scope', 'state'],
      ].toSorted(),
    );
    google.person = subject();
    const code = codeIn(await go(await go(location)));
    const codes = await auth.store.collection('login_codes').find().toArray();
    expect(JSON.stringify(codes)).not.toContain(code);
  });

  it('rejects a Google account that is linked to another one, whatever its e-mail address', async () => {
    const [ann, bob] = [await member(auth), await member(auth)];
    const person = subject();
    await link(ann, person);
    expect(await codeOf(link(bob, person))).toBe('google-in-use');
    expect(await googleOf(bob)).toBe('not-linked');
    expect((await signInAs(person)).id).toBe(ann.id);
    // Another Google account with the same email address can be linked.
    await link(bob, subject());
  });

  it('is rejected if Google sign-in is not configured', async () => {
    const bare = await startAuthForTest();
    const { token } = await member(bare);
    expect((await bare.client.getAccount({}, { token })).google).toBe('not-configured');
    const body = { currentPassword: password };
    expect(await codeOf(bare.client.startGoogleLink({ body }, { token }))).toBe('not-configured');
  });

  it('returns to the settings if the person cancels at Google', async () => {
    const ann = await member(auth);
    const { client, go } = browser();
    const body = { currentPassword: password };
    const { location } = await client.startGoogleLink({ body }, { token: ann.token });
    const state = new URL(location).searchParams.get('state');
    const back = `${auth.url}/api/googleOauth/callback?state=${state}&error=access_denied`;
    expect(await go(back)).toBe('/settings#problem=google-failed');
  });
});

describe('an attacker cannot link their Google account to another account', () => {
  it('with a link that contains a code of the attacker', async () => {
    const [attacker, victim] = [await member(auth), await member(auth)];
    const [attackerTab, ownTab] = [browser(), browser()];
    const code = codeIn(await attackerTab.go(await attackerTab.visitGoogle(attacker)));
    const use = () => ownTab.client.finishGoogleLink({ body: { code } }, { token: victim.token });
    expect(await codeOf(use())).toBe('invalid-code');
    // Neither with the cookies of the owner's own request, nor with the attacker's cookies.
    await ownTab.go(await ownTab.visitGoogle(victim));
    expect(await codeOf(use())).toBe('invalid-code');
    for (const [name, value] of attackerTab.cookies) ownTab.cookies.set(name, value);
    expect(await codeOf(use())).toBe('invalid-code');
    expect(await googleOf(victim)).toBe('not-linked');
  });

  it('with a redirect from Google that another browser started', async () => {
    const [attacker, victim] = [await member(auth), await member(auth)];
    const back = await browser().visitGoogle(attacker);
    const ownTab = browser();
    expect(await ownTab.go(back)).toBe('/login#problem=google-failed');
    await ownTab.visitGoogle(victim);
    expect(await ownTab.go(back)).toBe('/settings#problem=google-failed');
  });

  it('by sending the owner to Google with the cookie of the attacker’s account', async () => {
    const [attacker, victim] = [await member(auth), await member(auth)];
    const attackerTab = browser();
    const back = await attackerTab.visitGoogle(attacker);
    const ownTab = browser();
    for (const [name, value] of attackerTab.cookies) ownTab.cookies.set(name, value);
    const code = codeIn(await ownTab.go(back));
    expect(await codeOf(ownTab.client.finishGoogleLink({ body: { code } }, { token: victim.token }))).toBe(
      'invalid-code',
    );
    expect(await googleOf(attacker)).toBe('not-linked');
  });

  it('by changing the account in the cookie', async () => {
    const [attacker, victim] = [await member(auth), await member(auth)];
    const attackerTab = browser();
    const back = await attackerTab.visitGoogle(attacker);
    const [content = '', seal] = (attackerTab.cookies.get('wayquest-google') ?? '').split('.');
    const started = JSON.parse(Buffer.from(content, 'base64url').toString());
    expect(started.links).toBe(attacker.id);
    const forged = Buffer.from(JSON.stringify({ ...started, links: victim.id })).toString('base64url');
    attackerTab.cookies.set('wayquest-google', `${forged}.${seal}`);
    expect(await attackerTab.go(back)).toBe('/login#problem=google-failed');
  });

  it('with a code that is used, expired, or for another purpose', async () => {
    const ann = await member(auth);
    const { visitGoogle, go, client, cookies } = browser();
    const finish = (code: string) =>
      codeOf(client.finishGoogleLink({ body: { code } }, { token: ann.token }));

    const late = codeIn(await go(await visitGoogle(ann)));
    await clock.advance(60_000);
    expect(await finish(late)).toBe('invalid-code');

    const code = codeIn(await go(await visitGoogle(ann)));
    cookies.set('wayquest-code', cookies.get('wayquest-link') ?? '');
    expect(await codeOf(client.exchangeLoginCode({ body: { code } }))).toBe('invalid-code');
    const cookie = cookies.get('wayquest-link') ?? '';
    expect(await finish(code)).toBe('done');
    cookies.set('wayquest-link', cookie);
    expect(await finish(code)).toBe('invalid-code');
  });

  it('after the owner logged out in between', async () => {
    const ann = await member(auth);
    const { visitGoogle, go, client } = browser();
    const code = codeIn(await go(await visitGoogle(ann)));
    await auth.client.logout({}, { token: ann.token });
    const late = client.finishGoogleLink({ body: { code } }, { token: ann.token });
    expect(await codeOf(late)).toBe('invalid-token');
  });
});

describe('unlinking Google', () => {
  const unlink = ({ token }: Pick<Member, 'token'>, currentPassword?: string) =>
    codeOf(auth.client.unlinkGoogle({ body: { currentPassword } }, { token }));

  it('requires the password, and rejects the Google account afterwards; several accounts can be without one', async () => {
    const [ann, bob] = [await member(auth), await member(auth)];
    const person = subject();
    await link(ann, person);
    await link(bob);
    expect(await unlink(ann)).toBe('password-required');
    expect([await unlink(ann, password), await unlink(bob, password)]).toEqual(['done', 'done']);
    expect(await googleOf(ann)).toBe('not-linked');
    expect((await signInAs(person)).id).not.toBe(ann.id);
    await link(ann);
  });

  it('is rejected for the last login method, until there is a password', async () => {
    const person = subject();
    const ann = await signInAs(person);
    expect(await unlink(ann)).toBe('last-login-method');
    const { token } = await auth.client.changePassword(
      { body: { newPassword: password } },
      { token: ann.token },
    );
    expect(await unlink({ token }, password)).toBe('done');
    expect(await googleOf({ token })).toBe('not-linked');
  });

  it('is rejected for the last login method, until there is a passkey, which then is the last one', async () => {
    const person = subject();
    const { token } = await signInAs(person);
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
    expect(await googleOf({ token })).toBe('not-linked');
  });
});

it('linking and unlinking are sent to the confirmed email address, and logged as security events', async () => {
  const ann = await member(auth);
  const email = `${ann.username}@wayquest.example`;
  const newest = (many: number) =>
    eventually(async () => {
      const mails = await auth.mailsTo(email);
      expect(mails).toHaveLength(many);
      return mails.at(-1);
    });
  await auth.client.changeEmail({ body: { email } }, { token: ann.token });
  await auth.client.confirmEmail({ body: { token: (await newest(1))?.token ?? '' } });
  await link(ann);
  expect((await newest(2))?.subject).toBe('Google was linked to your account');
  await auth.client.unlinkGoogle({ body: { currentPassword: password } }, { token: ann.token });
  expect((await newest(3))?.subject).toBe('Google was unlinked from your account');
  const events = securityEvents().filter(({ userId }) => userId === ann.id);
  expect(events.map(({ security }) => security)).toEqual([
    'email-changed',
    'google-linked',
    'google-unlinked',
  ]);
});
