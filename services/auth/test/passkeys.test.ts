import { createClient, type OwnData } from '@wayquest/contracts';
import {
  type Authenticator,
  type AuthenticatorInput,
  createAuthenticator,
  createRecordingLogger,
  createTestClock,
  eventually,
  signToken,
} from '@wayquest/testing';
import {
  claimsOf,
  codeOf,
  confirmAddress,
  member,
  newestMail,
  newName,
  openCookieBrowser,
  password,
  type RunningAuth,
  startAuth,
  startAuthForTest,
} from './auth-service.ts';

const { logger, securityEvents } = createRecordingLogger();
const clock = createTestClock(Date.now());
let auth: RunningAuth;
beforeAll(async () => {
  auth = await startAuth({ logger, clock });
});
afterAll(() => auth.stop());

type Member = Awaited<ReturnType<typeof member>>;
type Overrides = Partial<AuthenticatorInput>;

function browser(at = auth) {
  const { cookies, client } = openCookieBrowser(at);
  const begin = ({ token }: Pick<Member, 'token'>, currentPassword: string | undefined = password) =>
    client.startPasskey({ body: { currentPassword } }, { token });
  return {
    cookies,
    client,
    begin,
    async add(
      owner: Pick<Member, 'token'>,
      device = createAuthenticator(),
      overrides: Overrides = {},
      name = 'My key',
    ) {
      const { challenge, user } = await begin(owner);
      const credential = device.create({ origin: at.url, challenge, user, ...overrides });
      return client.addPasskey({ body: { name, credential } }, { token: owner.token });
    },
    async logIn(device: Authenticator, overrides: Overrides = {}) {
      const { challenge } = await client.startPasskeyLogin();
      const credential = device.get({ origin: at.url, challenge, ...overrides });
      return client.loginWithPasskey({ body: { credential } });
    },
  };
}

/** Signs up a user, and adds a passkey. */
async function keyholder(at = auth, name = 'My key') {
  const owner = await member(at);
  const device = createAuthenticator();
  await browser(at).add(owner, device, {}, name);
  return { ...owner, device };
}
const list = ({ token }: Pick<Member, 'token'>, at = auth) => at.client.listPasskeys({}, { token });
const remove = ({ token }: Pick<Member, 'token'>, id: string, currentPassword?: string, at = auth) =>
  codeOf(at.client.removePasskey({ params: { id }, body: { currentPassword } }, { token }));

