import { hash } from '@node-rs/argon2';
import { CallError, createClient } from '@wayquest/contracts';
import { signToken } from '@wayquest/testing';
import { defaultPasswordLimits } from '../src/passwords.ts';
import {
  bodyOf,
  claimsOf,
  newName,
  password,
  type RunningAuth,
  startAuth,
  startAuthForTest,
} from './auth-service.ts';

let auth: RunningAuth;
beforeAll(async () => {
  auth = await startAuth();
});
afterAll(() => auth.stop());

const signup = async (username = newName()) => {
  const { token } = await auth.client.signup({ body: { username, password } });
  return { username, token, id: Number(claimsOf(token).sub) };
};
const published = (name: string, id: number) =>
  auth.events.filter(
    ({ name: heardName, data }) =>
      heardName === name && (('id' in data && data.id === id) || ('userId' in data && data.userId === id)),
  );
const statusOf = (call: Promise<unknown>): Promise<number> =>
  call.then(
    () => 200,
    (error: unknown) => (error instanceof CallError ? error.status : Promise.reject(error)),
  );
/** Whether a token is valid: tries to change the username to the current one, which changes nothing. */
const isGood = async ({ username }: { username: string }, token: string) =>
  (await statusOf(auth.client.changeUsername({ body: { username } }, { token }))) === 200;

