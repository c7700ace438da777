import { randomUUID } from 'node:crypto';
import { createClient } from '@wayquest/contracts';
import { createLogger } from '@wayquest/platform/telemetry';
import {
  createTestClock,
  eventually,
  type FakeGoogle,
  newEvent,
  signToken,
  startFakeGoogle,
  storeUrl,
} from '@wayquest/testing';
import {
  accountsIn,
  approveAccount,
  createInvitation,
  declineAccount,
  endSessionsOf,
  passwordLinkOf,
  setAdmin,
} from '../src/index.ts';
import {
  claimsOf,
  codeOf,
  newestMail,
  newName,
  openCookieBrowser,
  password,
  type RunningAuth,
  startAuth,
  startAuthForTest,
} from './auth-service.ts';

const dayMs = 24 * 60 * 60 * 1_000;

let google: FakeGoogle;
let auth: RunningAuth;
beforeAll(async () => {
  google = await startFakeGoogle();
  auth = await startAuth({ registration: 'approval', google: google.config });
});
afterAll(async () => {
  await auth.stop();
  await google.stop();
});

/** The store of a service, for commands. */
const storeOf = ({ databasePrefix }: RunningAuth) => ({
  mongoUrl: storeUrl(),
  databasePrefix,
  logger: createLogger({ name: 'test', level: 'silent' }),
});

const adminOf = ({ url }: RunningAuth) =>
  createClient({ baseUrl: url, token: () => signToken({ sub: '900001', username: 'admin', admin: true }) });

const signUp = (
  { url }: RunningAuth,
  {
    username = newName(),
    key,
    ...fields
  }: { username?: string; key?: string; email?: string; invitation?: string } = {},
) =>
  createClient({
    baseUrl: url,
    headers: (): Record<string, string> => ({
      'accept-language': 'zh',
      ...(key && { 'idempotency-key': key }),
    }),
  }).signup({ body: { username, password, ...fields } });

/** Somebody who has signed up and waits. */
async function newWaiting(running = auth, fields: { email?: string } = {}) {
  const username = newName();
  expect(await codeOf(signUp(running, { username, ...fields }))).toBe('account-waiting');
  const [account] = await adminOf(running).listAccounts({ query: { filter: 'waiting', search: username } });
  if (!account) throw new Error('the account is not listed');
  return account;
}

const logIn = ({ client }: RunningAuth, username: string, secret = password) =>
  client.login({ body: { username, password: secret } });

const eventsAbout = ({ events }: RunningAuth, id: number) =>
  events.filter(({ data }) => ('id' in data && data.id === id) || ('userId' in data && data.userId === id));

const signInWithGoogle = async (running: RunningAuth, sub: string, query = '') => {
  const { go, client } = openCookieBrowser(running);
  const location = await go(`${running.url}/api/googleOauth${query}`);
  google.person = { sub, name: 'Ada Lovelace', email: 'ada@example.com' };
  const finished = await go(await go(location));
  const code = new URLSearchParams(finished.split('#')[1]).get('code') ?? '';
  return { finished, finish: () => client.exchangeLoginCode({ body: { code } }) };
};

