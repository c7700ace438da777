import { createLogger } from '@wayquest/platform/telemetry';
import { createTestClock, storeUrl } from '@wayquest/testing';
import { createAccount, passwordLinkOf, setAdmin } from '../src/index.ts';
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
} from './auth-service.ts';
import { linkCodeIn, type OpenIdServer, openBrowser, someone, startOpenIdServer } from './openid-server.ts';

const clock = createTestClock(Date.now());
const person = someone();
let server: OpenIdServer;
let auth: RunningAuth;
/** Accounts from before: with a password and an identity, with a password only, and an admin. */
let linked: Awaited<ReturnType<typeof member>>;
let plain: Awaited<ReturnType<typeof member>>;
let admin: Awaited<ReturnType<typeof member>>;

const storeOf = ({ databasePrefix }: Pick<RunningAuth, 'databasePrefix'>) => ({
  ...{ mongoUrl: storeUrl(), databasePrefix },
  logger: createLogger({ name: 'test', level: 'silent' }),
});
const grant = (username: string, { databasePrefix }: RunningAuth, isAdmin = true) =>
  setAdmin({ ...storeOf({ databasePrefix }), username, admin: isAdmin });

beforeAll(async () => {
  server = await startOpenIdServer();
  const before = await startAuth({ openId: server.config, clock, keepData: true });
  [linked, plain, admin] = [await member(before), await member(before), await member(before)];
  const { visitForLink, go, client } = openBrowser(before, server);
  const code = linkCodeIn(await go(await visitForLink(linked, person)));
  await client.finishOpenIdLink({ body: { code } }, { token: linked.token });
  await grant(admin.username, before);
  await before.stop();
  const { databasePrefix } = before;
  auth = await startAuth({ openId: server.config, passwordLogin: 'off', clock, databasePrefix });
});
afterAll(async () => {
  await auth.stop();
  await server.stop();
});

const logIn = (username: string, given = password) =>
  codeOf(auth.client.login({ body: { username, password: given } }));
const refused = 'password-login-off';
const sentence = 'Only admins log in with a password here. Please log in another way.';

describe('without passwords for members', () => {
  it('is told to everybody', async () => {
    expect(await auth.client.getRegistration()).toMatchObject({ passwordLogin: 'off' });
  });

  it('is not what mails advise about', async () => {
    const session = await openBrowser(auth, server).logIn(someone());
    const email = 'nia@wayquest.example';
    await confirmAddress(auth, session, email);
    const [{ text: confirming = '' } = {}] = await auth.mailsTo(email);
    expect(confirming).toContain('that this is your email address.');
    await auth.client.changeUsername({ body: { username: newName() } }, { token: session.token });
    const { text } = await newestMail(auth, email, 2);
    expect(text).toContain(
      "If this wasn't you, log in, check your settings and log out of all devices there.",
    );
    for (const mail of [confirming, text]) expect(mail).not.toContain('assword');
  });

  it('rejects the right password with a sentence, and a wrong one as ever', async () => {
    for (const { username } of [linked, plain]) {
      expect(await logIn(username)).toBe(refused);
      expect(await logIn(username, 'not my password')).toBe('invalid-credentials');
    }
    expect(await logIn(newName())).toBe('invalid-credentials');
    const { username } = plain;
    const response = await fetch(`${auth.url}/auth/login`, bodyOf({ username, password }));
    expect([response.status, await response.text()]).toEqual([403, sentence]);
  });

  it('lets admins log in with theirs, and change it: the way back if the provider fails', async () => {
    const { username } = admin;
    expect(await logIn(username, 'not my password')).toBe('invalid-credentials');
    const { token } = await auth.client.login({ body: { username, password } });
    expect(claimsOf(token).admin).toBe(true);
    expect((await auth.client.getAccount({}, { token })).hasPassword).toBe(true);
    const newPassword = `${password}, newer`;
    const body = { currentPassword: password, newPassword };
    expect(await codeOf(auth.client.changePassword({ body }, { token }))).toBe('done');
    expect(await logIn(username, newPassword)).toBe('done');

    await grant(username, auth, false);
    expect(await logIn(username, newPassword)).toBe(refused);
  });

  it('creates no account with one', async () => {
    const username = newName();
    const response = await fetch(`${auth.url}/auth/signup`, bodyOf({ username, password }));
    expect([response.status, await response.text()]).toEqual([403, sentence]);
    expect(await auth.store.collection('accounts').countDocuments({ usernameKey: username })).toBe(0);
    expect(await openBrowser(auth, server).signIn()).toMatch(/&new=1$/);
  });

  it('sets and changes none', async () => {
    const { token } = await openBrowser(auth, server).logIn();
    const body = { newPassword: password };
    expect(await codeOf(auth.client.changePassword({ body }, { token }))).toBe(refused);
    const changed = auth.client.changePassword(
      { body: { ...body, currentPassword: password } },
      { token: plain.token },
    );
    expect(await codeOf(changed)).toBe(refused);
    const email = 'somebody@wayquest.example';
    expect(await codeOf(auth.client.forgotPassword({ body: { email } }))).toBe(refused);
  });

  it('resets none by a link, unless it is an admin’s; the link stays valid', async () => {
    const { username, token } = await createAccount({ ...storeOf(auth), username: newName() });
    const reset = { body: { token, password } };
    expect(await codeOf(auth.client.resetPassword(reset))).toBe(refused);
    await grant(username, auth);
    expect(await codeOf(auth.client.resetPassword(reset))).toBe('done');
    expect(await logIn(username)).toBe('done');
    const link = await passwordLinkOf({ ...storeOf(auth), username: plain.username });
    const other = { body: { token: link?.token ?? '', password } };
    expect(await codeOf(auth.client.resetPassword(other))).toBe(refused);
  });

  it('asks members for none that they may have forgotten, but for a recent login', async () => {
    const session = await openBrowser(auth, server).logIn(person);
    expect(session.id).toBe(linked.id);
    const { token } = session;
    expect((await auth.client.getAccount({}, { token })).hasPassword).toBe(false);
    const changeName = () => codeOf(auth.client.changeUsername({ body: { username: newName() } }, { token }));
    expect(await changeName()).toBe('done');
    const unlink = () => codeOf(auth.client.unlinkOpenId({ body: {} }, { token }));
    // The password from before is no way to log in.
    expect(await unlink()).toBe('last-login-method');
    await clock.advance(15 * 60 * 1_000);
    for (const call of [changeName, unlink]) expect(await call()).toBe('reauthentication-required');
  });
});
