import { randomUUID } from 'node:crypto';
import { CallError, createClient } from '@wayquest/contracts';
import {
  createAuthenticator,
  eventually,
  type FakeGoogle,
  listeningLogger,
  startFakeGoogle,
} from '@wayquest/testing';
import { claimsOf, member, password, type RunningAuth, startAuth, startAuthForTest } from './auth-service.ts';

const { logger, security } = listeningLogger();
let google: FakeGoogle;
let auth: RunningAuth;
beforeAll(async () => {
  google = await startFakeGoogle();
  auth = await startAuth({ google: google.config, logger });
});
afterAll(async () => {
  await auth.stop();
  await google.stop();
});

type Member = Awaited<ReturnType<typeof member>>;

const subject = () => ({ sub: randomUUID(), name: 'Ada Lovelace', email: 'ada@example.com' });
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error: unknown) => (error instanceof CallError ? error.problem?.code : error),
  );

/** A browser: it keeps cookies by name, and sends all of them. */
function browser() {
  const kept = new Map<string, string>();
  const keep = (response: Response) => {
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      kept.set(name, value);
    }
    return response;
  };
  const cookie = () => [...kept].map(([name, value]) => `${name}=${value}`).join('; ');
  const client = createClient({
    baseUrl: auth.url,
    headers: () => ({ cookie: cookie() }),
    fetch: async (...given) => keep(await fetch(...given)),
  });
  /** Follows a link; answers where it leads. */
  const go = async (url: string) => {
    const answer = keep(await fetch(url, { redirect: 'manual', headers: { cookie: cookie() } }));
    return answer.headers.get('location') ?? '';
  };
  return {
    kept,
    client,
    go,
    /** Begins to link; answers where Google sends the browser back to. */
    async visitGoogle({ token }: Pick<Member, 'token'>, person = subject()) {
      const body = { currentPassword: password };
      const { location } = await client.startGoogleLink({ body }, { token });
      google.person = person;
      return go(location);
    },
  };
}

const codeIn = (location: string) => {
  expect(location).toMatch(/^\/settings#link=[\w-]{43}$/);
  return location.split('=')[1] ?? '';
};
const link = async (who: Pick<Member, 'token'>, person = subject()) => {
  const { visitGoogle, go, client } = browser();
  const code = codeIn(await go(await visitGoogle(who, person)));
  await client.finishGoogleLink({ body: { code } }, { token: who.token });
};
/** Who gets in by Google: a login or, for somebody new, a new account. */
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
    const { client, kept } = browser();
    expect(await codeOf(client.startGoogleLink({ body: {} }, { token }))).toBe('password-required');
    const wrong = { currentPassword: 'not my password' };
    expect(await codeOf(client.startGoogleLink({ body: wrong }, { token }))).toBe('invalid-credentials');
    expect([...kept]).toEqual([]);
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
    const kept = await auth.store.collection('login_codes').find().toArray();
    expect(JSON.stringify(kept)).not.toContain(code);
  });

  it('rejects a Google account that is linked to another one, whatever its e-mail address', async () => {
    const [ann, bob] = [await member(auth), await member(auth)];
    const person = subject();
    await link(ann, person);
    expect(await codeOf(link(bob, person))).toBe('google-in-use');
    expect(await googleOf(bob)).toBe('not-linked');
    expect((await signInAs(person)).id).toBe(ann.id);
    // The same address at Google is no more the same person than any other.
    await link(bob, subject());
  });

  it('is rejected if Google sign-in is not configured', async () => {
    const bare = await startAuthForTest();
    const { token } = await member(bare);
    expect((await bare.client.getAccount({}, { token })).google).toBe('not-set-up');
    const body = { currentPassword: password };
    expect(await codeOf(bare.client.startGoogleLink({ body }, { token }))).toBe('not-set-up');
  });

  it('returns to the profile if Google authenticates nobody', async () => {
    const ann = await member(auth);
    const { client, go } = browser();
    const body = { currentPassword: password };
    const { location } = await client.startGoogleLink({ body }, { token: ann.token });
    const state = new URL(location).searchParams.get('state');
    const back = `${auth.url}/api/googleOauth/callback?state=${state}&error=access_denied`;
    expect(await go(back)).toBe('/settings#problem=google-failed');
  });
});

