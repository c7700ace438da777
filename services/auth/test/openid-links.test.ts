import { createRecordingLogger, createTestClock, eventually } from '@wayquest/testing';
import { codeOf, member, password, type RunningAuth, startAuth, startAuthForTest } from './auth-service.ts';
import {
  linkCodeIn,
  type OpenIdPerson,
  type OpenIdServer,
  openBrowser,
  someone,
  startOpenIdServer,
} from './openid-server.ts';

const { logger, securityEvents } = createRecordingLogger();
const clock = createTestClock(Date.now());
let server: OpenIdServer;
let auth: RunningAuth;
beforeAll(async () => {
  server = await startOpenIdServer();
  // Accounts are linked, and none is created.
  auth = await startAuth({
    openId: { ...server.config, name: 'The hiking club', signUp: false },
    ...{ logger, clock },
  });
});
afterAll(async () => {
  await auth.stop();
  await server.stop();
});

type Member = Awaited<ReturnType<typeof member>>;

const browser = () => openBrowser(auth, server);
const link = async (user: Pick<Member, 'token'>, person: OpenIdPerson = someone()) => {
  const { visitForLink, go, client } = browser();
  const code = linkCodeIn(await go(await visitForLink(user, person)));
  await client.finishOpenIdLink({ body: { code } }, { token: user.token });
};
const statusOf = async ({ token }: Pick<Member, 'token'>) =>
  (await auth.client.getAccount({}, { token })).openId;
const unlink = ({ token }: Pick<Member, 'token'>, currentPassword?: string) =>
  codeOf(auth.client.unlinkOpenId({ body: { currentPassword } }, { token }));

describe('linking an account of the provider', () => {
  it('lets its owner log in there, too, and ends no session', async () => {
    const ann = await member(auth);
    const person = someone();
    expect(await statusOf(ann)).toBe('not-linked');
    expect(await browser().signIn(person)).toBe('/login#problem=openid-not-linked');
    await link(ann, person);
    expect(await statusOf(ann)).toBe('linked');
    expect((await browser().logIn(person)).id).toBe(ann.id);
    await auth.client.login({ body: { username: ann.username, password } });
  });

  it('requires the password even in a fresh session, and starts nothing with a wrong one', async () => {
    const { token } = await member(auth);
    const { client, cookies } = browser();
    expect(await codeOf(client.startOpenIdLink({ body: {} }, { token }))).toBe('password-required');
    const wrong = { currentPassword: 'not my password' };
    expect(await codeOf(client.startOpenIdLink({ body: wrong }, { token }))).toBe('invalid-credentials');
    expect([...cookies]).toEqual([]);
  });

  it('rejects an identity that is linked to another account, whatever its e-mail address', async () => {
    const [ann, bob] = [await member(auth), await member(auth)];
    const person = someone();
    await link(ann, person);
    expect(await codeOf(link(bob, person))).toBe('openid-in-use');
    expect(await statusOf(bob)).toBe('not-linked');
    expect((await browser().logIn(person)).id).toBe(ann.id);
    await link(bob, someone());
  });

  it('changes no rights, which a sign-in does', async () => {
    const openId = { ...server.config, adminGroup: 'wayquest-admins' };
    const own = await startAuthForTest({ openId });
    const { token, id } = await member(own);
    const person = someone({ groups: ['wayquest-admins'] });
    const { visitForLink, go, client, logIn } = openBrowser(own, server);
    const code = linkCodeIn(await go(await visitForLink({ token }, person)));
    await client.finishOpenIdLink({ body: { code } }, { token });
    expect(
      (await own.store.collection<{ _id: number; admin: boolean }>('accounts').findOne({ _id: id }))?.admin,
    ).toBe(false);
    expect(await logIn(person)).toMatchObject({ id, admin: true });
  });

  it('is rejected if no provider is configured', async () => {
    const bare = await startAuthForTest();
    const { token } = await member(bare);
    expect((await bare.client.getAccount({}, { token })).openId).toBe('not-configured');
    const body = { currentPassword: password };
    expect(await codeOf(bare.client.startOpenIdLink({ body }, { token }))).toBe('not-configured');
  });

  it('returns to the settings if the person cancels at the provider', async () => {
    const ann = await member(auth);
    const { client, go } = browser();
    const body = { currentPassword: password };
    const { location } = await client.startOpenIdLink({ body }, { token: ann.token });
    const state = new URL(location).searchParams.get('state');
    const back = `${auth.url}/auth/openid/callback?state=${state}&error=access_denied`;
    expect(await go(back)).toBe('/settings#problem=openid-failed');
  });
});

