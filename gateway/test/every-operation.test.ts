import { type Operation, operationUrl } from '@wayquest/contracts';
import { type Network, newUser, startNetwork, type TestUser } from '@wayquest/testing';
import { type Call, callable } from './calls.ts';

/** Everything that the table declares, called by everyone who could. */

let network: Network;
beforeAll(async () => {
  network = await startNetwork();
});
afterAll(() => network?.stop());

const send = (operation: Operation, { params, query, body }: Call, token: string | undefined) =>
  fetch(network.url + operationUrl(operation, { params: params ?? {}, query: query ?? {} }), {
    method: operation.method,
    redirect: 'manual',
    headers: {
      ...(token !== undefined && { authorization: token }),
      ...(body !== undefined && { 'content-type': body instanceof Blob ? body.type : 'application/json' }),
    },
    body: body === undefined ? null : body instanceof Blob ? body : JSON.stringify(body),
  });

const adminOf = ({ me, username }: TestUser) =>
  network.signToken({ sub: String(me.id), username, admin: true });

const expired = ({ me, username }: TestUser) => {
  const now = Math.floor(Date.now() / 1_000);
  return network.signToken({ sub: String(me.id), username, iat: now - 7_200, exp: now - 3_600 });
};

type Role = 'nobody' | 'bad token' | 'expired token' | 'wrong user' | 'right user' | 'admin';
type Verdict = 'allowed' | [number, string];

const tokenFor: Record<Role, (caller: TestUser) => string | undefined> = {
  nobody: () => undefined,
  'bad token': ({ token }) => `${token.slice(0, -4)}AAAA`,
  'expired token': expired,
  'wrong user': ({ token }) => token,
  'right user': ({ token }) => token,
  admin: adminOf,
};

const loginFirst: Verdict = [401, 'unauthenticated'];
const notYours: Verdict = [403, 'forbidden'];
const adminsOnly: Verdict = [403, 'admins-only'];

/** What design and contracts say of each kind of access. */
const verdicts: Record<Operation['access'], Record<Exclude<Role, 'bad token' | 'expired token'>, Verdict>> = {
  public: { nobody: 'allowed', 'wrong user': 'allowed', 'right user': 'allowed', admin: 'allowed' },
  member: { nobody: loginFirst, 'wrong user': 'allowed', 'right user': 'allowed', admin: 'allowed' },
  owner: { nobody: loginFirst, 'wrong user': notYours, 'right user': 'allowed', admin: notYours },
  'owner-or-admin': { nobody: loginFirst, 'wrong user': notYours, 'right user': 'allowed', admin: 'allowed' },
  admin: { nobody: loginFirst, 'wrong user': adminsOnly, 'right user': adminsOnly, admin: 'allowed' },
};

const verdictOn = (role: Role, { access, service }: Operation): Verdict => {
  if (role !== 'bad token' && role !== 'expired token') return verdicts[access][role];
  // The gateway knows no key: what it answers itself is the same for everybody.
  return service === 'gateway' ? 'allowed' : [401, 'invalid-token'];
};

describe.each(callable)('$name', ({ operation, makeCall }) => {
  it.each(Object.keys(tokenFor) as Role[])('for %s', async (role) => {
    const owner = await newUser(network);
    const caller = role === 'right user' ? owner : await newUser(network);
    const call = await makeCall({ owner, caller, another: await newUser(network) });
    const response = await send(operation, call, tokenFor[role](caller));
    const text = await response.text();

    const verdict = verdictOn(role, operation);
    const expected = verdict === 'allowed' ? call.allowed : verdict;
    if (!expected) {
      expect(operation.status).toContain(response.status);
      if (operation.answer) operation.answer.parse(JSON.parse(text));
      return;
    }
    expect(response.status).toBe(expected[0]);
    if (operation.plainTextErrors) expect(text).toMatch(/^[A-Z][^{]+$/);
    else
      expect(JSON.parse(text)).toMatchObject({
        status: expected[0],
        code: expected[1],
        requestId: expect.any(String),
      });
  });
});
