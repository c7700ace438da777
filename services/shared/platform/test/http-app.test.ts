import { operations } from '@wayquest/contracts';
import { Problem } from '@wayquest/platform/core';
import { createHttpApp, listen, type RunningServer } from '@wayquest/platform/http';
import { createRecordingLogger } from '@wayquest/testing';

const logged: unknown[] = [];
const { logger: recordingLogger, securityEvents } = createRecordingLogger();
const logger = Object.assign(recordingLogger, { error: (entry: unknown) => logged.push(entry) });
const caller = {
  id: 7,
  username: 'ada',
  admin: false,
  token: 'good',
  claims: { sub: 7, username: 'ada', admin: false, jti: 'one', iat: 0, exp: 0 },
};
const guard = {
  async verify(token: string) {
    if (token === 'of-an-admin') return { ...caller, id: 1, admin: true };
    if (token !== 'good') throw new Problem('invalid-token');
    return caller;
  },
  /** Of somebody who has logged out since. */
  verifyJob(token: string) {
    if (token !== 'good' && token !== 'ended') throw new Problem('invalid-token');
    return caller;
  },
  invalidate() {},
};

const publicUser = {
  id: 1,
  username: 'ada',
  firstName: '',
  lastName: '',
  city: '',
  state: '',
  avatar: 'explorer-1.svg',
  points: 0,
};
/** Has an additional private field, which the compiler accepts. */
const withEmail = { ...publicUser, email: 'ada@example.org' };
const people: Record<number, typeof publicUser> = { 2: withEmail, 3: { ...publicUser, points: -1 } };
const handled: number[] = [];

let server: RunningServer;
let url: string;

