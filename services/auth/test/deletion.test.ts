import { createClient } from '@wayquest/contracts';
import { eventually } from '@wayquest/testing';
import { claimsOf, member, newName, password, type RunningAuth, startAuthForTest } from './auth-service.ts';

const dayMs = 24 * 60 * 60 * 1_000;

const as = (auth: RunningAuth, token: string) => createClient({ baseUrl: auth.url, token: () => token });

const ask = (auth: RunningAuth, token: string, currentPassword: string | undefined = password) =>
  as(auth, token).deleteAccount({ body: { currentPassword } });

async function confirmAddress(auth: RunningAuth, token: string, email: string): Promise<void> {
  await as(auth, token).changeEmail({ body: { email } });
  const [mail] = await eventually(async () => {
    const mails = await auth.mailsTo(email);
    expect(mails).toHaveLength(1);
    return mails;
  });
  await auth.client.confirmEmail({ body: { token: mail?.token ?? '' } });
}

const everythingIn = async ({ store }: RunningAuth): Promise<string> => {
  const collections = (await store.db?.collections()) ?? [];
  const documents = collections.map((collection) => collection.find().toArray());
  return JSON.stringify(await Promise.all(documents));
};

describe('requesting the deletion of an account', () => {
  it('requires the password, whatever the age of the session', async () => {
    const auth = await startAuthForTest();
    const { token } = await member(auth);
    await expect(as(auth, token).deleteAccount({ body: {} })).rejects.toMatchObject({
      problem: { code: 'password-required' },
    });
    await expect(ask(auth, token, 'a wrong password')).rejects.toMatchObject({
      problem: { code: 'invalid-credentials' },
    });
    await as(auth, token).getAccount();
  });

  it('ends all sessions, responds with the date, and sends a mail to the confirmed address', async () => {
    const auth = await startAuthForTest();
    const { token, username, id } = await member(auth);
    const { token: other } = await auth.client.login({ body: { username, password } });
    await confirmAddress(auth, token, 'ann@wayquest.example');
    const before = Date.now();
    const { deletesAt } = await ask(auth, token);
    expect(Date.parse(deletesAt) - before).toBeGreaterThanOrEqual(14 * dayMs);
    const after = Date.now();
    expect(Date.parse(deletesAt) - after).toBeLessThanOrEqual(14 * dayMs);
    for (const ended of [token, other])
      await expect(as(auth, ended).getAccount()).rejects.toMatchObject({ status: 401 });
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

  it('is canceled by a login, which says so once', async () => {
    const auth = await startAuthForTest({ deletionsEveryMs: 10 });
    const { token, username } = await member(auth);
    await ask(auth, token);
    await expect(auth.client.login({ body: { username, password: 'a wrong one' } })).rejects.toMatchObject({
      status: 401,
    });
    const back = await auth.client.login({ body: { username, password } });
    expect(back).toMatchObject({ deletionUndone: true });
    await as(auth, back.token).getAccount();
    expect(await auth.client.login({ body: { username, password } })).toEqual({ token: expect.any(String) });
    expect(await auth.store.collection('accounts').find().toArray()).toMatchObject([{ deletesAt: null }]);
  });

  it('is allowed five times an hour', async () => {
    const auth = await startAuthForTest();
    const { username, ...someone } = await member(auth);
    let { token } = someone;
    for (let n = 0; n < 5; n++) {
      await ask(auth, token);
      token = (await auth.client.login({ body: { username, password } })).token;
    }
    await expect(ask(auth, token)).rejects.toMatchObject({ status: 429 });
    await as(auth, token).getAccount();
  });
});

describe('an account that is due for deletion', () => {
  it('is deleted with all readable data, and published once, by its id', async () => {
    const databasePrefix = `test_${newName()}`;
    const usual = { databasePrefix, deletionGraceDays: 0 };
    const quiet = await startAuthForTest({ ...usual, deletionsEveryMs: 3_600_000, keepData: true });
    const { token, username, id } = await member(quiet);
    const first = `${username}-one`;
    await as(quiet, token).changeUsername({ body: { username: first } });
    await confirmAddress(quiet, token, 'Ann@Wayquest.Example');
    await quiet.client.forgotPassword({ body: { email: 'ann@wayquest.example' } });
    await eventually(async () => expect(await quiet.mailsTo('Ann@Wayquest.Example')).toHaveLength(2));
    const [account] = await quiet.store.collection('accounts').find().toArray();
    const passwordHash = String(account?.passwordHash);
    await ask(quiet, token);
    await eventually(async () => expect(await quiet.mailsTo('Ann@Wayquest.Example')).toHaveLength(3));
    const needles = [username, first, 'wayquest.example', passwordHash];
    const found = async () => {
      const all = (await everythingIn(quiet)).toLowerCase();
      return needles.filter((needle) => all.includes(needle.toLowerCase()));
    };
    // The name that was given up is a hash already.
    expect(await found()).toEqual(needles);

    // Two instances look at the same time.
    const [one, other] = await Promise.all([
      startAuthForTest({ ...usual, deletionsEveryMs: 5, keepData: true }),
      startAuthForTest({ ...usual, deletionsEveryMs: 5 }),
    ]);
    const deletions = () =>
      [one, other].flatMap(({ events }) => events.filter(({ name }) => name === 'user.deleted.v1'));
    await eventually(() => expect(deletions()).toMatchObject([{ data: { id } }]));
    await one.settle();
    await other.settle();
    expect(await found()).toEqual([]);
    await eventually(async () => expect(await quiet.mailsTo('Ann@Wayquest.Example')).toEqual([]));
    expect(await quiet.store.collection('accounts').countDocuments()).toBe(0);
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

  it('stays if its owner logged in, however long it was due', async () => {
    const databasePrefix = `test_${newName()}`;
    const quiet = await startAuthForTest({
      ...{ databasePrefix, deletionGraceDays: 0, deletionsEveryMs: 3_600_000 },
    });
    const { token, username, id } = await member(quiet);
    await ask(quiet, token);
    const { token: again } = await quiet.client.login({ body: { username, password } });
    expect(claimsOf(again).sub).toBe(String(id));
    const busy = await startAuthForTest({
      databasePrefix,
      deletionGraceDays: 0,
      deletionsEveryMs: 5,
      keepData: true,
    });
    const gone = await member(busy);
    await ask(busy, gone.token);
    await eventually(() =>
      expect(busy.events).toContainEqual(expect.objectContaining({ name: 'user.deleted.v1' })),
    );
    await as(busy, again).getAccount();
  });
});
