import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createRecordingLogger,
  eventually,
  type Network,
  newUser,
  recordEvents,
  startFakeGoogle,
  startNetwork,
  type TestUser,
  testPassword,
} from '@wayquest/testing';
import { bodyOf, codeOf, confirmAddress, member, newestMail, startAuthForTest } from './auth-service.ts';

const { logger, hasLogged } = createRecordingLogger();
let network: Network;
let told: unknown[];
beforeAll(async () => {
  network = await startNetwork({ services: ['auth', 'users'], logger });
  told = recordEvents(network);
});
afterAll(() => network?.stop());

const newAddress = () => `${randomUUID().slice(0, 8)}@wayquest.example`;
const newest = (address: string, count?: number) => newestMail(network, address, count);
const confirm = (token: string) => network.client().confirmEmail({ body: { token } });
const reset = (token: string, password: string) =>
  network.client().resetPassword({ body: { token, password } });
const forgot = (email: string) => network.client().forgotPassword({ body: { email } });
const login = ({ username }: TestUser, password: string) =>
  network.client().login({ body: { username, password } });

/** Signs up a user and confirms their email address. */
async function reachable() {
  const person = await newUser(network);
  const email = newAddress();
  await person.client.updateMe({ body: { email } });
  await confirm((await newest(email)).token);
  return { ...person, email };
}
/** Signs a token of the same user that is an hour old. */
const anHourOld = ({ me, username }: TestUser) =>
  network.client(network.signToken({ sub: String(me.id), username, iat: Date.now() / 1_000 - 3_600 }));

describe('an e-mail address', () => {
  it('is confirmed by its link, once; the previous address gets an email', async () => {
    const person = await newUser(network);
    const [first, second] = [newAddress(), newAddress()];
    expect(await person.client.updateMe({ body: { email: first } })).toMatchObject({ email: first });
    const mail = await newest(first);
    expect(mail).toMatchObject({ subject: 'Confirm your email address', path: '/confirm-email' });
    expect(mail.text).toContain(`Hello ${person.username},`);
    expect(await person.client.getAccount()).toEqual({
      email: '',
      hasPassword: true,
      deletionGraceDays: 14,
      google: 'not-configured',
      openId: 'not-configured',
    });
    await confirm(mail.token);
    expect(await person.client.getAccount()).toMatchObject({ email: first });
    expect(await codeOf(confirm(mail.token))).toBe('invalid-link');

    await person.client.updateMe({ body: { email: second } });
    await confirm((await newest(second)).token);
    expect((await newest(first, 2)).subject).toBe('Your email address was changed');
    expect(await person.client.getAccount()).toMatchObject({ email: second });

    await person.client.updateMe({ body: { email: '' } });
    expect((await newest(second, 2)).subject).toBe('Your email address was changed');
    expect(await person.client.getAccount()).toMatchObject({ email: '' });
  });

  it('gets emails in the language of the browser', async () => {
    const { token } = await newUser(network);
    const email = newAddress();
    const { headers, body } = bodyOf({ email });
    await fetch(`${network.url}/auth/me`, {
      ...{ method: 'PUT', body: body ?? null },
      headers: { ...headers, authorization: token, 'accept-language': 'zh-CN,zh;q=0.9,en;q=0.8' },
    });
    expect((await newest(email)).subject).toBe('请确认你的邮箱');
  });
});

