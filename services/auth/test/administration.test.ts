import { type Client, createClient, type ManagedAccount } from '@wayquest/contracts';
import {
  createRecordingLogger,
  eventually,
  newDecision,
  signToken,
  startMailServer,
} from '@wayquest/testing';
import {
  claimsOf,
  codeOf,
  confirmAddress,
  member,
  newName,
  password,
  type RunningAuth,
  startAuth,
  startAuthForTest,
} from './auth-service.ts';

const dayMs = 24 * 60 * 60 * 1_000;

/** An admin without an account. */
const adminId = 900_001;

const adminToken = (id = adminId) => signToken({ sub: String(id), username: 'admin', admin: true });

/** A client of an admin. */
const adminOf = ({ url }: RunningAuth, { id, key }: { id?: number; key?: string } = {}): Client =>
  createClient({
    baseUrl: url,
    token: () => adminToken(id),
    headers: (): Record<string, string> => (key ? { 'idempotency-key': key } : {}),
  });

let auth: RunningAuth;
let admin: Client;
beforeAll(async () => {
  auth = await startAuth();
  admin = adminOf(auth);
});
afterAll(() => auth.stop());

const usernamesOf = (accounts: ManagedAccount[]) => accounts.map(({ username }) => username);

/** Suspends somebody, as moderation does. */
async function suspend({ publish, settle }: RunningAuth, id: number) {
  await publish(
    newDecision({
      ...{ kind: 'user', subjectId: id, affectedUserId: id, version: 1, decision: 'suspend' },
      suspendedUntil: new Date(Date.now() + dayMs).toISOString(),
    }),
  );
  await settle();
}

describe('the list of accounts', () => {
  it('is in the order of usernames, page by page, whatever their case, and can be searched by how they begin', async () => {
    const own = await startAuthForTest();
    for (const username of ['carol', 'Bob-2', 'alice', 'bob-1'])
      await own.client.signup({ body: { username, password } });
    const client = adminOf(own);
    expect(usernamesOf(await client.listAccounts())).toEqual(['alice', 'bob-1', 'Bob-2', 'carol']);
    const found = (search: string) => client.listAccounts({ query: { search } }).then(usernamesOf);
    expect(await found(' BOB ')).toEqual(['bob-1', 'Bob-2']);
    expect(await found('ob')).toEqual([]);
    expect(await found('$ne')).toEqual([]);

    const pages: string[][] = [];
    let next: string | undefined = '/auth/accounts?limit=2';
    const headers = { authorization: adminToken() };
    while (next) {
      const response: Response = await fetch(own.url + next, { headers });
      pages.push(usernamesOf(await response.json()));
      next = /<(.*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
    }
    expect(pages).toEqual([['alice', 'bob-1'], ['Bob-2', 'carol'], []]);
  });

  it('says of each account what an admin has to know, and nothing else', async () => {
    const own = await startAuthForTest({ deletionGraceDays: 10 });
    const person = await member(own);
    const email = `${person.username}@Wayquest.example`;
    await confirmAddress(own, person, email);
    await own.client.deleteAccount({ body: { currentPassword: password } }, { token: person.token });
    const response = await fetch(`${own.url}/auth/accounts`, {
      headers: { authorization: adminToken() },
    });
    expect(await response.json()).toEqual([
      {
        ...{ id: person.id, username: person.username, email, admin: false },
        registeredAt: expect.any(String),
        waitingUntil: null,
        suspendedUntil: null,
        deletesAt: expect.any(String),
      },
    ]);
  });

  it('can be searched by confirmed addresses, without regard to case', async () => {
    const own = await startAuthForTest();
    const [ann, bob] = [await member(own), await member(own)];
    await confirmAddress(own, ann, 'Ann@wayquest.example');
    await confirmAddress(own, bob, 'bob@wayquest.example');
    const found = (search: string) => adminOf(own).listAccounts({ query: { search } }).then(usernamesOf);
    expect(await found('ANN@')).toEqual([ann.username]);
    expect(await found('ann@wayquest.example')).toEqual([ann.username]);
    expect(await found('nn@')).toEqual([]);
  });

  it('can be of admins, of those who are suspended or waiting, or of all that are not deleted', async () => {
    const own = await startAuthForTest({
      registration: 'approval',
      deletionGraceDays: 0,
      deletionsEveryMs: 10,
    });
    const client = adminOf(own);
    const [usual, boss, suspended, deleted] = await Promise.all(
      ['a-usual', 'b-boss', 'c-suspended', 'd-deleted'].map(async (username) => {
        const { account, token } = await client.createAccount({ body: { username } });
        await own.client.resetPassword({ body: { token: token ?? '', password } });
        return account;
      }),
    );
    if (!usual || !boss || !suspended || !deleted) throw new Error('an account is missing');
    await own.client.signup({ body: { username: 'e-waiting', password } }).catch(() => {});
    await client.changeRights({ params: { id: boss.id }, body: { admin: true } });
    await suspend(own, suspended.id);
    const session = await own.client.login({ body: { username: 'd-deleted', password } });
    await own.client.deleteAccount({ body: { currentPassword: password } }, session);
    const found = (filter?: 'all' | 'waiting' | 'suspended' | 'admins') =>
      client.listAccounts({ query: filter ? { filter } : {} }).then(usernamesOf);
    await eventually(async () =>
      expect(await found()).toEqual(['a-usual', 'b-boss', 'c-suspended', 'e-waiting']),
    );
    expect(await found('all')).toEqual(await found());
    expect(await found('admins')).toEqual(['b-boss']);
    expect(await found('suspended')).toEqual(['c-suspended']);
    expect(await found('waiting')).toEqual(['e-waiting']);
    expect(usernamesOf(await client.listAccounts({ query: { filter: 'admins', search: 'a' } }))).toEqual([]);
  });

  it('rejects a filter that does not exist, by name', async () => {
    const headers = { authorization: adminToken() };
    const response = await fetch(`${auth.url}/auth/accounts?filter=mine`, { headers });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ errors: [{ field: 'filter' }] });
  });
});

