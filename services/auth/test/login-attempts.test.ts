import { call, limits, login, member, minute } from './attempts.ts';
import { newName, password, type RunningAuth, startAuthForTest } from './auth-service.ts';

it('limits failed logins to an account from an address, with Retry-After and a message', async () => {
  const auth = await startAuthForTest(limits({ accountAndAddress: minute(3) }));
  const { username } = await member(auth);
  for (let failure = 0; failure < 3; failure += 1) expect(await login(auth, username, 'wrong')).toBe(401);
  const rejected = await call(auth, '/auth/login', { username, password });
  expect(rejected).toMatchObject({
    status: 429,
    text: 'Too many attempts. Please wait a moment and try again.',
  });
  expect(Number(rejected.retryAfter)).toBeGreaterThan(0);
  expect(Number(rejected.retryAfter)).toBeLessThanOrEqual(60);
  expect(await login(auth, username.toUpperCase(), password)).toBe(429);
});

it('treats an unknown username the same', async () => {
  const auth = await startAuthForTest(limits({ accountAndAddress: minute(2) }));
  const unknown = newName();
  expect([
    await login(auth, unknown, 'wrong'),
    await login(auth, unknown, 'wrong'),
    await login(auth, unknown, 'wrong'),
  ]).toEqual([401, 401, 429]);
});

it('does not affect other accounts at that address, or the same account at other addresses', async () => {
  const auth = await startAuthForTest(limits({ accountAndAddress: minute(1) }));
  const [first, second] = [await member(auth), await member(auth)];
  expect(await login(auth, first.username, 'wrong')).toBe(401);
  expect(await login(auth, first.username, password)).toBe(429);
  expect(await login(auth, second.username, password)).toBe(200);
  expect(await login(auth, first.username, password, '192.0.2.2')).toBe(200);
});

it('resets the count after a success', async () => {
  const auth = await startAuthForTest(limits({ accountAndAddress: minute(3), account: minute(3) }));
  const { username } = await member(auth);
  for (let round = 0; round < 3; round += 1) {
    expect(await login(auth, username, 'wrong')).toBe(401);
    expect(await login(auth, username, 'wrong')).toBe(401);
    expect(await login(auth, username, password)).toBe(200);
  }
});

it('limits failed logins to an account from all addresses together', async () => {
  const auth = await startAuthForTest(limits({ account: minute(3) }));
  const { username } = await member(auth);
  const statuses = [];
  for (const last of [1, 2, 3, 4]) statuses.push(await login(auth, username, 'wrong', `192.0.2.${last}`));
  expect(statuses).toEqual([401, 401, 401, 429]);
});

describe('an attack on an account from many networks', () => {
  /** Guesses passwords, each from another network of one IPv6 /48. */
  const guesses = (auth: RunningAuth, username: string, count: number, from = 0) =>
    Promise.all(
      Array.from({ length: count }, (_, n) =>
        call(
          auth,
          '/auth/login',
          { username, password: 'wrong' },
          `2001:db8:1:${(from + n).toString(16)}::1`,
        ),
      ),
    );
  const home = '198.51.100.7';

  async function memberAtHome(auth: RunningAuth) {
    const { username } = await member(auth);
    const { status, text } = await call(auth, '/auth/login', { username, password }, home);
    expect(status).toBe(200);
    return { username, token: String(JSON.parse(text).token) };
  }

  it('is slowed down, and does not lock out the owner in networks where they have logged in before', async () => {
    const auth = await startAuthForTest({ attemptLimits: {} });
    const { username, token } = await memberAtHome(auth);
    const statuses: number[] = [];
    for (let from = 0; from < 120; from += 20) {
      const answers = await guesses(auth, username, 20, from);
      for (const { status, retryAfter } of answers) {
        statuses.push(status);
        if (status !== 429) continue;
        expect(Number(retryAfter)).toBeGreaterThan(0);
        expect(Number(retryAfter)).toBeLessThanOrEqual(60);
      }
      expect(await login(auth, username, password, home)).toBe(200);
    }
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(40);
    expect(statuses.filter((status) => status !== 401 && status !== 429)).toEqual([]);

    const changed = await fetch(`${auth.url}/auth/password`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': home, authorization: token },
      body: JSON.stringify({ currentPassword: password, newPassword: 'another long password' }),
    });
    expect(changed.status).toBe(200);
    expect(await login(auth, username, 'another long password', home)).toBe(200);
    await guesses(auth, username, 5, 200);
    expect(await login(auth, username, 'another long password', '203.0.113.9')).toBe(429);
  });

  it('looks the same for an unknown username', async () => {
    const auth = await startAuthForTest(limits({ account: minute(3) }));
    const { username } = await memberAtHome(auth);
    const answers = async (name: string) =>
      (await guesses(auth, name, 8)).map(({ status, text }) => `${status} ${text}`).sort();
    expect(await answers(newName())).toEqual(await answers(username));
  });

  it('has to wait longer after each attempt, up to a maximum', async () => {
    const auth = await startAuthForTest(
      limits({ account: { max: 1, seconds: 3_600 }, pause: { minSeconds: 60, maxSeconds: 240 } }),
    );
    const { username } = await memberAtHome(auth);
    let networks = 0;
    const guess = async () => {
      networks += 1;
      const [answer] = await guesses(auth, username, 1, networks);
      return answer;
    };
    // Only the time of the limits: timers of the store and the network continue.
    const { now } = Date;
    let passedMs = 0;
    Date.now = () => now() + passedMs;
    try {
      const waits: number[] = [];
      for (let n = 0; n < 4; n += 1) {
        expect((await guess())?.status).toBe(401);
        const rejected = await guess();
        expect(rejected?.status).toBe(429);
        waits.push(Number(rejected?.retryAfter));
        passedMs += Number(rejected?.retryAfter) * 1_000;
      }
      expect(waits).toEqual([60, 120, 240, 240]);
    } finally {
      Date.now = now;
    }
  });

  it('is also limited per IPv6 /48', async () => {
    const auth = await startAuthForTest(limits({ address: minute(2) }));
    const statuses = [];
    for (let n = 0; n < 12; n += 1)
      statuses.push(await login(auth, newName(), 'wrong', `2001:db8:1:${n}::1`));
    expect(statuses).toEqual([...Array<number>(8).fill(401), 429, 429, 429, 429]);
    expect(await login(auth, newName(), 'wrong', '2001:db8:2::1')).toBe(401);
  });

  it('recognizes known networks after a restart and in every instance', async () => {
    const first = await startAuthForTest({ ...limits({ account: minute(1) }), keepData: true });
    const { username } = await memberAtHome(first);
    await first.stop();
    const { databasePrefix } = first;
    const again = await startAuthForTest({ ...limits({ account: minute(1) }), databasePrefix });
    await guesses(again, username, 3);
    expect(await login(again, username, password, '203.0.113.9')).toBe(429);
    expect(await login(again, username, password, home)).toBe(200);
  });

  it('stores no client address', async () => {
    const auth = await startAuthForTest();
    await memberAtHome(auth);
    const stored = [];
    for (const { name } of await auth.store.listCollections())
      stored.push(...(await auth.store.collection(name).find().toArray()));
    expect(stored.length).toBeGreaterThan(0);
    expect(JSON.stringify(stored)).not.toContain(home);
  });
});