beforeAll(async () => {
  const http = createHttpApp({ service: 'test', logger, guard, ready: async () => true });
  http.serve(operations.signup, async () => {
    throw new Problem('username-taken');
  });
  http.serve(operations.joinChallenge, async () => {
    throw new Error('the store is on fire at mongodb://user:secret@host');
  });
  http.serve(operations.logout, async () => undefined);
  http.serve(operations.listOwnFriendsData, async () => ({ records: [] }));
  http.serve({ ...operations.deleteChallenge, access: 'admin' }, async () => undefined);
  http.serve(operations.getUser, async ({ params }) => people[params.id] ?? publicUser);
  http.serveOwned(operations.leaveChallenge, {
    find: async ({ params }) => {
      if (params.id === 404) throw new Problem('participation-not-found');
      return { ownerId: params.id };
    },
    owners: ({ ownerId }) => [ownerId],
    handle: async (_, { ownerId }) => {
      handled.push(ownerId);
      return undefined;
    },
  });
  // @ts-expect-error An owned resource cannot be served without its owners.
  http.serve(operations.updateParticipation, async () => {
    throw new Problem('forbidden');
  });
  http.finish();
  server = await listen(http.express, { port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${server.port}`;
});
afterAll(() => server.stop());

const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  fetch(url + path, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });

const member = { authorization: 'Bearer good' };

test('an invalid JSON body is 400 with the field', async () => {
  const response = await post('/api/challengeLine/', '{"challengeId":', member);
  expect(response.status).toBe(400);
  expect(response.headers.get('content-type')).toContain('application/problem+json');
  expect(await response.json()).toMatchObject({ code: 'invalid-request', errors: [{ field: 'body' }] });
});

test('a body of more than 1 MiB is 413', async () => {
  const body = JSON.stringify({ challengeId: 1, padding: 'x'.repeat(1_100_000) });
  const response = await post('/api/challengeLine/', body, member);
  expect(response.status).toBe(413);
  expect(await response.json()).toMatchObject({ code: 'too-large' });
});

test('a query operator in place of a value is 400 with the field', async () => {
  const response = await post('/api/challengeLine/', '{"challengeId":{"$gt":0}}', member);
  expect(response.status).toBe(400);
});

test('an unknown URL is a 404 problem', async () => {
  const response = await fetch(`${url}/api/nothing`);
  expect(response.status).toBe(404);
  expect(await response.json()).toEqual({
    type: 'urn:wayquest:problem:not-found',
    title: 'Page not found.',
    status: 404,
    code: 'not-found',
    requestId: response.headers.get('x-request-id'),
  });
});

test('a missing and an invalid token are 401, each with its code', async () => {
  const withoutToken = await post('/auth/logout', '');
  expect([withoutToken.status, withoutToken.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  expect(await withoutToken.json()).toMatchObject({ code: 'unauthenticated' });
  const bad = await post('/auth/logout', '', { authorization: 'bad' });
  expect([bad.status, await bad.json()]).toMatchObject([401, { code: 'invalid-token' }]);
  expect((await post('/auth/logout', '', member)).status).toBe(204);
});

test('an operation for admins is 403 for a member', async () => {
  const response = await fetch(`${url}/api/challenges/1`, { method: 'DELETE', headers: member });
  expect([response.status, await response.json()]).toMatchObject([403, { code: 'admins-only' }]);
});

test('another user’s resource is 403 and never reaches the operation; a missing one is 404', async () => {
  const leave = (id: number) =>
    fetch(`${url}/api/challengeLine/${id}`, { method: 'DELETE', headers: member });
  const notOwned = await leave(8);
  expect([notOwned.status, await notOwned.json()]).toMatchObject([403, { code: 'forbidden' }]);
  const missing = await leave(404);
  expect([missing.status, await missing.json()]).toMatchObject([404, { code: 'participation-not-found' }]);
  expect((await leave(caller.id)).status).toBe(204);
  expect(handled).toEqual([caller.id]);
});

test('an admin’s action on other users’ data is logged with user, client address and operation', async () => {
  const headers = { authorization: 'of-an-admin', 'x-forwarded-for': '192.0.2.7' };
  for (const path of ['/api/challenges/5', '/api/challengeLine/8', '/api/challengeLine/1'])
    expect((await fetch(url + path, { method: 'DELETE', headers })).status).toBe(204);
  const byAdmin = { security: 'admin-action', userId: 1, address: '192.0.2.7' };
  expect(securityEvents()).toMatchObject([
    { ...byAdmin, operation: 'DELETE /api/challenges/5' },
    { ...byAdmin, operation: 'DELETE /api/challengeLine/8' },
  ]);
});

describe('a response', () => {
  const getUser = async (id: number) => {
    const response = await fetch(`${url}/api/users/${id}`);
    return { status: response.status, text: await response.text() };
  };

  it('contains the fields of its contract and nothing else', async () => {
    process.env.NODE_ENV = 'production';
    try {
      expect(await getUser(2)).toEqual({ status: 200, text: JSON.stringify(publicUser) });
    } finally {
      process.env.NODE_ENV = 'test';
    }
  });

  it('with other fields is an error in tests', async () => {
    expect(await getUser(2)).toMatchObject({ status: 500, text: expect.not.stringContaining('ada@') });
    expect(logged.at(-1)).toMatchObject({ err: { message: 'the contract does not name email' } });
  });

  it('that violates its contract is 500, never sent, and the cause is logged', async () => {
    expect(await getUser(3)).toMatchObject({ status: 500, text: expect.stringContaining('internal-error') });
    expect(logged.at(-1)).toMatchObject({ err: { issues: [{ path: ['points'] }] } });
  });
});

test.each([
  ['a successful response', '/api/users/1', 200],
  ['a rejection', '/api/users/none', 400],
  ['an unknown URL', '/api/nothing', 404],
])('%s must not be cached', async (_, path, status) => {
  const response = await fetch(url + path);
  expect([response.status, response.headers.get('cache-control')]).toEqual([status, 'no-store']);
});

test('an error of a form is plain text', async () => {
  const response = await post('/auth/signup', JSON.stringify({ username: 'ada', password: 'long enough' }));
  expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
    409,
    'text/plain; charset=utf-8',
    'That username is taken',
  ]);
});

test('an internal error is 500 without details', async () => {
  const response = await post('/api/challengeLine/', '{"challengeId":1}', member);
  expect(response.status).toBe(500);
  const text = await response.text();
  expect(JSON.parse(text)).toMatchObject({ code: 'internal-error' });
  expect(text).not.toContain('mongodb');
});

test('a request keeps its id, unless that is unsafe to log', async () => {
  const valid = await fetch(`${url}/x`, { headers: { 'x-request-id': 'from-the-gateway-1' } });
  expect(valid.headers.get('x-request-id')).toBe('from-the-gateway-1');
  const unsafe = await fetch(`${url}/x`, { headers: { 'x-request-id': 'a b{}' } });
  expect(unsafe.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
});

test.each([
  ['logout', { method: 'POST', path: operations.logout.path }, [401, 204]],
  ['an internal operation', { method: 'GET', path: operations.listOwnFriendsData.path }, [200, 200]],
])(
  'a token whose session has ended is accepted by internal operations only: %s (Q13)',
  async (_, call, expected) => {
    const statusOf = async (authorization: string) =>
      (await fetch(url + call.path, { method: call.method, headers: { authorization } })).status;
    expect([await statusOf('ended'), await statusOf('good'), await statusOf('bad')]).toEqual([
      ...expected,
      401,
    ]);
  },
);

test('calls of an account are limited by their cost, across its tokens', async () => {
  const tokens = {
    async verify(token: string) {
      return { ...caller, token };
    },
    verifyJob: (token: string) => ({ ...caller, token }),
    invalidate() {},
  };
  const http = createHttpApp({
    service: 'test',
    logger,
    guard: tokens,
    callsPerAccount: 5,
    ready: async () => true,
  });
  http.serve(operations.listUsers, async () => []);
  http.finish();
  const counting = await listen(http.express, { port: 0, host: '127.0.0.1' });
  try {
    const statusOf = async (headers: Record<string, string>) =>
      (await fetch(`http://127.0.0.1:${counting.port}/api/users/`, { headers })).status;
    expect(await statusOf({ authorization: 'one' })).toBe(200);
    expect(await statusOf({ authorization: 'another' })).toBe(429);
    expect(await statusOf({})).toBe(200);
  } finally {
    await counting.stop();
  }
});
