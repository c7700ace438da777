import { createClient } from '@wayquest/contracts';
import { createTestClock, eventually, holdQueries } from '@wayquest/testing';
import {
  claimsOf,
  confirmAddress,
  member,
  newName,
  password,
  type RunningAuth,
  startAuthForTest,
} from './auth-service.ts';

const dayMs = 24 * 60 * 60 * 1_000;

const clientOf = (auth: RunningAuth, token: string) =>
  createClient({ baseUrl: auth.url, token: () => token });

const requestDeletion = (auth: RunningAuth, token: string, currentPassword: string | undefined = password) =>
  clientOf(auth, token).deleteAccount({ body: { currentPassword } });

const allDocumentsOf = async ({ store }: RunningAuth): Promise<string> => {
  const collections = (await store.db?.collections()) ?? [];
  const documents = collections.map((collection) => collection.find().toArray());
  return JSON.stringify(await Promise.all(documents));
};

describe('requesting the deletion of an account', () => {
  it('requires the password, whatever the age of the session', async () => {
    const auth = await startAuthForTest();
    const { token } = await member(auth);
    await expect(clientOf(auth, token).deleteAccount({ body: {} })).rejects.toMatchObject({
      problem: { code: 'password-required' },
    });
    await expect(requestDeletion(auth, token, 'a wrong password')).rejects.toMatchObject({
      problem: { code: 'invalid-credentials' },
    });
    await clientOf(auth, token).getAccount();
  });

  it('ends all sessions, responds with the date, and sends an email to the confirmed address', async () => {
    const clock = createTestClock(Date.now());
    const auth = await startAuthForTest({ clock });
    const { token, username, id } = await member(auth);
    const { token: other } = await auth.client.login({ body: { username, password } });
    await confirmAddress(auth, { token }, 'ann@wayquest.example');
    const { deletesAt } = await requestDeletion(auth, token);
    expect(Date.parse(deletesAt)).toBe(clock.now() + 14 * dayMs);
    for (const ended of [token, other])
      await expect(clientOf(auth, ended).getAccount()).rejects.toMatchObject({ status: 401 });
    await eventually(async () => {
      const mail = (await auth.mailsTo('ann@wayquest.example')).at(-1);
      expect(mail?.subject).toBe('Your account will be deleted');
      expect(mail?.text).toContain(
        new Date(deletesAt).toLocaleDateString('en', { dateStyle: 'long', timeZone: 'UTC' }),
      );
    });
    await auth.settle();
    expect(auth.events.filter(({ name }) => name === 'user.deleted.v1')).toEqual([]);
    expect(auth.events).toContainEqual(
      expect.objectContaining({ name: 'token.revoked.v1', data: expect.objectContaining({ userId: id }) }),
    );
  });

  it('is canceled by the next login, whose response says so', async () => {
    const auth = await startAuthForTest({ deletionsEveryMs: 10 });
    const { token, username } = await member(auth);
    await requestDeletion(auth, token);
    await expect(auth.client.login({ body: { username, password: 'a wrong one' } })).rejects.toMatchObject({
      status: 401,
    });
    const back = await auth.client.login({ body: { username, password } });
    expect(back).toMatchObject({ deletionCanceled: true });
    await clientOf(auth, back.token).getAccount();
    expect(await auth.client.login({ body: { username, password } })).toEqual({ token: expect.any(String) });
    expect(await auth.store.collection('accounts').find().toArray()).toMatchObject([{ deletesAt: null }]);
  });

  it('is canceled by no login that began before the password was changed, and gives it no session (code 19)', async () => {
    const auth = await startAuthForTest();
    const { token, username } = await member(auth);
    await requestDeletion(auth, token);

    // It waits after it has read the account.
    const held = holdQueries('KnownNetwork', 1);
    const outdated = auth.client.login({ body: { username, password } }).catch((error: unknown) => error);
    await held.waitFor(1);

    const owner = await auth.client.login({ body: { username, password } });
    expect(owner.deletionCanceled).toBe(true);
    const changed = await clientOf(auth, owner.token).changePassword({
      body: { currentPassword: password, newPassword: 'another long password' },
    });
    await requestDeletion(auth, changed.token, 'another long password');
    held.release();
    expect(await outdated).toMatchObject({ problem: { code: 'invalid-credentials' } });
    expect(
      (await auth.client.login({ body: { username, password: 'another long password' } })).deletionCanceled,
    ).toBe(true);
  });

  it('is allowed five times an hour', async () => {
    const auth = await startAuthForTest();
    const { username, ...someone } = await member(auth);
    let { token } = someone;
    for (let n = 0; n < 5; n++) {
      await requestDeletion(auth, token);
      token = (await auth.client.login({ body: { username, password } })).token;
    }
    await expect(requestDeletion(auth, token)).rejects.toMatchObject({ status: 429 });
    await clientOf(auth, token).getAccount();
  });
});