describe('a forgotten password', () => {
  it('is replaced with a link that works once; all sessions end, and the address gets an email', async () => {
    const person = await reachable();
    await forgot(person.email.toUpperCase());
    const { token, path } = await newest(person.email, 2);
    expect(path).toBe('/reset');
    const account = () => network.client().getResetLink({ body: { token } });
    expect([await account(), await account()]).toEqual(Array(2).fill({ username: person.username }));
    expect(await codeOf(reset(token, 'Football1'))).toBe('invalid-request');
    await reset(token, 'a brand new password');
    expect((await newest(person.email, 3)).subject).toBe('Your password was changed');
    expect(await codeOf(person.client.getAccount())).toBe('invalid-token');
    expect(await codeOf(login(person, testPassword))).toBe('invalid-credentials');
    expect(await codeOf(login(person, 'a brand new password'))).toBe('done');
    expect(await codeOf(reset(token, 'one more new password'))).toBe('invalid-link');
    expect(await codeOf(account())).toBe('invalid-link');
  });

  it('keeps passkeys and Google, and the email lists them with a link to remove them', async () => {
    const google = await startFakeGoogle();
    const auth = await startAuthForTest({ google: google.config });
    try {
      const person = await member(auth);
      const email = newAddress();
      await confirmAddress(auth, person, email);
      const recovered = async (count: number, language = 'en') => {
        await auth.client.forgotPassword({ body: { email } });
        const link = await newestMail(auth, email, count);
        const { headers, ...call } = bodyOf({ token: link.token, password: `new password ${count}` });
        await fetch(`${auth.url}/auth/reset`, {
          ...call,
          headers: { ...headers, 'accept-language': language },
        });
        return (await newestMail(auth, email, count + 1)).text;
      };
      expect(await recovered(2)).not.toMatch(/passkey|Google/);

      const passkeys = [randomUUID(), randomUUID()];
      const names = ['My phone', 'Not mine'];
      const store = auth.store.collection<{ _id: string }>('passkeys');
      for (const [nth, _id] of passkeys.entries())
        await store.insertOne({
          ...{ _id, accountId: person.id, name: names[nth], publicKey: '', counter: 0 },
          madeAt: new Date(nth),
        } as { _id: string });
      const $set = { passkeys, googleId: randomUUID() };
      await auth.store.collection<{ _id: number }>('accounts').updateOne({ _id: person.id }, { $set });
      expect(await recovered(4)).toContain(
        "these can be used to log in: the passkey “My phone”, the passkey “Not mine”, the linked Google account. If one of them isn't yours, remove it in your settings: http://localhost:8080/settings#login",
      );
      expect(await recovered(6, 'zh')).toContain(
        '以下方式仍可不用密码登录你的账号：通行密钥“My phone”、通行密钥“Not mine”、已关联的 Google 账号。',
      );
      const { token: again } = await auth.client.login({
        body: { username: person.username, password: 'new password 6' },
      });
      expect((await auth.client.listPasskeys({}, { token: again })).map(({ name }) => name)).toEqual(names);
      expect(await auth.client.getAccount({}, { token: again })).toMatchObject({ google: 'linked' });

      // A change within a session sends the same list.
      const body = { currentPassword: 'new password 6', newPassword: 'one more password' };
      await auth.client.changePassword({ body }, { token: again });
      expect((await newestMail(auth, email, 8)).text).toContain('the passkey “Not mine”');
    } finally {
      await google.stop();
    }
  });

  it('lets exactly one of several concurrent calls use a link', async () => {
    const person = await reachable();
    await forgot(person.email);
    const { token } = await newest(person.email, 2);
    const codes = await Promise.all([1, 2, 3, 4].map((nth) => codeOf(reset(token, `new password ${nth}`))));
    expect(codes.toSorted()).toEqual(['done', 'invalid-link', 'invalid-link', 'invalid-link']);
  });

  it('gets the same response for any address, and sends no email to an unconfirmed one', async () => {
    const person = await newUser(network);
    const [unconfirmed, nobodys] = [newAddress(), newAddress()];
    await person.client.updateMe({ body: { email: unconfirmed } });
    await newest(unconfirmed);
    const known = await reachable();
    const answers = await Promise.all(
      [known.email, unconfirmed, nobodys].map(async (email) => {
        const response = await fetch(`${network.url}/auth/forgot`, bodyOf({ email }));
        return [response.status, await response.text()];
      }),
    );
    expect(answers).toEqual([
      [204, ''],
      [204, ''],
      [204, ''],
    ]);
    await newest(known.email, 2);
    expect(await network.mailsTo(unconfirmed)).toHaveLength(1);
    expect(await network.mailsTo(nobodys)).toEqual([]);
  });

  it('has no valid link after the address or password changed', async () => {
    const person = await reachable();
    const requestLink = async (count: number) => {
      await forgot(person.email);
      return (await newest(person.email, count)).token;
    };
    const beforeChange = await requestLink(2);
    const body = { currentPassword: testPassword, newPassword: 'changed by its owner' };
    const { token } = await person.client.changePassword({ body });
    expect((await newest(person.email, 3)).subject).toBe('Your password was changed');
    expect(await codeOf(reset(beforeChange, 'too late a password'))).toBe('invalid-link');
    const beforeMove = await requestLink(4);
    const other = newAddress();
    await network.client(token).updateMe({ body: { email: other } });
    await confirm((await newest(other)).token);
    expect(await codeOf(reset(beforeMove, 'too late a password'))).toBe('invalid-link');
  });
});