describe('signing up', () => {
  it('returns a token with the user and the time, precise to the millisecond', async () => {
    const before = Date.now();
    const { username, token, id } = await signup();
    const claims = claimsOf(token);
    expect(claims).toEqual({
      sub: String(id),
      username,
      admin: false,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
      iat: expect.any(Number),
      exp: expect.any(Number),
      generation: 0,
      registeredAt: expect.any(Number),
    });
    const after = Date.now();
    expect(claims.registeredAt).toBeGreaterThanOrEqual(Math.floor(before / 1_000));
    expect(claims.registeredAt).toBeLessThanOrEqual(after / 1_000);
    expect(claims.iat * 1_000).toBeGreaterThanOrEqual(before);
    expect(claims.iat * 1_000).toBeLessThanOrEqual(after);
    expect(claims.exp).toBe(Math.floor(claims.iat) + 14 * 24 * 60 * 60);
  });

  it('accepts only one username that consists of symbols, since all of them look alike', async () => {
    await signup('---');
    await expect(signup('._.')).rejects.toMatchObject({ problem: { code: 'username-taken' } });
  });

  it('is published', async () => {
    const { username, id } = await signup();
    await auth.settle();
    expect(published('user.registered.v1', id).map(({ data }) => data)).toEqual([
      { id, username, admin: false, version: 1, registeredAt: expect.any(String) },
    ]);
  });

  it('rejects a username that differs only by case', async () => {
    const { username } = await signup();
    const again = await fetch(
      `${auth.url}/auth/signup`,
      bodyOf({ username: username.toUpperCase(), password }),
    );
    expect(again.status).toBe(409);
    expect(again.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(await again.text()).toBe('That username is taken');
    expect(again.headers.get('problem-code')).toBe('username-taken');
  });

  it.each(['admin', 'Support', 'wayquest', 'w4yquest', 'The.Staff', 'adm1n-anna', 'm0derat0r', 'r_o_o_t'])(
    'rejects the misleading username %s',
    async (username) => {
      await expect(auth.client.signup({ body: { username, password } })).rejects.toMatchObject({
        status: 409,
        message: 'That username could be mistaken for an official one. Please choose another.',
      });
      const { token } = await signup();
      await expect(auth.client.changeUsername({ body: { username } }, { token })).rejects.toMatchObject({
        status: 409,
      });
    },
  );

  it.each([
    ['paul', 'pau1'],
    ['paul', 'pauI'],
    ['paul', 'PAUL_'],
    ['oona', '0ona'],
    ['arnold', 'amold'],
    ['vvanda', 'wanda'],
    ['ann.lee', 'ann_lee'],
  ])('rejects a username that looks like another one: %s, %s', async (name, alike) => {
    const head = newName();
    const [taken, requested] = [`${head}x${name}`, `${head}x${alike}`];
    const { token } = await signup(taken);
    const rejection = { status: 409, message: 'That username is taken' };
    await expect(auth.client.signup({ body: { username: requested, password } })).rejects.toMatchObject(
      rejection,
    );
    const other = await signup();
    await expect(
      auth.client.changeUsername({ body: { username: requested } }, { token: other.token }),
    ).rejects.toMatchObject(rejection);
    // An owner may change their username to one that looks the same.
    await auth.client.changeUsername({ body: { username: requested } }, { token });
  });

  it.each([
    ['a sign without width', 'pa\u200bul'],
    ['a mark that turns the direction', '\u202epaul'],
    ['a letter of another alphabet', 'p\u0430ul'],
    ['a letter of full width', '\uff50aul'],
    ['an accent', 'pa\u0301ul'],
  ])('rejects a username with %s, and names the allowed characters', async (_what, username) => {
    const answer = await fetch(`${auth.url}/auth/signup`, bodyOf({ username, password }));
    expect(answer.status).toBe(400);
    expect(await answer.text()).toBe(
      'Username must have 3 to 30 letters, digits, dots, underscores or hyphens.',
    );
  });

  it('accepts only one of many concurrent sign-ups with usernames that look the same', async () => {
    const tail = newName();
    const outcomes = await Promise.allSettled(
      ['l', '1', 'I', 'i', 'L'].map((sign) => signup(`a${sign}x${tail}`)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('keeps the usernames of older accounts, and rejects new ones that look like them', async () => {
    const first = await startAuthForTest({ keepData: true });
    const names = ['1', 'l', '2'].map((sign) => `otto-${sign}-paul`);
    const [mine = '', yours = '', others = ''] = names;
    for (const username of [mine, others, newName()]) {
      const { token } = await first.client.signup({ body: { username, password } });
      // As older versions stored them, which compared characters only.
      if (username !== mine && username !== others)
        await first.store
          .collection<{ _id: number }>('accounts')
          .updateOne({ _id: Number(claimsOf(token).sub) }, { $set: { username: yours, usernameKey: yours } });
    }
    await first.store.collection('username_looks').deleteMany({});
    await first.store.collection('migrations').deleteMany({});
    await first.stop();

    const { databasePrefix } = first;
    const { client: next } = await startAuthForTest({ databasePrefix });
    for (const username of [mine, yours]) await next.login({ body: { username, password } });
    for (const username of ['otto.i.paul', '0tto-2-pau1'])
      await expect(next.signup({ body: { username, password } })).rejects.toMatchObject({ status: 409 });
    const { token } = await next.login({ body: { username: others, password } });
    await next.changeUsername({ body: { username: 'somebody-else' } }, { token });
    await next.signup({ body: { username: 'otto.2.paul', password } });
  });

  it.each(['stafford', 'badminton', 'anna-teamwork'])('accepts the username %s', async (username) => {
    expect((await signup(username)).username).toBe(username);
  });

  it('signs up once when the call is repeated with its idempotency key, and not with another one', async () => {
    const body = { username: newName(), password };
    const signUpWith = (key: string) =>
      createClient({ baseUrl: auth.url, headers: () => ({ 'idempotency-key': key }) }).signup({ body });
    const first = claimsOf((await signUpWith('one')).token);
    expect(claimsOf((await signUpWith('one')).token).sub).toBe(first.sub);
    await expect(signUpWith('two')).rejects.toMatchObject({ problem: { code: 'username-taken' } });
  });

  it.each([
    ['one of the most common', () => 'Football1', 'Password is too common'],
    ['one of the most common with eight letters', () => 'football', 'Password is too common'],
    ['the username', (username: string) => username.toUpperCase(), 'Password must not be the username'],
  ])('rejects a password that is %s', async (_what, passwordFor, sentence) => {
    const username = newName();
    const body = { username, password: passwordFor(username) };
    await expect(auth.client.signup({ body })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(sentence),
    });
    const { token } = await auth.client.signup({ body: { username, password } });
    await expect(
      auth.client.changePassword(
        { body: { currentPassword: password, newPassword: body.password } },
        { token },
      ),
    ).rejects.toMatchObject({ status: 400, problem: { errors: [{ field: 'newPassword' }] } });
  });

  it('accepts a password of 200 characters of any script unchanged, and stores only its argon2id hash', async () => {
    const auth = await startAuthForTest({ passwordLimits: defaultPasswordLimits });
    const long = '  密码 🦊 é '.repeat(20);
    expect(long).toHaveLength(200);
    const username = newName();
    const { token } = await auth.client.signup({ body: { username, password: long } });
    const logIn = (typed: string) => statusOf(auth.client.login({ body: { username, password: typed } }));
    expect(await logIn(long)).toBe(200);
    for (const other of [long.slice(0, -1), long.trim(), long.replaceAll('  ', ' ')])
      expect(await logIn(other)).toBe(401);
    const _id = Number(claimsOf(token).sub);
    const stored = await auth.store
      .collection<{ _id: number; passwordHash: string }>('accounts')
      .findOne({ _id });
    expect(stored?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(JSON.stringify(stored)).not.toContain('密码');
  });

  it.each([
    ['in another form of Unicode', 'mañana-lång-café'.normalize('NFC'), 'mañana-lång-café'.normalize('NFD')],
    ['composed where it was not', 'mañana-lång-café'.normalize('NFD'), 'mañana-lång-café'.normalize('NFC')],
    ['in half width', '１２３ＡＢＣｄｅｆ９９', '123ABCdef99'],
    ['in full width', '123ABCdef99', '１２３ＡＢＣｄｅｆ９９'],
  ])('accepts a password typed %s', async (_what, set, typed) => {
    const username = newName();
    await auth.client.signup({ body: { username, password: set } });
    const logIn = (typed: string) => statusOf(auth.client.login({ body: { username, password: typed } }));
    expect([await logIn(typed), await logIn(set)]).toEqual([200, 200]);
    expect(await logIn(`${typed}x`)).toBe(401);
  });

  it('accepts a password whose hash was made before normalization', async () => {
    const { username, id } = await signup();
    const typed = '１２３ＡＢＣｄｅｆ９９';
    const passwordHash = await hash(typed, { memoryCost: 64, timeCost: 2, parallelism: 1 });
    await auth.store
      .collection<{ _id: number }>('accounts')
      .updateOne({ _id: id }, { $set: { passwordHash } });
    expect(await statusOf(auth.client.login({ body: { username, password: typed } }))).toBe(200);
  });

  it('accepts exactly one of fifty concurrent sign-ups with the same username', async () => {
    const username = newName();
    const statuses = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        statusOf(
          auth.client.signup({ body: { username: index % 2 ? username : username.toUpperCase(), password } }),
        ),
      ),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(49);
  });

  it.each([
    [{ username: 'ab', password }, /^Username must have 3 to 30/],
    [{ username: 'a'.repeat(31), password }, /^Username must have 3 to 30/],
    [{ username: 'no spaces', password }, /^Username must have 3 to 30/],
    [{ username: newName(), password: 'short' }, /^Password must have at least 8/],
    [{ username: newName(), password: 'x'.repeat(201) }, /^Password /],
    [{ username: { $gt: '' }, password }, /^Username /],
    [{}, /^Username .*password /],
    [[], /./],
    ['text', /./],
  ])('rejects %j with a message', async (body, sentence) => {
    const response = await fetch(`${auth.url}/auth/signup`, bodyOf(body));
    expect(response.status).toBe(400);
    expect(await response.text()).toMatch(sentence);
  });
});

describe('logging in', () => {
  it('returns a token for the correct password, whatever the case of the username', async () => {
    const { username, id } = await signup();
    const { token } = await auth.client.login({ body: { username: username.toUpperCase(), password } });
    expect(claimsOf(token)).toMatchObject({ sub: String(id), username });
  });

  it('responds the same to a wrong password and to an unknown username', async () => {
    const { username } = await signup();
    const answers = await Promise.all(
      [username, newName(), '$', ''].map(async (name) => {
        const response = await fetch(
          `${auth.url}/auth/login`,
          bodyOf({ username: name, password: 'wrong one' }),
        );
        return {
          status: response.status,
          type: response.headers.get('content-type'),
          text: await response.text(),
        };
      }),
    );
    const rejection = {
      status: 401,
      type: 'text/plain; charset=utf-8',
      text: 'That username and password do not match.',
    };
    expect(answers).toEqual([rejection, rejection, rejection, rejection]);
  });

  it('passes no query operator to the store', async () => {
    const response = await fetch(
      `${auth.url}/auth/login`,
      bodyOf({ username: { $ne: null }, password: { $ne: null } }),
    );
    expect(response.status).toBe(400);
  });
});

describe('the list of sessions', () => {
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  const loginWith = async (username: string, userAgent: string) => {
    const { headers, ...request } = bodyOf({ username, password });
    const response = await fetch(`${auth.url}/auth/login`, {
      ...request,
      headers: { ...headers, 'user-agent': userAgent },
    });
    return (await response.json()).token;
  };
  const sessionsOf = (token: string) => auth.client.listSessions({}, { token });

  it('shows browser and time, newest first, to their owner only', async () => {
    const before = Date.now();
    const person = await signup();
    const token = await loginWith(person.username, firefox);
    await loginWith(person.username, 'x'.repeat(5_000));
    const [unknown, second, first] = await sessionsOf(token);
    expect(second).toEqual({
      id: claimsOf(token).jti,
      browser: 'Firefox',
      system: 'Linux',
      since: new Date(claimsOf(token).iat * 1_000).toISOString(),
      current: true,
    });
    expect(Date.parse(second?.since ?? '')).toBeGreaterThanOrEqual(before);
    expect(unknown).toMatchObject({ system: '', current: false });
    expect(first).toMatchObject({ id: claimsOf(person.token).jti, current: false });
    expect(await sessionsOf((await signup()).token)).toHaveLength(1);
  });

  it('ends one session, for its owner only', async () => {
    const person = await signup();
    const token = await loginWith(person.username, firefox);
    const { jti: id } = claimsOf(token);
    const stranger = await signup();
    const end = (by: string) => statusOf(auth.client.endSession({ params: { id } }, { token: by }));
    expect(await end(stranger.token)).toBe(403);
    expect(await isGood(person, token)).toBe(true);
    expect(await end(person.token)).toBe(200);
    expect(await isGood(person, token)).toBe(false);
    expect(await sessionsOf(person.token)).toMatchObject([{ current: true }]);
    expect(await end(person.token)).toBe(404);
    await auth.settle();
    expect(published('token.revoked.v1', person.id).map(({ data }) => data)).toMatchObject([{ tokenId: id }]);
  });

  it('ends all sessions, and with a new password all others', async () => {
    const person = await signup();
    const other = await loginWith(person.username, firefox);
    await auth.client.endSessions({}, { token: other });
    expect(await isGood(person, person.token)).toBe(false);
    expect(await isGood(person, other)).toBe(false);
    const again = await loginWith(person.username, firefox);
    const body = { currentPassword: password, newPassword: `${password} too` };
    const changed = await auth.client.changePassword({ body }, { token: again });
    expect(await sessionsOf(changed.token)).toMatchObject([{ id: claimsOf(changed.token).jti }]);
  });
});

it('a token of an account that does not exist is invalid', async () => {
  const token = signToken({ sub: '987654', username: 'nobody-at-all' });
  expect(await statusOf(auth.client.changeUsername({ body: { username: newName() } }, { token }))).toBe(401);
});

describe('logging out', () => {
  it('revokes that token immediately, and no other', async () => {
    const person = await signup();
    const other = await auth.client.login({ body: { username: person.username, password } });
    expect(await isGood(person, person.token)).toBe(true);
    await auth.client.logout({}, { token: person.token });
    expect(await isGood(person, person.token)).toBe(false);
    expect(await isGood(person, other.token)).toBe(true);
  });

  it('is published', async () => {
    const { token, id } = await signup();
    await auth.client.logout({}, { token });
    await auth.settle();
    const { jti, exp } = claimsOf(token);
    expect(published('token.revoked.v1', id).map(({ data }) => data)).toEqual([
      { userId: id, tokenId: jti, issuedBefore: null, expiresAt: new Date(exp * 1_000).toISOString() },
    ]);
  });

  it('never fails, however many calls are concurrent', async () => {
    const person = await signup();
    const statuses = await Promise.all(
      Array.from({ length: 20 }, () => statusOf(auth.client.logout({}, { token: person.token }))),
    );
    expect(statuses.every((status) => status === 200 || status === 401)).toBe(true);
    expect(await isGood(person, person.token)).toBe(false);
  });
});

describe('changing the password', () => {
  const newPassword = 'another long password';

  it('revokes all older tokens, returns a new one and accepts only the new password', async () => {
    const person = await signup();
    const other = await auth.client.login({ body: { username: person.username, password } });
    const { token } = await auth.client.changePassword(
      { body: { currentPassword: password, newPassword } },
      { token: person.token },
    );
    expect(await isGood(person, person.token)).toBe(false);
    expect(await isGood(person, other.token)).toBe(false);
    expect(await isGood(person, token)).toBe(true);
    expect(await statusOf(auth.client.login({ body: { username: person.username, password } }))).toBe(401);
    const fresh = await auth.client.login({ body: { username: person.username, password: newPassword } });
    expect(await isGood(person, fresh.token)).toBe(true);
  });

  it('revokes tokens that were issued during the change, too', async () => {
    const person = await signup();
    const first = await auth.client.changePassword(
      { body: { currentPassword: password, newPassword } },
      { token: person.token },
    );
    const second = await auth.client.changePassword(
      { body: { currentPassword: newPassword, newPassword: password } },
      { token: first.token },
    );
    expect(await isGood(person, first.token)).toBe(false);
    expect(await isGood(person, second.token)).toBe(true);
  });

  it('revokes a token that a clock dated an hour ahead', async () => {
    const person = await signup();
    const inAnHour = Math.floor(Date.now() / 1_000) + 3_600;
    const ahead = signToken({
      ...{ sub: String(person.id), username: person.username },
      ...{ iat: inAnHour, exp: inAnHour + 3_600 },
    });
    const listed = () => statusOf(auth.client.listSessions({}, { token: ahead }));
    expect(await listed()).toBe(200);
    const { token } = await auth.client.changePassword(
      { body: { currentPassword: password, newPassword } },
      { token: person.token },
    );
    expect(await listed()).toBe(401);
    expect(await isGood(person, token)).toBe(true);
  });

  it('rejects a token dated more than a day ahead, and never dates a new login ahead', async () => {
    const person = await signup();
    const tokenIn = (seconds: number) => {
      const iat = Math.floor(Date.now() / 1_000) + seconds;
      return signToken({ sub: String(person.id), username: person.username, iat, exp: iat + 3_600 });
    };
    expect(await statusOf(auth.client.listSessions({}, { token: tokenIn(25 * 3_600) }))).toBe(401);
    const setEmail = auth.client.changeEmail(
      { body: { email: 'walker@wayquest.example' } },
      { token: tokenIn(3_600) },
    );
    await expect(setEmail).rejects.toMatchObject({ problem: { code: 'password-required' } });
  });

  it('publishes that all tokens until then are revoked', async () => {
    const { token, id } = await signup();
    const changed = await auth.client.changePassword(
      { body: { currentPassword: password, newPassword } },
      { token },
    );
    await auth.settle();
    const issuedBefore = new Date(claimsOf(changed.token).iat * 1_000).toISOString();
    expect(published('token.revoked.v1', id).map(({ data }) => data)).toEqual([
      { userId: id, tokenId: null, issuedBefore, generation: 1, expiresAt: expect.any(String) },
    ]);
  });

  it('requires the current one', async () => {
    const person = await signup();
    const rejected = auth.client.changePassword(
      { body: { currentPassword: 'a wrong one', newPassword } },
      { token: person.token },
    );
    await expect(rejected).rejects.toMatchObject({ status: 401, problem: { code: 'invalid-credentials' } });
    expect(await isGood(person, person.token)).toBe(true);
  });

  it('revokes the token of a concurrent login with the old password', async () => {
    for (let round = 0; round < 5; round += 1) {
      const person = await signup();
      const login = () => auth.client.login({ body: { username: person.username, password } });
      const before = login();
      const changed = auth.client.changePassword(
        { body: { currentPassword: password, newPassword } },
        { token: person.token },
      );
      const logins = await Promise.allSettled([before, login(), login(), login(), changed.then(login)]);
      const tokens = logins.flatMap((one) => (one.status === 'fulfilled' ? [one.value.token] : []));
      expect(tokens.length).toBeGreaterThan(0);
      for (const token of tokens) expect(await isGood(person, token)).toBe(false);
    }
  });

  it('lets one of several concurrent changes succeed', async () => {
    const person = await signup();
    const statuses = await Promise.all(
      ['first password', 'second password', 'third password'].map((requested) =>
        statusOf(
          auth.client.changePassword(
            { body: { currentPassword: password, newPassword: requested } },
            { token: person.token },
          ),
        ),
      ),
    );
    expect(statuses.sort()).toEqual([200, 401, 401]);
  });
});

describe('while the bus is unavailable', () => {
  it('still rejects a revoked token immediately', async () => {
    const stuck = await startAuthForTest({ busStuck: true });
    const username = newName();
    const first = await stuck.client.signup({ body: { username, password } });
    const second = await stuck.client.login({ body: { username, password } });
    const rename = (token: string) =>
      statusOf(stuck.client.changeUsername({ body: { username } }, { token }));
    expect([await rename(first.token), await rename(second.token)]).toEqual([200, 200]);

    await stuck.client.logout({}, { token: first.token });
    expect([await rename(first.token), await rename(second.token)]).toEqual([401, 200]);

    const body = { currentPassword: password, newPassword: 'another long password' };
    const third = await stuck.client.changePassword({ body }, { token: second.token });
    expect([await rename(second.token), await rename(third.token)]).toEqual([401, 200]);
  });
});

describe('changing the username', () => {
  it('reserves the new username', async () => {
    const { username, token, id } = await signup();
    const requested = newName();
    const answer = await auth.client.changeUsername({ body: { username: requested } }, { token });
    expect(answer).toEqual({ id, username: requested, version: 2, changedAt: expect.any(String) });
    await auth.settle();
    expect(published('user.account-changed.v1', id).map(({ data }) => data)).toEqual([
      { id, username: requested, admin: false, version: 2, registeredAt: expect.any(String) },
    ]);
    expect(await statusOf(auth.client.login({ body: { username: requested, password } }))).toBe(200);
    expect(await statusOf(auth.client.login({ body: { username, password } }))).toBe(401);
    // The username changed, the account did not.
    expect(await isGood({ username: requested }, token)).toBe(true);
    expect(published('token.revoked.v1', id)).toEqual([]);
  });

  it('reserves the old username for a while, except for its previous owner', async () => {
    const ann = await signup();
    const { token: other } = await signup();
    await auth.client.changeUsername({ body: { username: newName() } }, { token: ann.token });
    await expect(auth.client.signup({ body: { username: ann.username, password } })).rejects.toMatchObject({
      status: 409,
    });
    await expect(
      auth.client.changeUsername({ body: { username: ann.username } }, { token: other }),
    ).rejects.toMatchObject({ status: 409 });
    await auth.client.changeUsername({ body: { username: ann.username } }, { token: ann.token });
  });

  it('allows a change of case only', async () => {
    const { username, token } = await signup();
    const answer = await auth.client.changeUsername(
      { body: { username: username.toUpperCase() } },
      { token },
    );
    expect(answer).toMatchObject({ username: username.toUpperCase(), version: 2 });
  });

  it('changes nothing for the current username', async () => {
    const { username, token, id } = await signup();
    const answer = await auth.client.changeUsername({ body: { username } }, { token });
    expect(answer).toMatchObject({ id, username, version: 1 });
    await auth.settle();
    expect(published('user.account-changed.v1', id)).toEqual([]);
  });

  it('rejects a username that is taken', async () => {
    const { username } = await signup();
    const { token } = await signup();
    await expect(
      auth.client.changeUsername({ body: { username: username.toUpperCase() } }, { token }),
    ).rejects.toMatchObject({ status: 409, problem: { code: 'username-taken' } });
  });

  it('counts each of several concurrent changes', async () => {
    const { token, id } = await signup();
    const names = Array.from({ length: 3 }, newName);
    const answers = await Promise.all(
      names.map((username) => auth.client.changeUsername({ body: { username } }, { token })),
    );
    expect(answers.map(({ version }) => version).sort()).toEqual([2, 3, 4]);
    await auth.settle();
    expect(published('user.account-changed.v1', id)).toHaveLength(3);
  });

  it('is allowed three times a day; usernames that are taken, or the current one, do not count (code 8)', async () => {
    const { username: taken } = await signup();
    const { token, username } = await signup();
    const rename = (next: string) => auth.client.changeUsername({ body: { username: next } }, { token });
    for (const each of [newName(), newName()]) {
      await rename(each);
      await rename(each);
      await expect(rename(taken)).rejects.toMatchObject({ status: 409 });
    }
    await rename(username.toUpperCase());
    await expect(rename(newName())).rejects.toMatchObject({
      status: 429,
      problem: { detail: "You've reached the limit of 3 new usernames a day. Please try again tomorrow." },
    });
    expect((await auth.client.login({ body: { username, password } })).token).not.toBe('');
  });

  it('leaves no more than ten usernames reserved for one account, which can take those back (code 8)', async () => {
    const { token, id, username } = await signup();
    const restsUntil = new Date(Date.now() + 86_400_000);
    const reserved = Array.from({ length: 9 }, (_, n) => ({
      _id: `hash-${id}-${n}`,
      accountId: id,
      restsUntil,
    }));
    const expired = { _id: `hash-${id}-old`, accountId: id, restsUntil: new Date(Date.now() - 1) };
    await auth.store.collection<{ _id: string }>('freed_usernames').insertMany([...reserved, expired]);
    const rename = (next: string) => auth.client.changeUsername({ body: { username: next } }, { token });
    const second = newName();
    await rename(second);
    await expect(rename(newName())).rejects.toMatchObject({
      status: 429,
      problem: { code: 'too-many-requests' },
    });
    await auth.store.collection<{ _id: string }>('freed_usernames').deleteOne({ _id: `hash-${id}-0` });
    await rename(username);
    await rename(second);
  });

  it('needs a token', async () => {
    expect(await statusOf(auth.client.changeUsername({ body: { username: newName() } }))).toBe(401);
  });
});
