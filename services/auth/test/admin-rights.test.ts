import { createLogger } from '@wayquest/platform/telemetry';
import { storeUrl } from '@wayquest/testing';
import { setAdmin } from '../src/administration.ts';
import { isAdmin, member, type RunningAuth, startAuth } from './auth-service.ts';

describe('admin rights', () => {
  let auth: RunningAuth;
  beforeAll(async () => {
    auth = await startAuth();
  });
  afterAll(() => auth.stop());

  const set = (username: string, admin: boolean) =>
    setAdmin({
      mongoUrl: storeUrl(),
      databasePrefix: auth.databasePrefix,
      logger: createLogger({ name: 'test', level: 'silent' }),
      username,
      admin,
    });

  it('are granted beside the running service, which publishes it and rejects older tokens', async () => {
    const { username, token, id } = await member(auth);
    expect(await set(username.toUpperCase(), true)).toBe(username);
    await auth.settle(10_000);
    expect(auth.events.filter(({ data }) => 'id' in data && data.id === id)).toMatchObject([
      { name: 'user.registered.v1' },
      { name: 'user.account-changed.v1', data: { id, username, admin: true, version: 2 } },
    ]);
    expect(auth.events).toContainEqual(
      expect.objectContaining({
        name: 'token.revoked.v1',
        data: expect.objectContaining({ userId: id, tokenId: null }),
      }),
    );
    await expect(auth.client.changeUsername({ body: { username } }, { token })).rejects.toMatchObject({
      status: 401,
    });
    expect(await isAdmin(auth, username)).toBe(true);
  });

  it('are revoked again', async () => {
    const { username } = await member(auth);
    await set(username, true);
    await set(username, false);
    expect(await isAdmin(auth, username)).toBe(false);
  });

  it('change nothing for an admin', async () => {
    const { username, token } = await member(auth);
    await set(username, false);
    const { version } = await auth.client.changeUsername({ body: { username } }, { token });
    expect(version).toBe(1);
  });
});