describe('login methods', () => {
  it('can be changed without the password only in a fresh session', async () => {
    const person = await reachable();
    const old = anHourOld(person);
    const email = newAddress();
    const username = `n${randomUUID().slice(0, 8)}`;
    for (const change of [{ email }, { username }]) {
      expect(await codeOf(old.updateMe({ body: change }))).toBe('password-required');
      const wrong = { ...change, currentPassword: 'not the password' };
      expect(await codeOf(old.updateMe({ body: wrong }))).toBe('invalid-credentials');
    }
    expect(await old.updateMe({ body: { city: 'Queens', email: person.email } })).toMatchObject({
      city: 'Queens',
      username: person.username,
    });
    const right = { email, username, currentPassword: testPassword };
    expect(await old.updateMe({ body: right })).toMatchObject({ email, username });
    const mail = await newest(person.email, 2);
    expect(mail.subject).toBe('Your username was changed');
    expect(mail.text).toContain(person.username);
    const newPassword = 'another good password';
    expect(await codeOf(person.client.changePassword({ body: { newPassword } }))).toBe('password-required');
  });
});

it('stores no secret in the log, on the bus or in plain text in the store', async () => {
  const person = await reachable();
  await forgot(person.email);
  const { token } = await newest(person.email, 2);
  await network.settle();
  expect(hasLogged('wrote an email to a file')).toBe(true);
  for (const secret of [token, person.email]) expect(hasLogged(secret)).toBe(false);
  expect(JSON.stringify(told)).not.toContain(token);
  expect(JSON.stringify(told)).not.toContain(person.email);
  const { mode } = await stat(join(tmpdir(), network.databasePrefix, 'mail'));
  expect(mode & 0o77).toBe(0);
});

it('limits the links sent to an address, and requested from a network, per hour', async () => {
  const limit = (max: number) => ({ max, seconds: 3_600 });
  const auth = await startAuthForTest({ attemptLimits: { links: limit(2), passwordRequests: limit(4) } });
  const { token } = await member(auth);
  const email = newAddress();
  await confirmAddress(auth, { token }, email);
  const forgotten = () => codeOf(auth.client.forgotPassword({ body: { email } }));
  expect([await forgotten(), await forgotten(), await forgotten(), await forgotten()]).toEqual(
    Array(4).fill('done'),
  );
  expect(await forgotten()).toBe('too-many-attempts');
  await newestMail(auth, email, 2);
});

it('sends a link for each account with the address, but for five at most', async () => {
  const auth = await startAuthForTest();
  const people = await Promise.all([1, 2, 3, 4, 5, 6, 7].map(() => member(auth)));
  const [shared, own] = [newAddress(), newAddress()];
  const accounts = auth.store.collection<{ _id: number }>('accounts');
  const setAddress = (ids: number[], email: string) =>
    accounts.updateMany({ _id: { $in: ids } }, { $set: { email, emailKey: email } });
  const ids = people.map(({ id }) => id);
  await setAddress(ids.slice(0, 6), shared);
  await setAddress(ids.slice(6), own);
  await auth.client.forgotPassword({ body: { email: shared } });
  await eventually(async () => expect((await auth.mailsTo(shared)).length).toBeGreaterThanOrEqual(5));
  // By the time a later one is sent, a sixth would have been.
  await auth.client.forgotPassword({ body: { email: own } });
  await eventually(async () => expect(await auth.mailsTo(own)).toHaveLength(1));
  expect(await auth.mailsTo(shared)).toHaveLength(5);
});