describe('a sign-up that needs approval', () => {
  it('creates an account that nobody can log in to, with a sentence only for who knows the password', async () => {
    const username = newName();
    await expect(signUp(auth, { username })).rejects.toMatchObject({
      status: 403,
      message: 'Your account is waiting for approval. An administrator looks at it, then you can log in.',
    });
    expect(await codeOf(logIn(auth, username))).toBe('account-waiting');
    expect(await codeOf(logIn(auth, username, 'not the password'))).toBe('invalid-credentials');
    expect(await codeOf(signUp(auth, { username }))).toBe('username-taken');
  });

  it('is the same when it is repeated', async () => {
    const person = { username: newName(), key: 'repeated' };
    for (const _ of [1, 2]) expect(await codeOf(signUp(auth, person))).toBe('account-waiting');
    const found = await accountsIn({ ...storeOf(auth), search: person.username });
    expect(found).toMatchObject([{ username: person.username, waitingUntil: expect.any(Date) }]);
  });

  it('is unknown to other services, also to those that rebuild their replicas', async () => {
    const [waiting, approved] = [await newWaiting(), await newWaiting()];
    await adminOf(auth).approveAccount({ params: { id: approved.id } });
    await auth.settle();
    expect(eventsAbout(auth, approved.id)).toHaveLength(1);
    await auth.publish(newEvent('replica.rebuild-requested.v1', { service: 'users' }));
    await eventually(() => expect(eventsAbout(auth, approved.id)).toHaveLength(2));
    await auth.settle();
    expect(eventsAbout(auth, waiting.id)).toEqual([]);
  });

  it('cannot be changed by commands before it is approved', async () => {
    const { username } = await newWaiting();
    const reference = { ...storeOf(auth), username };
    for (const change of [
      () => setAdmin({ ...reference, admin: true }),
      () => endSessionsOf(reference),
      () => passwordLinkOf(reference),
    ])
      await expect(change()).rejects.toThrow('That account is waiting for approval. Approve it first.');
  });

  it('leaves nothing to appeal against', async () => {
    const { username } = await newWaiting();
    const appeal = auth.client.appealSuspension({ body: { username, password, comment: 'Let me in' } });
    expect(await codeOf(appeal)).toBe('nothing-to-appeal');
  });

  it('is not necessary with an invitation', async () => {
    const invitation = await createInvitation({ ...storeOf(auth), invitation: { uses: 1, days: 7 } });
    const username = newName();
    await signUp(auth, { username, invitation: invitation.code });
    await logIn(auth, username);
    expect(await codeOf(signUp(auth, { invitation: invitation.code }))).toBe('invitation-invalid');
  });

  it('applies to a first sign-in with Google, which is the same account after the approval', async () => {
    const sub = randomUUID();
    const first = await signInWithGoogle(auth, sub);
    expect(first.finished).toMatch(/&new=1$/);
    expect(await codeOf(first.finish())).toBe('account-waiting');
    const again = await signInWithGoogle(auth, sub);
    expect(again.finished).not.toContain('new=1');
    expect(await codeOf(again.finish())).toBe('account-waiting');

    const waiting = await auth.store.collection('accounts').findOne({ googleId: sub });
    await adminOf(auth).approveAccount({ params: { id: Number(waiting?._id) } });
    const { token } = await (await signInWithGoogle(auth, sub)).finish();
    expect(claimsOf(token).sub).toBe(String(waiting?._id));

    const { code } = await createInvitation({ ...storeOf(auth), invitation: { uses: 1, days: 7 } });
    await (await signInWithGoogle(auth, randomUUID(), `?invitation=${code}`)).finish();
  });

  it('is rejected while too many are waiting', async () => {
    const own = await startAuthForTest({
      registration: 'approval',
      maxWaitingAccounts: 2,
      google: google.config,
    });
    const [first] = [await newWaiting(own), await newWaiting(own)];
    const key = 'the-third';
    const username = newName();
    expect(await codeOf(signUp(own, { username, key }))).toBe('registration-full');
    expect((await signInWithGoogle(own, randomUUID())).finished).toBe('/login#problem=registration-full');
    await adminOf(own).declineAccount({ params: { id: first.id } });
    expect(await codeOf(signUp(own, { username, key }))).toBe('account-waiting');
  });

  it('is deleted after 30 days without an answer, and its username is free', async () => {
    const clock = createTestClock(Date.now());
    const own = await startAuthForTest({ registration: 'approval', clock, deletionsEveryMs: dayMs });
    const [expired, approved] = [await newWaiting(own), await newWaiting(own)];
    await adminOf(own).approveAccount({ params: { id: approved.id } });
    await clock.advance(30 * dayMs - 1);
    expect(await codeOf(logIn(own, expired.username))).toBe('account-waiting');
    await clock.advance(2 * dayMs);
    await eventually(async () =>
      expect(await codeOf(logIn(own, expired.username))).toBe('invalid-credentials'),
    );
    await logIn(own, approved.username);
    expect(await codeOf(signUp(own, { username: expired.username }))).toBe('account-waiting');
    await own.settle();
    expect(eventsAbout(own, expired.id)).toEqual([]);
  });
});

