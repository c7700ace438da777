import { randomUUID } from 'node:crypto';
import { createClient } from '@wayquest/contracts';
import { createLogger } from '@wayquest/platform/telemetry';
import { createTestClock, type FakeGoogle, startFakeGoogle, storeUrl } from '@wayquest/testing';
import {
  accountsIn,
  createAccount,
  createInvitation,
  invitationsIn,
  passwordLinkOf,
  revokeInvitation,
} from '../src/index.ts';
import { call, limits, minute } from './attempts.ts';
import {
  bodyOf,
  claimsOf,
  codeOf,
  confirmAddress,
  member,
  newestMail,
  newName,
  password,
  type RunningAuth,
  startAuth,
  startAuthForTest,
} from './auth-service.ts';

const hourMs = 60 * 60 * 1_000;
const dayMs = 24 * hourMs;

let google: FakeGoogle;
let invited: RunningAuth;
let closed: RunningAuth;
beforeAll(async () => {
  google = await startFakeGoogle();
  invited = await startAuth({ registration: 'invitation', google: google.config });
  closed = await startAuth({ registration: 'closed', google: google.config });
});
afterAll(async () => {
  await closed.stop();
  await invited.stop();
  await google.stop();
});

/** The store of a service, for commands. */
const storeOf = ({ databasePrefix }: RunningAuth) => ({
  mongoUrl: storeUrl(),
  databasePrefix,
  logger: createLogger({ name: 'test', level: 'silent' }),
});
const invite = (auth: RunningAuth, { uses = 1, days = 7 } = {}) =>
  createInvitation({ ...storeOf(auth), invitation: { uses, days } });
const usesLeftOf = async (auth: RunningAuth, id: string) =>
  (await invitationsIn(storeOf(auth))).find((invitation) => invitation.id === id)?.usesLeft;

const signUp = (
  auth: RunningAuth,
  invitation?: string,
  { username = newName(), key }: { username?: string; key?: string } = {},
) =>
  createClient({
    baseUrl: auth.url,
    headers: (): Record<string, string> => (key ? { 'idempotency-key': key } : {}),
  }).signup({
    body: { username, password, ...(invitation !== undefined && { invitation }) },
  });

const someone = () => ({ sub: randomUUID(), name: 'Ada Lovelace', email: 'ada@example.com' });

/** Signs in with Google; returns where the browser is redirected at the end. */
async function signInWithGoogle(auth: RunningAuth, person: ReturnType<typeof someone>, query = '') {
  const go = (url: string, cookie = '') => fetch(url, { redirect: 'manual', headers: { cookie } });
  const locationOf = (response: Response) => response.headers.get('location') ?? '';
  const started = await go(`${auth.url}/api/googleOauth${query}`);
  const cookie = started.headers.get('set-cookie')?.split(';')[0] ?? '';
  google.person = person;
  const back = locationOf(await go(locationOf(started)));
  return { toGoogle: locationOf(started), back, location: locationOf(await go(back, cookie)) };
}

describe('the setting of who can sign up', () => {
  it.each(['open', 'approval', 'invitation', 'closed'] as const)(
    'is told to everybody: %s',
    async (registration) => {
      const { client } = await startAuthForTest({ registration });
      expect(await client.getRegistration()).toEqual({ registration, openId: null, passwordLogin: 'on' });
    },
  );

  it('is open without one, where an invitation is neither needed nor used', async () => {
    const auth = await startAuthForTest();
    expect(await auth.client.getRegistration()).toMatchObject({ registration: 'open' });
    const { id, code } = await invite(auth);
    for (const invitation of [undefined, 'never made', code]) await signUp(auth, invitation);
    expect(await usesLeftOf(auth, id)).toBe(1);
  });
});