it('counts only failed logins of an address, however many users log in from it', async () => {
  const auth = await startAuthForTest(limits({ address: minute(3) }));
  const people = await Promise.all(Array.from({ length: 6 }, () => member(auth)));
  for (const { username } of people) expect(await login(auth, username, password)).toBe(200);
  const statuses = [];
  for (let guess = 0; guess < 4; guess += 1) statuses.push(await login(auth, newName(), 'wrong'));
  expect(statuses).toEqual([401, 401, 401, 429]);
});

it('counts concurrent attempts', async () => {
  const auth = await startAuthForTest(limits({ accountAndAddress: minute(5) }));
  const { username } = await member(auth);
  const statuses = await Promise.all(Array.from({ length: 30 }, () => login(auth, username, 'wrong')));
  expect(statuses.filter((status) => status === 401)).toHaveLength(5);
});

it('counts IPv6 addresses by the network of one customer', async () => {
  const auth = await startAuthForTest(limits({ address: minute(2) }));
  const from = (address: string) => login(auth, newName(), 'wrong', address);
  expect([
    await from('2001:db8:1:2::1'),
    await from('2001:0db8:0001:0002:ffff:1:2:3'),
    await from('2001:db8:1:2:3::'),
    await from('2001:db8:1:3::1'),
  ]).toEqual([401, 401, 429, 401]);
});

it('limits failed checks of the current password, too', async () => {
  const auth = await startAuthForTest(limits({ accountAndAddress: minute(2) }));
  const { token } = await member(auth);
  const change = (currentPassword: string) =>
    auth.client.changePassword({ body: { currentPassword, newPassword: 'another password' } }, { token });
  await expect(change('wrong')).rejects.toMatchObject({ status: 401 });
  await expect(change('wrong')).rejects.toMatchObject({ status: 401 });
  await expect(change(password)).rejects.toMatchObject({ status: 429 });
});

it('limits invalid sign-in codes from an address', async () => {
  const auth = await startAuthForTest(limits({ address: minute(2) }));
  const statuses = [];
  for (const code of ['1', '2', '3']) statuses.push((await call(auth, '/auth/code', { code })).status);
  expect(statuses).toEqual([401, 401, 429]);
});

it('limits new accounts from an address', async () => {
  const auth = await startAuthForTest(limits({ signup: minute(2) }));
  const statuses = [];
  for (let account = 0; account < 3; account += 1)
    statuses.push((await call(auth, '/auth/signup', { username: newName(), password })).status);
  expect(statuses).toEqual([200, 200, 429]);
});

describe('hashing', () => {
  it('is rejected with Retry-After if too many logins are queued', async () => {
    const auth = await startAuthForTest({ ...limits({}), passwordLimits: { queue: 0 } });
    const { status, retryAfter } = await call(auth, '/auth/signup', { username: newName(), password });
    expect(status).toBe(503);
    expect(Number(retryAfter)).toBeGreaterThan(0);
  });

  it('is not counted as a failed login then', async () => {
    const few = minute(2);
    const busy = await startAuthForTest({
      ...limits({ accountAndAddress: few, account: few, address: few }),
      passwordLimits: { queue: 0 },
    });
    const username = newName();
    const statuses = [];
    for (let attempt = 0; attempt < 5; attempt += 1) statuses.push(await login(busy, username, password));
    expect(statuses).toEqual([503, 503, 503, 503, 503]);
  });

  it('takes as long for an unknown username as for a wrong password', async () => {
    const first = await startAuthForTest({ ...limits({}), keepData: true });
    const { username } = await member(first);
    // No password can be hashed here, so every login that needs a hash is rejected.
    const { databasePrefix } = first;
    const busy = await startAuthForTest({ ...limits({}), databasePrefix, passwordLimits: { queue: 0 } });
    expect(await login(busy, username, 'wrong one')).toBe(503);
    expect(await login(busy, newName(), 'wrong one')).toBe(503);
  });
});