describe('nobody can link their Google account to another person’s account', () => {
  it('by a link with their own code, which its owner did not start', async () => {
    const [attacker, victim] = [await member(auth), await member(auth)];
    const [theirs, own] = [browser(), browser()];
    const code = codeIn(await theirs.go(await theirs.visitGoogle(attacker)));
    const use = () => own.client.finishGoogleLink({ body: { code } }, { token: victim.token });
    expect(await codeOf(use())).toBe('invalid-code');
    // Not with what a link of their own left, nor with the attacker's cookies planted.
    await own.go(await own.visitGoogle(victim));
    expect(await codeOf(use())).toBe('invalid-code');
    for (const [name, value] of theirs.kept) own.kept.set(name, value);
    expect(await codeOf(use())).toBe('invalid-code');
    expect(await googleOf(victim)).toBe('not-linked');
  });

  it('by a redirect from Google that another browser started', async () => {
    const [attacker, victim] = [await member(auth), await member(auth)];
    const back = await browser().visitGoogle(attacker);
    const own = browser();
    expect(await own.go(back)).toBe('/login#problem=google-failed');
    await own.visitGoogle(victim);
    expect(await own.go(back)).toBe('/settings#problem=google-failed');
  });

  it('by bringing its owner to Google with the cookie of another account', async () => {
    const [attacker, victim] = [await member(auth), await member(auth)];
    const theirs = browser();
    const back = await theirs.visitGoogle(attacker);
    const own = browser();
    for (const [name, value] of theirs.kept) own.kept.set(name, value);
    const code = codeIn(await own.go(back));
    expect(await codeOf(own.client.finishGoogleLink({ body: { code } }, { token: victim.token }))).toBe(
      'invalid-code',
    );
    expect(await googleOf(attacker)).toBe('not-linked');
  });

  it('by changing the account in the cookie', async () => {
    const [attacker, victim] = [await member(auth), await member(auth)];
    const theirs = browser();
    const back = await theirs.visitGoogle(attacker);
    const [content = '', seal] = (theirs.kept.get('wayquest-google') ?? '').split('.');
    const started = JSON.parse(Buffer.from(content, 'base64url').toString());
    expect(started.links).toBe(attacker.id);
    const forged = Buffer.from(JSON.stringify({ ...started, links: victim.id })).toString('base64url');
    theirs.kept.set('wayquest-google', `${forged}.${seal}`);
    expect(await theirs.go(back)).toBe('/login#problem=google-failed');
  });

  it('by a code that is used, expired, or for another purpose', async () => {
    const ann = await member(auth);
    const { visitGoogle, go, client, kept } = browser();
    const finish = (code: string) =>
      codeOf(client.finishGoogleLink({ body: { code } }, { token: ann.token }));

    const late = codeIn(await go(await visitGoogle(ann)));
    await auth.store
      .collection('login_codes')
      .updateMany({}, { $set: { expiresAt: new Date(Date.now() - 1) } });
    expect(await finish(late)).toBe('invalid-code');

    const code = codeIn(await go(await visitGoogle(ann)));
    kept.set('wayquest-code', kept.get('wayquest-link') ?? '');
    expect(await codeOf(client.exchangeLoginCode({ body: { code } }))).toBe('invalid-code');
    const cookie = kept.get('wayquest-link') ?? '';
    expect(await finish(code)).toBe('done');
    kept.set('wayquest-link', cookie);
    expect(await finish(code)).toBe('invalid-code');
  });

  it('after its owner logged out in between', async () => {
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

  it('requires the password, and rejects the Google account from then on; two accounts can be without one', async () => {
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
    expect(await unlink(ann)).toBe('last-way-in');
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
    expect(await codeOf(auth.client.removePasskey({ params, body: {} }, { token }))).toBe('last-way-in');
    expect(await googleOf({ token })).toBe('not-linked');
  });
});

it('both are mailed to the confirmed address, and logged for the operator', async () => {
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
  const told = security().filter(({ userId }) => userId === ann.id);
  expect(told.map(({ security }) => security)).toEqual(['email-changed', 'google-linked', 'google-unlinked']);
});