describe('an account that an admin creates', () => {
  it('has no password until its person sets one, within three days', async () => {
    const {
      account,
      token = '',
      mailedTo,
    } = await admin.createAccount({
      body: { username: newName(), email: 'nobody@wayquest.example' },
    });
    // Without a mail server nobody has shown that the address is theirs.
    expect([account.email, mailedTo]).toEqual(['', undefined]);
    const { username } = account;
    expect(await auth.client.getResetLink({ body: { token } })).toEqual({ username });
    await auth.client.resetPassword({ body: { token, password } });
    const session = await auth.client.login({ body: { username, password } });
    expect(await auth.client.getAccount({}, session)).toMatchObject({ email: '' });
    expect(await codeOf(auth.client.resetPassword({ body: { token, password } }))).toBe('invalid-link');
    await auth.settle();
    expect(auth.events.filter(({ data }) => 'id' in data && data.id === account.id)).toMatchObject([
      { name: 'user.registered.v1', data: { username, admin: false } },
    ]);
  });

  it('is the same if the call is repeated, with another link', async () => {
    const repeating = adminOf(auth, { key: newName() });
    const body = { username: newName() };
    const first = await repeating.createAccount({ body });
    const second = await repeating.createAccount({ body });
    expect(second.account).toEqual(first.account);
    expect(second.token).not.toBe(first.token);
    expect(await codeOf(admin.createAccount({ body }))).toBe('username-taken');
  });

  it('has the address that its link was mailed to, once the link is used', async () => {
    const server = await startMailServer();
    const { logger, hasLogged } = createRecordingLogger();
    const own = await startAuthForTest({
      logger,
      mail: { from: 'wayquest@localhost', directory: '/nowhere', smtpUrl: server.url },
    });
    const email = 'dora@wayquest.example';
    const username = newName();
    const created = await adminOf(own).createAccount({ body: { username, email } });
    expect(created).toMatchObject({ mailedTo: email, account: { email: '' } });
    expect(created).not.toHaveProperty('token');
    await eventually(() => expect(server.lines).toContain('.'));
    // As the body is encoded (RFC 2045, section 6.7).
    const text = server.lines.join('\n').replaceAll('=\n', '').replaceAll('=3D', '=');
    const token = /\/reset#token=([\w-]+)/.exec(text)?.[1] ?? '';
    await own.client.resetPassword({ body: { token, password } });
    const session = await own.client.login({ body: { username, password } });
    expect(await own.client.getAccount({}, session)).toMatchObject({ email });

    // From now on links for a password are mailed, too.
    const link = await adminOf(own).createPasswordLink({ params: { id: created.account.id } });
    expect(link).toEqual({ mailedTo: email });
    expect(hasLogged(token)).toBe(false);
    await eventually(() => expect(server.lines.filter((line) => line === '.').length).toBeGreaterThan(1));
    await server.stop();
  });
});

describe('a link for a password', () => {
  it('is for the account, once, and ends all sessions', async () => {
    const { id, username, token: session } = await member(auth);
    const { token = '' } = await admin.createPasswordLink({ params: { id } });
    await auth.client.resetPassword({ body: { token, password: 'a brand new password' } });
    expect(await codeOf(auth.client.getAccount({}, { token: session }))).toBe('invalid-token');
    await auth.client.login({ body: { username, password: 'a brand new password' } });
    expect(await codeOf(admin.createPasswordLink({ params: { id: adminId + 1 } }))).toBe('user-not-found');
  });

  it('is not made for the own account: it would set a password without the current one', async () => {
    const { id } = await member(auth);
    const own = adminOf(auth, { id }).createPasswordLink({ params: { id } });
    await expect(own).rejects.toMatchObject({
      problem: { code: 'forbidden', detail: 'Change your own password in your settings.' },
    });
  });

  it('is not made for a new account where passwords are off', async () => {
    const google = { clientId: 'id', clientSecret: 'secret' };
    const own = await startAuthForTest({ passwordLogin: 'off', google });
    const client = adminOf(own);
    expect(await codeOf(client.createAccount({ body: { username: newName() } }))).toBe('password-login-off');
  });
});