it('repeating a call with the same idempotency key returns the same passkey, and adds one', async () => {
  const owner = await member(auth);
  const tab = browser();
  const { challenge, user } = await tab.begin(owner);
  const credential = createAuthenticator().create({ origin: auth.url, challenge, user });
  const cookie = [...tab.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const headers = { cookie, 'idempotency-key': 'one' };
  // As after a lost response, which would have deleted the cookie.
  const client = createClient({ baseUrl: auth.url, headers: () => headers });
  const add = () => client.addPasskey({ body: { name: 'My key', credential } }, { token: owner.token });
  const added = await add();
  expect(await add()).toEqual(added);
  expect(await client.listPasskeys({}, { token: owner.token })).toEqual([added]);
});

describe('a passkey', () => {
  it('is added with the password, listed with its name and dates, and logs its owner in', async () => {
    const ann = await member(auth);
    const device = createAuthenticator();
    const made = await browser().add(ann, device, {}, '  My phone ');
    expect(made).toEqual({ id: device.id, name: 'My phone', madeAt: expect.any(String), usedAt: null });
    expect(await list(ann)).toEqual([made]);

    const { token } = await browser().logIn(device);
    expect(claimsOf(token)).toMatchObject({ sub: String(ann.id), username: ann.username });
    expect(await list({ token })).toEqual([{ ...made, usedAt: expect.any(String) }]);
    // Both sessions and the password are still valid.
    expect(await auth.client.listSessions({}, { token: ann.token })).toHaveLength(2);
    await auth.client.login({ body: { username: ann.username, password } });
  });

  it('cannot be added without the password, however fresh the session', async () => {
    const { client, begin, cookies } = browser();
    const { token } = await member(auth);
    expect(await codeOf(client.startPasskey({ body: {} }, { token }))).toBe('password-required');
    expect(await codeOf(begin({ token }, 'not my password'))).toBe('invalid-credentials');
    expect([...cookies]).toEqual([]);
  });

  it('is requested with a unique challenge, user verification, and an HttpOnly cookie', async () => {
    const { client } = browser();
    const [one, other] = [await client.startPasskeyLogin(), await client.startPasskeyLogin()];
    expect(one).toEqual({
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      rpId: 'localhost',
      timeout: 300_000,
      userVerification: 'required',
    });
    expect(other.challenge).not.toBe(one.challenge);
    const answer = await fetch(`${auth.url}/auth/passkeys/request`, { method: 'POST' });
    expect(answer.headers.get('set-cookie')).toMatch(
      /^wayquest-passkey=.*; Max-Age=300; Path=\/auth\/passkeys;.*; HttpOnly; SameSite=Lax/,
    );
    const { authenticatorSelection, attestation, excludeCredentials, user } = await browser().begin(
      await keyholder(),
    );
    expect(authenticatorSelection).toEqual({
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    });
    expect(attestation).toBe('none');
    expect(excludeCredentials).toHaveLength(1);
    expect(Buffer.from(user.id, 'base64url').toString()).toMatch(/^\d+$/);
  });

  it('belongs to the host of PUBLIC_URL, and is unavailable without one', async () => {
    const set = await startAuthForTest({ publicUrl: 'https://wayquest.example' });
    const answer = await fetch(`${set.url}/auth/passkeys/request`, { method: 'POST' });
    expect(await answer.json()).toMatchObject({ rpId: 'wayquest.example' });
    expect(answer.headers.get('set-cookie')).toMatch(/; Secure/);
    const strange = await fetch(`${auth.url}/auth/passkeys/request`, {
      method: 'POST',
      headers: { 'x-forwarded-host': 'evil.example' },
    });
    expect(await strange.json()).toMatchObject({ code: 'not-configured' });
  });

  it.each([
    ['http://127.0.0.1', undefined],
    ['http://[::1]:8099', undefined],
    ['http://192.168.1.5', 'http://192.168.1.5'],
    ['https://[2001:db8::1]', 'https://[2001:db8::1]'],
  ])(
    'is unavailable at the address of numbers %s, and says what to open instead (Q24)',
    async (at, publicUrl) => {
      const numbered = await startAuthForTest({ publicUrl });
      const { token } = await member(numbered);
      const { host, protocol } = new URL(at);
      const client = createClient({
        baseUrl: numbered.url,
        headers: () => ({ 'x-forwarded-host': host, 'x-forwarded-proto': protocol.slice(0, -1) }),
      });
      const device = createAuthenticator();
      const origin = { origin: at, challenge: 'A'.repeat(43) };
      const credential = device.create({ ...origin, user: { id: 'MQ' } });
      for (const call of [
        () => client.startPasskey({ body: { currentPassword: password } }, { token }),
        () => client.addPasskey({ body: { name: 'My key', credential } }, { token }),
        () => client.startPasskeyLogin(),
        () => client.loginWithPasskey({ body: { credential: device.get(origin) } }),
      ])
        await expect(call()).rejects.toMatchObject({
          status: 409,
          problem: { code: 'not-configured' },
          message: expect.stringContaining('localhost'),
        });
      expect(await list({ token }, numbered)).toEqual([]);
    },
  );

  it('can be added twenty times, also concurrently', async () => {
    const ann = await member(auth);
    for (let count = 0; count < 19; count++) await browser().add(ann);
    const both = await Promise.all([codeOf(browser().add(ann)), codeOf(browser().add(ann))]);
    expect(both.toSorted()).toEqual(['done', 'too-many-passkeys']);
    expect(await codeOf(browser().begin(ann))).toBe('too-many-passkeys');
    expect(await list(ann)).toHaveLength(20);
  });
});

describe('an invalid passkey is rejected', () => {
  it.each<[string, Overrides]>([
    ['of another page', { origin: 'https://evil.example', rpId: 'localhost' }],
    ['of another relying party', { rpId: 'evil.example' }],
    ['without user verification', { isVerified: false }],
    ['with another challenge', { challenge: 'A'.repeat(43) }],
    ['that says it is somebody else’s', { userHandle: Buffer.from('1').toString('base64url') }],
    ['that counts less than before', { counter: 0 }],
  ])('%s', async (_, overrides) => {
    const { device, id } = await keyholder();
    const before = securityEvents().length;
    expect(await codeOf(browser().logIn(device, overrides))).toBe('invalid-passkey');
    expect(securityEvents().slice(before)).toMatchObject([{ security: 'login-failed', userId: id }]);
    await browser().logIn(device, { counter: 7 });
  });

  it('if it is unknown, with a code of its own (Q23)', async () => {
    const stranger = createAuthenticator();
    stranger.create({ origin: auth.url, challenge: 'x', user: { id: 'MQ' } });
    expect(await codeOf(browser().logIn(stranger))).toBe('unknown-passkey');
  });

  it('if it was signed with another key', async () => {
    const { device } = await keyholder();
    const other = createAuthenticator();
    const { client } = browser();
    const { challenge } = await client.startPasskeyLogin();
    const { response } = other.get({ origin: auth.url, challenge });
    const own = device.get({ origin: auth.url, challenge });
    const credential = { ...own, response: { ...own.response, signature: response.signature } };
    expect(await codeOf(client.loginWithPasskey({ body: { credential } }))).toBe('invalid-passkey');
  });

  it.each<[string, Overrides]>([
    ['of another page', { origin: 'https://evil.example', rpId: 'localhost' }],
    ['of another relying party', { rpId: 'evil.example' }],
    ['without user verification', { isVerified: false }],
    ['with another challenge', { challenge: 'A'.repeat(43) }],
  ])('and is not stored: %s', async (_, overrides) => {
    const ann = await member(auth);
    expect(await codeOf(browser().add(ann, createAuthenticator(), overrides))).toBe('invalid-passkey');
    expect(await list(ann)).toEqual([]);
  });

  it('and is not stored twice', async () => {
    const { device } = await keyholder();
    expect(await codeOf(browser().add(await member(auth), device))).toBe('invalid-passkey');
  });
});

describe('a challenge', () => {
  it('is valid once', async () => {
    const { device } = await keyholder();
    const { client, cookies } = browser();
    const { challenge } = await client.startPasskeyLogin();
    const cookie = cookies.get('wayquest-passkey') ?? '';
    const logIn = () => {
      cookies.set('wayquest-passkey', cookie);
      const credential = device.get({ origin: auth.url, challenge });
      return codeOf(client.loginWithPasskey({ body: { credential } }));
    };
    expect([await logIn(), await logIn()]).toEqual(['done', 'invalid-passkey']);
  });

  it('is valid only in the browser that requested it', async () => {
    const { device } = await keyholder();
    const { challenge } = await browser().client.startPasskeyLogin();
    const other = browser();
    const credential = device.get({ origin: auth.url, challenge });
    const logIn = () => codeOf(other.client.loginWithPasskey({ body: { credential } }));
    expect(await logIn()).toBe('invalid-passkey');
    await other.client.startPasskeyLogin();
    expect(await logIn()).toBe('invalid-passkey');
  });

  it('is valid for five minutes, and stored as a hash', async () => {
    const { device } = await keyholder();
    const start = async () => {
      const { client } = browser();
      const { challenge } = await client.startPasskeyLogin();
      const challenges = await auth.store.collection('passkey_challenges').find().toArray();
      expect(JSON.stringify(challenges)).not.toContain(challenge);
      const credential = device.get({ origin: auth.url, challenge });
      return () => codeOf(client.loginWithPasskey({ body: { credential } }));
    };
    const [timely, late] = [await start(), await start()];
    await clock.advance(299_999);
    expect(await timely()).toBe('done');
    await clock.advance(1);
    expect(await late()).toBe('invalid-passkey');
  });

  it('for adding a passkey is not valid for another account or for a login', async () => {
    const [attacker, victim] = [await keyholder(), await member(auth)];
    const { client, begin } = browser();
    const creation = await begin(attacker);
    const credential = createAuthenticator().create({ origin: auth.url, ...creation });
    const body = { name: 'Not hers', credential };
    expect(await codeOf(client.addPasskey({ body }, { token: victim.token }))).toBe('invalid-passkey');
    expect(await list(victim)).toEqual([]);

    const { challenge } = await begin(attacker);
    const presented = attacker.device.get({ origin: auth.url, challenge });
    expect(await codeOf(client.loginWithPasskey({ body: { credential: presented } }))).toBe(
      'invalid-passkey',
    );
  });
});

describe('logging in with a passkey', () => {
  it('works for suspended users as with a password, and cancels a requested deletion', async () => {
    const own = await startAuthForTest();
    const { device, token } = await keyholder(own);
    await own.client.deleteAccount({ body: { currentPassword: password } }, { token });
    expect(await browser(own).logIn(device)).toMatchObject({ deletionCanceled: true });
    const suspendedUntil = new Date(Date.now() + 86_400_000);
    await own.store.collection('accounts').updateMany({}, { $set: { suspendedUntil } });
    expect(await codeOf(browser(own).logIn(device))).toBe('suspended');
  });

  it('is limited per network after failures', async () => {
    const limited = await startAuthForTest({
      attemptLimits: { address: { max: 2, seconds: 60 } },
    });
    const { device } = await keyholder(limited);
    const tries = [];
    for (let count = 0; count < 3; count++)
      tries.push(await codeOf(browser(limited).logIn(device, { isVerified: false })));
    expect(tries).toEqual(['invalid-passkey', 'invalid-passkey', 'too-many-attempts']);
  });

  it('is limited per network after attempts with unknown passkeys', async () => {
    const limited = await startAuthForTest({
      attemptLimits: { address: { max: 2, seconds: 60 } },
    });
    const stranger = createAuthenticator();
    stranger.create({ origin: limited.url, challenge: 'x', user: { id: 'MQ' } });
    const tries = [];
    for (let count = 0; count < 3; count++) tries.push(await codeOf(browser(limited).logIn(stranger)));
    expect(tries).toEqual(['unknown-passkey', 'unknown-passkey', 'too-many-attempts']);
  });
});

describe('removing a passkey', () => {
  it('requires the password, and rejects the passkey afterwards', async () => {
    const ann = await keyholder();
    expect(await remove(ann, ann.device.id)).toBe('password-required');
    expect(await remove(ann, ann.device.id, 'not my password')).toBe('invalid-credentials');
    expect(await remove(ann, ann.device.id, password)).toBe('done');
    expect(await list(ann)).toEqual([]);
    expect(await codeOf(browser().logIn(ann.device))).toBe('unknown-passkey');
    expect(await remove(ann, ann.device.id, password)).toBe('passkey-not-found');
  });

  it('that was interrupted is effective: the account no longer lists it, and a retry deletes it', async () => {
    const ann = await keyholder();
    await auth.store
      .collection('accounts')
      .updateOne({ usernameKey: ann.username }, { $set: { passkeys: [] } });
    expect(await codeOf(browser().logIn(ann.device))).toBe('unknown-passkey');
    expect(await list(ann)).toEqual([]);
    expect(await remove(ann, ann.device.id, password)).toBe('done');
    expect(await auth.store.collection('passkeys').findOne({ accountId: ann.id })).toBeNull();
  });

  it('is allowed for its owner only', async () => {
    const [ann, bob] = [await keyholder(), await member(auth)];
    expect(await remove(bob, ann.device.id, password)).toBe('forbidden');
    expect(await list(ann)).toHaveLength(1);
  });

  it('never removes the last login method, also concurrently', async () => {
    const own = await startAuthForTest();
    const ann = await keyholder(own);
    const second = createAuthenticator();
    await browser(own).add(ann, second);
    // As for an account created with Google, which was then unlinked.
    await own.store.collection('accounts').updateMany({}, { $unset: { passwordHash: 1 } });
    const both = [ann.device.id, second.id].map((id) => remove(ann, id, undefined, own));
    expect((await Promise.all(both)).toSorted()).toEqual(['done', 'last-login-method']);
    expect(await list(ann, own)).toHaveLength(1);
  });
});

it('an account without a password can add a passkey only in a fresh session', async () => {
  const own = await startAuthForTest();
  const ann = await member(own);
  await own.store.collection('accounts').updateMany({}, { $unset: { passwordHash: 1 } });
  const { client } = browser(own);
  await client.startPasskey({ body: {} }, { token: ann.token });
  const iat = Date.now() / 1_000 - 3_600;
  const token = signToken({ sub: String(ann.id), username: ann.username, iat });
  expect(await codeOf(client.startPasskey({ body: {} }, { token }))).toBe('reauthentication-required');
});

it('adding and removing are sent to the confirmed email address, and logged as security events', async () => {
  const ann = await member(auth);
  const email = `${newName()}@wayquest.example`;
  await confirmAddress(auth, ann, email);
  const { id } = await browser().add(ann, createAuthenticator(), {}, 'My phone');
  const added = await newestMail(auth, email, 2);
  expect(added.subject).toBe('A passkey was added to your account');
  expect(added.text).toContain('“My phone”');
  await remove(ann, id, password);
  expect((await newestMail(auth, email, 3)).subject).toBe('A passkey was removed from your account');
  const events = securityEvents().filter(({ userId }) => userId === ann.id);
  expect(events.map((event) => event.security)).toEqual([
    'email-changed',
    'passkey-added',
    'passkey-removed',
  ]);
});

describe('the stored data of a user', () => {
  it('exports the names and dates of their passkeys, and no key', async () => {
    const ann = await keyholder();
    const records: OwnData['records'] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const query: { cursor?: string } = cursor ? { cursor } : {};
      const page: OwnData = await auth.client.listOwnAuthData({ query }, { token: ann.token });
      records.push(...page.records);
      cursor = page.next;
    }
    const passkeys = records.filter(({ kind }) => kind === 'passkeys');
    expect(passkeys).toEqual([
      {
        kind: 'passkeys',
        data: { id: ann.device.id, name: 'My key', madeAt: expect.any(String) },
      },
    ]);
    const everything = JSON.stringify(records);
    const stored = await auth.store.collection('passkeys').findOne({ accountId: ann.id });
    expect(stored?.publicKey).toMatch(/^[\w-]+$/);
    expect(everything).not.toContain(stored?.publicKey);
  });

  it('is deleted with the account', async () => {
    const own = await startAuthForTest({ deletionGraceDays: 0, deletionsEveryMs: 10 });
    const ann = await keyholder(own);
    await own.client.deleteAccount({ body: { currentPassword: password } }, { token: ann.token });
    await eventually(async () => expect(await own.store.collection('passkeys').countDocuments()).toBe(0));
    expect(await codeOf(browser(own).logIn(ann.device))).toBe('unknown-passkey');
  });
});