describe('an attacker cannot link their identity to another account', () => {
  it('with a code of the attacker, nor with a cookie of the attacker', async () => {
    const [attacker, victim] = [await member(auth), await member(auth)];
    const [attackerTab, ownTab] = [browser(), browser()];
    const code = linkCodeIn(await attackerTab.go(await attackerTab.visitForLink(attacker)));
    const use = () => codeOf(ownTab.client.finishOpenIdLink({ body: { code } }, { token: victim.token }));
    expect(await use()).toBe('invalid-code');
    await ownTab.go(await ownTab.visitForLink(victim));
    expect(await use()).toBe('invalid-code');
    for (const [name, value] of attackerTab.cookies) ownTab.cookies.set(name, value);
    expect(await use()).toBe('invalid-code');
    expect(await statusOf(victim)).toBe('not-linked');
  });

  it('with a redirect of the provider that another browser started', async () => {
    const [attacker, victim] = [await member(auth), await member(auth)];
    const back = await browser().visitForLink(attacker);
    const ownTab = browser();
    expect(await ownTab.go(back)).toBe('/login#problem=openid-failed');
    await ownTab.visitForLink(victim);
    expect(await ownTab.go(back)).toBe('/settings#problem=openid-failed');
  });

  it('with a code that is used, expired, or for another purpose', async () => {
    const ann = await member(auth);
    const { visitForLink, go, client, cookies } = browser();
    const finish = (code: string) =>
      codeOf(client.finishOpenIdLink({ body: { code } }, { token: ann.token }));
    const late = linkCodeIn(await go(await visitForLink(ann)));
    await clock.advance(60_000);
    expect(await finish(late)).toBe('invalid-code');

    const code = linkCodeIn(await go(await visitForLink(ann)));
    const cookie = cookies.get('wayquest-openid-link') ?? '';
    for (const name of ['wayquest-code', 'wayquest-link']) cookies.set(name, cookie);
    expect(await codeOf(client.exchangeLoginCode({ body: { code } }))).toBe('invalid-code');
    const asGoogle = client.finishGoogleLink({ body: { code } }, { token: ann.token });
    expect(await codeOf(asGoogle)).toBe('invalid-code');
    expect(await finish(code)).toBe('done');
    cookies.set('wayquest-openid-link', cookie);
    expect(await finish(code)).toBe('invalid-code');
  });
});

describe('unlinking it', () => {
  it('requires the password, and rejects the identity afterwards; several accounts can be without one', async () => {
    const [ann, bob] = [await member(auth), await member(auth)];
    const person = someone();
    await link(ann, person);
    await link(bob);
    expect(await unlink(ann)).toBe('password-required');
    expect([await unlink(ann, password), await unlink(bob, password)]).toEqual(['done', 'done']);
    expect(await statusOf(ann)).toBe('not-linked');
    expect(await browser().signIn(person)).toBe('/login#problem=openid-not-linked');
    await link(bob, person);
  });

  it('is rejected for the last login method, until there is a password', async () => {
    const own = await startAuthForTest({ openId: server.config });
    const { token } = await openBrowser(own, server).logIn(someone());
    const remove = (session: string, currentPassword?: string) =>
      codeOf(own.client.unlinkOpenId({ body: { currentPassword } }, { token: session }));
    expect(await remove(token)).toBe('last-login-method');
    const changed = await own.client.changePassword({ body: { newPassword: password } }, { token });
    expect(await remove(changed.token, password)).toBe('done');
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
  expect(await newest(2)).toMatchObject({
    subject: 'Another login was linked to your account',
    text: expect.stringContaining('A login with The hiking club was just linked'),
  });
  expect(await unlink(ann, password)).toBe('done');
  expect((await newest(3))?.subject).toBe('A login was unlinked from your account');
  const events = securityEvents().filter(({ userId }) => userId === ann.id);
  expect(events.map(({ security }) => security)).toEqual([
    'email-changed',
    'openid-linked',
    'openid-unlinked',
  ]);
});

it('a deleted account gives its identity up, and own data contains it', async () => {
  const openId = server.config;
  const own = await startAuthForTest({ openId, clock, deletionGraceDays: 0, deletionsEveryMs: 1_000 });
  const person = someone();
  const { token, id } = await openBrowser(own, server).logIn(person);
  const data = await own.client.listOwnAuthData({ query: {} }, { token });
  expect(JSON.stringify(data)).toContain(person.sub);
  await own.client.deleteAccount({ body: {} }, { token });
  await eventually(async () => {
    // Each time, in case the search for due accounts was running and not waiting.
    await clock.advance(2_000);
    const stored = await own.store.collection('accounts').find().toArray();
    expect(JSON.stringify(stored)).not.toContain(person.sub);
  });
  expect((await openBrowser(own, server).logIn(person)).id).not.toBe(id);
});