describe('admin rights', () => {
  const isAdmin = async (username: string) =>
    claimsOf((await auth.client.login({ body: { username, password } })).token).admin;

  it('are granted and revoked, which ends the sessions of the account', async () => {
    const [person, boss] = [await member(auth), await member(auth)];
    const change = (id: number, admin: boolean) => ({ params: { id }, body: { admin } });
    await admin.changeRights(change(boss.id, true));
    expect(await admin.changeRights(change(person.id, true))).toMatchObject({ id: person.id, admin: true });
    expect(await codeOf(auth.client.getAccount({}, { token: person.token }))).toBe('invalid-token');
    expect(await isAdmin(person.username)).toBe(true);

    const session = await auth.client.login({ body: { username: person.username, password } });
    const own = auth.client.changeRights(change(person.id, false), session);
    expect(await codeOf(own)).toBe('own-rights');
    expect(await admin.changeRights(change(person.id, false))).toMatchObject({ admin: false });
    expect(await isAdmin(person.username)).toBe(false);
    expect(await codeOf(admin.changeRights(change(adminId, true)))).toBe('user-not-found');
  });

  it('are never revoked from the only admin', async () => {
    const own = await startAuthForTest();
    const { id } = await member(own);
    const client = adminOf(own);
    await client.changeRights({ params: { id }, body: { admin: true } });
    expect(await codeOf(client.changeRights({ params: { id }, body: { admin: false } }))).toBe('last-admin');
    // Nobody loses anything by this.
    const other = await member(own);
    await client.changeRights({ params: { id: other.id }, body: { admin: false } });
  });
});

describe('invitations', () => {
  it('are made, listed and withdrawn; only the first response has the code', async () => {
    const own = await startAuthForTest({ registration: 'invitation' });
    const client = adminOf(own);
    const body = { uses: 2, days: 30, note: 'The hiking club' };
    const { code, ...invitation } = await client.createInvitation({ body });
    expect(invitation).toMatchObject({ uses: 2, usesLeft: 2, note: 'The hiking club' });
    await own.client.signup({ body: { username: newName(), password, invitation: code } });
    expect(await client.listInvitations()).toEqual([{ ...invitation, usesLeft: 1 }]);
    await client.revokeInvitation({ params: { id: invitation.id } });
    expect(await client.listInvitations()).toEqual([]);
    expect(await codeOf(client.revokeInvitation({ params: { id: invitation.id } }))).toBe(
      'invitation-not-found',
    );
  });

  it('have the same code if the call is repeated, and another one for everybody else', async () => {
    const body = { uses: 1, days: 7 };
    const key = newName();
    const [first, repeated, other] = [
      await adminOf(auth, { key }).createInvitation({ body }),
      await adminOf(auth, { key }).createInvitation({ body }),
      await adminOf(auth, { id: 900_002, key }).createInvitation({ body }),
    ];
    expect(repeated).toEqual(first);
    expect(other.code).not.toBe(first.code);
    expect(Buffer.from(first.code, 'base64url')).toHaveLength(16);
  });

  it.each([
    [{ uses: 0, days: 7 }, 'uses'],
    [{ uses: 1_001, days: 7 }, 'uses'],
    [{ uses: 1, days: 91 }, 'days'],
    [{ uses: 1, days: 7, note: 'x'.repeat(201) }, 'note'],
  ])('reject %j', async (body, field) => {
    await expect(admin.createInvitation({ body })).rejects.toMatchObject({
      status: 400,
      problem: { errors: [{ field }] },
    });
  });
});

it('logs what an admin changes as a security event, without what they typed', async () => {
  const { logger, securityEvents, hasLogged } = createRecordingLogger();
  const own = await startAuthForTest({ logger });
  const username = newName();
  const { account, token = '' } = await adminOf(own).createAccount({ body: { username } });
  await adminOf(own).listAccounts({ query: { search: username } });
  await adminOf(own).changeRights({ params: { id: account.id }, body: { admin: true } });
  expect(securityEvents()).toMatchObject([
    { security: 'admin-action', userId: adminId, operation: 'POST /auth/accounts' },
    { security: 'admin-action', operation: `PUT /auth/accounts/${account.id}/rights` },
  ]);
  for (const secret of [username, token]) expect(hasLogged(secret)).toBe(false);
});