describe('an approval', () => {
  it('publishes the account once, and lets its person log in', async () => {
    const { id, username, waitingUntil } = await newWaiting();
    expect(waitingUntil).toEqual(expect.any(String));
    const admin = adminOf(auth);
    const approved = await admin.approveAccount({ params: { id } });
    expect(approved).toMatchObject({ id, username, email: '', waitingUntil: null });
    expect(await admin.approveAccount({ params: { id } })).toEqual(approved);
    await logIn(auth, username);
    await auth.settle();
    expect(eventsAbout(auth, id)).toMatchObject([
      { name: 'user.registered.v1', data: { id, username, admin: false, version: 2 } },
    ]);
    expect(await admin.listAccounts({ query: { filter: 'waiting', search: username } })).toEqual([]);
  });

  it('is told to the address of the sign-up, in its language, with a link that confirms the address', async () => {
    const email = `${newName()}@Wayquest.example`;
    const { id, username, email: listed } = await newWaiting(auth, { email });
    expect(listed).toBe(email);
    expect(await auth.mailsTo(email)).toEqual([]);
    // Nothing is confirmed yet.
    await auth.client.forgotPassword({ body: { email } });
    await adminOf(auth).approveAccount({ params: { id } });
    const mail = await newestMail(auth, email);
    expect(mail).toMatchObject({ subject: '你的账号已获批准', path: '/confirm-email' });
    expect(mail.text).toContain('/login');
    const session = await logIn(auth, username);
    expect(await auth.client.getAccount({}, session)).toMatchObject({ email: '' });
    await auth.client.confirmEmail({ body: { token: mail.token ?? '' } });
    expect(await auth.client.getAccount({}, session)).toMatchObject({ email });
    const stored = await auth.store
      .collection<{ _id: number; waiting: object | null }>('accounts')
      .findOne({ _id: id });
    expect(stored?.waiting).toBeNull();
  });

  it('is also a command', async () => {
    const { username } = await newWaiting();
    const reference = { ...storeOf(auth), username: username.toUpperCase() };
    expect(await approveAccount(reference)).toBe(username);
    await logIn(auth, username);
    await expect(approveAccount(reference)).rejects.toThrow("That account isn't waiting for approval.");
    expect(await approveAccount({ ...reference, username: 'nobody-here' })).toBeUndefined();
  });
});

describe('declining', () => {
  it('deletes the account, of which nobody else ever hears, and frees its username', async () => {
    const { id, username } = await newWaiting(auth, { email: 'ann@wayquest.example' });
    const admin = adminOf(auth);
    await admin.declineAccount({ params: { id } });
    expect(await codeOf(logIn(auth, username))).toBe('invalid-credentials');
    expect(await codeOf(admin.declineAccount({ params: { id } }))).toBe('user-not-found');
    expect(await codeOf(admin.approveAccount({ params: { id } }))).toBe('user-not-found');
    await auth.settle();
    expect(eventsAbout(auth, id)).toEqual([]);
    expect(await auth.store.collection('username_looks').countDocuments({ accountId: id })).toBe(0);
    expect(await auth.mailsTo('ann@wayquest.example')).toEqual([]);
    expect(await codeOf(signUp(auth, { username }))).toBe('account-waiting');
  });

  it('is impossible for an account that is not waiting', async () => {
    const { id, username } = await newWaiting();
    const admin = adminOf(auth);
    await admin.approveAccount({ params: { id } });
    expect(await codeOf(admin.declineAccount({ params: { id } }))).toBe('account-not-waiting');
    await logIn(auth, username);
  });

  it('and approving at the same time have one result', async () => {
    const { id, username } = await newWaiting();
    const admin = adminOf(auth);
    const codes = await Promise.all([
      codeOf(admin.approveAccount({ params: { id } })),
      codeOf(admin.declineAccount({ params: { id } })),
    ]);
    const isApproved = (await codeOf(logIn(auth, username))) === 'done';
    expect(codes).toEqual(isApproved ? ['done', 'account-not-waiting'] : ['user-not-found', 'done']);
  });

  it('is also a command', async () => {
    const { username } = await newWaiting();
    expect(await declineAccount({ ...storeOf(auth), username })).toBe(username);
    expect(await declineAccount({ ...storeOf(auth), username })).toBeUndefined();
  });
});
