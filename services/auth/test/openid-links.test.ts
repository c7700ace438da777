import { createTestClock, eventually } from '@wayquest/testing';
import { claimsOf, codeOf, member, password, startAuthForTest } from './auth-service.ts';
import { linkCodeIn, type OpenIdServer, openBrowser, someone, startOpenIdServer } from './openid-server.ts';

let server: OpenIdServer;
beforeAll(async () => {
  server = await startOpenIdServer();
});
afterAll(() => server.stop());

it('where sign-ins create no accounts, an identity lets somebody in while it is linked', async () => {
  const auth = await startAuthForTest({ openId: { ...server.config, signUp: false } });
  const [ann, bob] = [await member(auth), await member(auth)];
  const person = someone();
  const link = async ({ token }: { token: string }) => {
    const { visitForLink, go, client } = openBrowser(auth, server);
    const code = linkCodeIn(await go(await visitForLink({ token }, person)));
    await client.finishOpenIdLink({ body: { code } }, { token });
  };
  const signIn = () => openBrowser(auth, server).signIn(person);
  expect(await signIn()).toBe('/login#problem=openid-not-linked');
  await link(ann);
  expect((await openBrowser(auth, server).logIn(person)).id).toBe(ann.id);
  const body = { currentPassword: password };
  expect(await codeOf(auth.client.unlinkOpenId({ body }, { token: ann.token }))).toBe('done');
  expect(await signIn()).toBe('/login#problem=openid-not-linked');
  await link(bob);
});

it('linking changes no rights, which a sign-in does', async () => {
  const auth = await startAuthForTest({ openId: { ...server.config, adminGroup: 'wayquest-admins' } });
  const { token, id } = await member(auth);
  const person = someone({ groups: ['wayquest-admins'] });
  const { visitForLink, go, client, logIn } = openBrowser(auth, server);
  const code = linkCodeIn(await go(await visitForLink({ token }, person)));
  await client.finishOpenIdLink({ body: { code } }, { token });
  const accounts = auth.store.collection<{ _id: number; admin: boolean }>('accounts');
  expect((await accounts.findOne({ _id: id }))?.admin).toBe(false);
  expect(await logIn(person)).toMatchObject({ id, admin: true });
});

it('unlinking takes the rights of a group: nobody could revoke them at the provider any more', async () => {
  const auth = await startAuthForTest({ openId: { ...server.config, adminGroup: 'wayquest-admins' } });
  const { token, id, username } = await member(auth);
  const { visitForLink, go, client, logIn } = openBrowser(auth, server);
  const person = someone({ groups: ['wayquest-admins'] });
  const code = linkCodeIn(await go(await visitForLink({ token }, person)));
  await client.finishOpenIdLink({ body: { code } }, { token });
  const session = await logIn(person);
  expect(session).toMatchObject({ id, admin: true });
  await auth.client.unlinkOpenId({ body: { currentPassword: password } }, session);
  expect(await codeOf(auth.client.getAccount({}, session))).toBe('invalid-token');
  const again = await auth.client.login({ body: { username, password } });
  expect(claimsOf(again.token).admin).toBe(false);
});

it('a deleted account gives its identity up, and own data contains it', async () => {
  const clock = createTestClock(Date.now());
  const auth = await startAuthForTest({
    ...{ openId: server.config, clock, deletionGraceDays: 0, deletionsEveryMs: 1_000 },
  });
  const person = someone();
  const { token, id } = await openBrowser(auth, server).logIn(person);
  const data = await auth.client.listOwnAuthData({ query: {} }, { token });
  expect(JSON.stringify(data)).toContain(person.sub);
  await auth.client.deleteAccount({ body: {} }, { token });
  await eventually(async () => {
    // Each time, in case the search for due accounts was running and not waiting.
    await clock.advance(2_000);
    const stored = await auth.store.collection('accounts').find().toArray();
    expect(JSON.stringify(stored)).not.toContain(person.sub);
  });
  expect((await openBrowser(auth, server).logIn(person)).id).not.toBe(id);
});