describe('an account that is due for deletion', () => {
  it('is not deleted before its grace period is over', async () => {
    const clock = createTestClock(Date.now());
    const auth = await startAuthForTest({ clock, deletionsEveryMs: dayMs });
    const { token, id } = await member(auth);
    await requestDeletion(auth, token);
    const deleted = () => auth.events.flatMap(({ name, data }) => (name === 'user.deleted.v1' ? [data] : []));
    await clock.advance(14 * dayMs - 1);
    await auth.settle();
    expect(deleted()).toEqual([]);
    // Longer than the longest pause between two searches.
    await clock.advance(2 * dayMs);
    await eventually(() => expect(deleted()).toEqual([{ id }]));
  });

  it('is deleted with all readable data, and published once, by its id', async () => {
    const databasePrefix = `test_${newName()}`;
    const options = { databasePrefix, deletionGraceDays: 0 };
    const idle = await startAuthForTest({ ...options, deletionsEveryMs: 3_600_000, keepData: true });
    const { token, username, id } = await member(idle);
    const first = `${username}-one`;
    await clientOf(idle, token).changeUsername({ body: { username: first } });
    await confirmAddress(idle, { token }, 'Ann@Wayquest.Example');
    await idle.client.forgotPassword({ body: { email: 'ann@wayquest.example' } });
    await eventually(async () => expect(await idle.mailsTo('Ann@Wayquest.Example')).toHaveLength(2));
    const [account] = await idle.store.collection('accounts').find().toArray();
    const passwordHash = String(account?.passwordHash);
    await requestDeletion(idle, token);
    await eventually(async () => expect(await idle.mailsTo('Ann@Wayquest.Example')).toHaveLength(3));
    const needles = [username, first, 'wayquest.example', passwordHash];
    const found = async () => {
      const all = (await allDocumentsOf(idle)).toLowerCase();
      return needles.filter((needle) => all.includes(needle.toLowerCase()));
    };
    // Both usernames are still readable in the store.
    expect(await found()).toEqual(needles);

    // Two instances delete due accounts concurrently.
    const [one, other] = await Promise.all([
      startAuthForTest({ ...options, deletionsEveryMs: 5, keepData: true }),
      startAuthForTest({ ...options, deletionsEveryMs: 5 }),
    ]);
    const deletions = () =>
      [one, other].flatMap(({ events }) => events.filter(({ name }) => name === 'user.deleted.v1'));
    await eventually(() => expect(deletions()).toMatchObject([{ data: { id } }]));
    await one.settle();
    await other.settle();
    expect(await found()).toEqual([]);
    await eventually(async () => expect(await idle.mailsTo('Ann@Wayquest.Example')).toEqual([]));
    expect(await idle.store.collection('accounts').countDocuments()).toBe(0);
    expect(deletions()).toHaveLength(1);
    for (const name of [first, username]) {
      await expect(one.client.login({ body: { username: name, password } })).rejects.toMatchObject({
        status: 401,
      });
      await expect(one.client.signup({ body: { username: name, password } })).rejects.toMatchObject({
        problem: { code: 'username-taken' },
      });
    }
  });

  it('is not deleted if its owner logged in, however long it was due', async () => {
    const databasePrefix = `test_${newName()}`;
    const idle = await startAuthForTest({
      ...{ databasePrefix, deletionGraceDays: 0, deletionsEveryMs: 3_600_000 },
    });
    const { token, username, id } = await member(idle);
    await requestDeletion(idle, token);
    const { token: again } = await idle.client.login({ body: { username, password } });
    expect(claimsOf(again).sub).toBe(String(id));
    const busy = await startAuthForTest({
      databasePrefix,
      deletionGraceDays: 0,
      deletionsEveryMs: 5,
      keepData: true,
    });
    const deleted = await member(busy);
    await requestDeletion(busy, deleted.token);
    await eventually(() =>
      expect(busy.events).toContainEqual(expect.objectContaining({ name: 'user.deleted.v1' })),
    );
    await clientOf(busy, again).getAccount();
  });
});