describe('a closed door', () => {
  it('rejects every sign-up with a sentence, also one with an invitation', async () => {
    const { id, code } = await invite(closed);
    for (const invitation of [undefined, code])
      expect(await codeOf(signUp(closed, invitation))).toBe('registration-closed');
    expect(await usesLeftOf(closed, id)).toBe(1);
    const response = await fetch(`${closed.url}/auth/signup`, bodyOf({ username: newName(), password }));
    expect([response.status, await response.text()]).toEqual([
      403,
      "This Wayquest doesn't take new members. If you have an account, please log in.",
    ]);
  });

  it('rejects a new person from Google, and creates no account', async () => {
    const person = { ...someone(), name: 'Zora Closed' };
    const { code } = await invite(closed);
    for (const query of ['', `?invitation=${code}`])
      expect((await signInWithGoogle(closed, person, query)).location).toBe(
        '/login#problem=registration-closed',
      );
    expect(await accountsIn({ ...storeOf(closed), search: 'zora' })).toEqual([]);
  });

  it('lets those who have an account log in, with a password and with Google', async () => {
    const open = await startAuthForTest({ google: google.config, keepData: true });
    const { username } = await member(open);
    const person = someone();
    expect((await signInWithGoogle(open, person)).location).toContain('&new=1');
    await open.stop();

    const { databasePrefix } = open;
    const auth = await startAuthForTest({ databasePrefix, google: google.config, registration: 'closed' });
    await auth.client.login({ body: { username, password } });
    expect((await signInWithGoogle(auth, person)).location).toMatch(/^\/login#code=[\w-]{43}$/);
  });

  it('keeps what was created before: a repeated sign-up gets its session', async () => {
    const open = await startAuthForTest({ keepData: true });
    const person = { username: newName(), key: 'before' };
    const first = claimsOf((await signUp(open, undefined, person)).token);
    await open.stop();
    const auth = await startAuthForTest({
      databasePrefix: open.databasePrefix,
      registration: 'closed',
    });
    expect(claimsOf((await signUp(auth, undefined, person)).token).sub).toBe(first.sub);
    expect(await codeOf(signUp(auth, undefined, { ...person, key: 'after' }))).toBe('registration-closed');
  });
});

describe('an invitation', () => {
  it('is required for a new account, with a sentence that says so', async () => {
    for (const invitation of [undefined, '', '  '])
      expect(await codeOf(signUp(invited, invitation))).toBe('invitation-required');
    const response = await fetch(`${invited.url}/auth/signup`, bodyOf({ username: newName(), password }));
    expect(await response.text()).toBe(
      'You need an invitation to sign up here. Please open its link, or enter its code.',
    );
  });

  it('is for one account unless it says more', async () => {
    const single = await invite(invited);
    await signUp(invited, ` ${single.code}\n`);
    expect(await codeOf(signUp(invited, single.code))).toBe('invitation-invalid');

    const triple = await invite(invited, { uses: 3 });
    for (const usesLeft of [2, 1, 0]) {
      await signUp(invited, triple.code);
      expect(await usesLeftOf(invited, triple.id)).toBe(usesLeft);
    }
    expect(await codeOf(signUp(invited, triple.code))).toBe('invitation-invalid');
  });

  it('is for as many of several concurrent sign-ups as it has uses', async () => {
    const { id, code } = await invite(invited, { uses: 2 });
    const codes = await Promise.all(Array.from({ length: 8 }, () => codeOf(signUp(invited, code))));
    expect(codes.toSorted()).toEqual(['done', 'done', ...Array(6).fill('invitation-invalid')]);
    expect(await usesLeftOf(invited, id)).toBe(0);
  });

  it('is not used up by a sign-up that fails for another reason', async () => {
    const { username } = await createAccount({ ...storeOf(invited), username: newName() });
    const { id, code } = await invite(invited);
    for (const key of ['one', 'two'])
      expect(await codeOf(signUp(invited, code, { username, key }))).toBe('username-taken');
    expect(await codeOf(signUp(invited, code, { username: 'admin' }))).toBe('username-taken');
    await Promise.all(
      Array.from({ length: 5 }, () => codeOf(signUp(invited, code, { username, key: 'concurrent' }))),
    );
    const body = { username: newName(), password: 'football', invitation: code };
    expect(await codeOf(invited.client.signup({ body }))).toBe('invalid-request');
    expect(await usesLeftOf(invited, id)).toBe(1);
    await signUp(invited, code);
  });

  it('is not used up by a sign-up for which the server is too busy', async () => {
    const busy = await startAuthForTest({ registration: 'invitation', passwordLimits: { queue: 0 } });
    const { id, code } = await invite(busy);
    expect(await codeOf(signUp(busy, code))).toBe('service-unavailable');
    expect(await usesLeftOf(busy, id)).toBe(1);
  });

  it('is used once by a sign-up that is repeated with its idempotency key', async () => {
    const { id, code } = await invite(invited, { uses: 3 });
    const person = { username: newName(), key: 'repeated' };
    const first = claimsOf((await signUp(invited, code, person)).token);
    for (const _ of [1, 2]) expect(claimsOf((await signUp(invited, code, person)).token).sub).toBe(first.sub);
    expect(await usesLeftOf(invited, id)).toBe(2);
    // Also once it is used up, and revoked.
    const last = await invite(invited);
    const other = { username: newName(), key: 'other' };
    await signUp(invited, last.code, other);
    await signUp(invited, last.code, other);
    await revokeInvitation({ ...storeOf(invited), id: last.id });
    await signUp(invited, last.code, other);
  });

  it('is used once by concurrent calls of one sign-up', async () => {
    const { id, code } = await invite(invited, { uses: 5 });
    const person = { username: newName(), key: 'concurrent' };
    // Those that come while the account is being created may be rejected.
    const codes = await Promise.all(Array.from({ length: 5 }, () => codeOf(signUp(invited, code, person))));
    expect(codes).toContain('done');
    expect(codes.filter((one) => one !== 'done' && one !== 'username-taken')).toEqual([]);
    expect(await usesLeftOf(invited, id)).toBe(4);
  });

  it('is for one account, whatever key a client sends with several usernames', async () => {
    const { code } = await invite(invited);
    const codes = await Promise.all(
      [newName(), newName(), newName()].map((username) =>
        codeOf(signUp(invited, code, { username, key: 'the-same' })),
      ),
    );
    expect(codes.toSorted()).toEqual(['done', 'invitation-invalid', 'invitation-invalid']);
  });

  it('is for one account, even if its person changes their username', async () => {
    const { code } = await invite(invited);
    const person = { username: newName(), key: 'renamed' };
    const { token } = await signUp(invited, code, person);
    await invited.client.changeUsername({ body: { username: newName() } }, { token });
    expect(await codeOf(signUp(invited, code, person))).toBe('username-taken');
  });

  it('expires', async () => {
    const clock = createTestClock(Date.now());
    const auth = await startAuthForTest({ registration: 'invitation', clock });
    const [week, month] = [await invite(auth, { uses: 2 }), await invite(auth, { days: 30 })];
    // Commands go by the time of the system, which was a little later.
    await clock.advance(7 * dayMs - hourMs);
    await signUp(auth, week.code);
    await clock.advance(2 * hourMs);
    expect(await codeOf(signUp(auth, week.code))).toBe('invitation-invalid');
    await signUp(auth, month.code);
  });

  it('that was never made or was revoked is rejected with a sentence', async () => {
    const { id, code } = await invite(invited, { uses: 2 });
    await signUp(invited, code);
    await revokeInvitation({ ...storeOf(invited), id });
    await expect(revokeInvitation({ ...storeOf(invited), id })).rejects.toThrow(
      'That invitation no longer exists. It may have expired.',
    );
    for (const invitation of [code, id, 'never made', '$ne', 'claims.x'])
      expect(await codeOf(signUp(invited, invitation))).toBe('invitation-invalid');
    await expect(signUp(invited, code)).rejects.toMatchObject({
      status: 403,
      message:
        "That invitation has expired, has already been used or doesn't exist. Please ask for a new one.",
    });
  });

  it('is stored without its code, and without who made and used it', async () => {
    const { id, code } = await invite(invited);
    const username = newName();
    await signUp(invited, code, { username, key: 'a-key' });
    const stored = await invited.store.collection<{ _id: string }>('invitations').findOne({ _id: id });
    const fields = ['__v', '_id', 'claims', 'createdAt', 'expiresAt', 'uses', 'usesLeft'];
    expect(Object.keys(stored ?? {}).toSorted()).toEqual(fields);
    for (const secret of [code, username, 'a-key']) expect(JSON.stringify(stored)).not.toContain(secret);
    expect(Buffer.from(code, 'base64url')).toHaveLength(16);
  });

  it('cannot be guessed without a limit', async () => {
    const auth = await startAuthForTest({ registration: 'invitation', ...limits({ signup: minute(2) }) });
    const statuses = [];
    for (const invitation of ['a', 'b', 'c', 'd']) {
      const { status } = await call(auth, '/auth/signup', { username: newName(), password, invitation });
      statuses.push(status);
    }
    expect(statuses).toEqual([403, 403, 429, 429]);
  });
});

describe('a new person from Google', () => {
  it('needs an invitation, which is used once', async () => {
    const person = someone();
    const { id, code } = await invite(invited);
    expect((await signInWithGoogle(invited, person)).location).toBe('/login#problem=invitation-required');
    const { location } = await signInWithGoogle(invited, person, `?invitation=${code}`);
    expect(location).toMatch(/^\/login#code=[\w-]{43}&new=1$/);
    expect(await usesLeftOf(invited, id)).toBe(0);
    // Now they have an account.
    for (const query of ['', `?invitation=${code}`])
      expect((await signInWithGoogle(invited, person, query)).location).toMatch(/^\/login#code=[\w-]{43}$/);
  });

  it('is rejected with an invitation that is used up', async () => {
    const { code } = await invite(invited);
    await signUp(invited, code);
    const { location } = await signInWithGoogle(invited, someone(), `?invitation=${code}`);
    expect(location).toBe('/login#problem=invitation-invalid');
  });

  it('brings the invitation in a cookie of their browser, which Google never gets', async () => {
    const { code } = await invite(invited);
    const { toGoogle, back } = await signInWithGoogle(invited, someone(), `?invitation=${code}`);
    for (const url of [toGoogle, back]) expect(url).not.toContain(code);
  });
});

describe('an operator', () => {
  it('creates an account whoever can sign up, and its person sets a password with the link, once', async () => {
    const { username, token } = await createAccount({ ...storeOf(closed), username: newName() });
    await closed.settle();
    const registered = closed.events.find(({ data }) => 'username' in data && data.username === username);
    expect(registered).toMatchObject({ name: 'user.registered.v1', data: { admin: false, version: 1 } });
    expect(await codeOf(closed.client.login({ body: { username, password } }))).toBe('invalid-credentials');
    expect(await closed.client.getResetLink({ body: { token } })).toEqual({ username });
    await closed.client.resetPassword({ body: { token, password } });
    await closed.client.login({ body: { username, password } });
    expect(await codeOf(closed.client.resetPassword({ body: { token, password } }))).toBe('invalid-link');
  });

  it('cannot create an account whose username is taken, misleading, reserved or invalid', async () => {
    const { username, token } = await createAccount({ ...storeOf(closed), username: newName() });
    await closed.client.resetPassword({ body: { token, password } });
    const session = await closed.client.login({ body: { username, password } });
    const next = newName();
    await closed.client.changeUsername({ body: { username: next } }, session);
    for (const [requested, sentence] of [
      [next.toUpperCase(), 'That username is taken'],
      [username, 'That username is taken'],
      ['admin', 'That username could be mistaken for an official one. Please choose another.'],
      ['no spaces', 'A username must have 3 to 30 letters, digits, dots, underscores or hyphens.'],
    ] as const)
      await expect(createAccount({ ...storeOf(closed), username: requested })).rejects.toThrow(sentence);
  });

  it('cannot create an account in a store that no service has used', async () => {
    const unused = { ...storeOf(closed), databasePrefix: `test_${randomUUID().slice(0, 8)}` };
    await expect(createAccount({ ...unused, username: newName() })).rejects.toThrow(
      'start auth once, then try again',
    );
  });

  it('makes a link for a new password, which ends all sessions and is announced to the address of the account', async () => {
    const auth = await startAuthForTest();
    const { username, token } = await member(auth);
    const address = `${username}@wayquest.example`;
    await confirmAddress(auth, { token }, address);

    const link = await passwordLinkOf({ ...storeOf(auth), username: username.toUpperCase() });
    expect(link?.username).toBe(username);
    const body = { token: link?.token ?? '', password: 'a brand new password' };
    await auth.client.resetPassword({ body });
    expect(await codeOf(auth.client.getAccount({}, { token }))).toBe('invalid-token');
    await auth.client.login({ body: { username, password: 'a brand new password' } });
    await newestMail(auth, address, 2);
    const subjects = (await auth.mailsTo(address)).map(({ subject }) => subject);
    expect(subjects).toEqual(['Confirm your email address', 'Your password was changed']);
    expect(await passwordLinkOf({ ...storeOf(auth), username: 'nobody-here' })).toBeUndefined();
  });

  it('lists accounts, or those whose username contains a text', async () => {
    const auth = await startAuthForTest();
    const [ann, bob] = [await member(auth), await member(auth)];
    const store = storeOf(auth);
    expect(await accountsIn(store)).toEqual(
      [ann, bob].map(({ id, username }) => ({
        ...{ id, username, admin: false },
        since: expect.any(Date),
        suspendedUntil: undefined,
      })),
    );
    const found = await accountsIn({ ...store, search: bob.username.slice(2).toUpperCase() });
    expect(found.map(({ username }) => username)).toEqual([bob.username]);
    expect(await accountsIn({ ...store, search: 'nobody' })).toEqual([]);
  });

  it('lists invitations with their notes, the oldest first', async () => {
    const auth = await startAuthForTest();
    const store = storeOf(auth);
    const note = 'For the hiking club';
    const first = await createInvitation({ ...store, invitation: { uses: 20, days: 30, note } });
    const second = await invite(auth);
    expect(await invitationsIn(store)).toEqual([
      { id: first.id, uses: 20, usesLeft: 20, expiresAt: first.expiresAt, note },
      { id: second.id, uses: 1, usesLeft: 1, expiresAt: second.expiresAt, note: '' },
    ]);
  });
});
