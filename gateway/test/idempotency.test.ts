import {
  type Client,
  createClient,
  idempotencyKeyHeader,
  type Operation,
  operations,
  operationUrl,
} from '@wayquest/contracts';
import { type Network, namedUrl, newUser, recordEvents, startNetwork } from '@wayquest/testing';
import { type Call, callable, peopleOf } from './calls.ts';

let network: Network;
let published: unknown[];
beforeAll(async () => {
  network = await startNetwork();
  published = recordEvents(network);
});
afterAll(() => network?.stop());

let keys = 0;
const newKey = () => `key-${++keys}`;

const send = (
  operation: Operation,
  { params = {}, body }: Call,
  { token, key }: { token: string; key: string },
) =>
  fetch(namedUrl(network.url) + operationUrl(operation, { params }), {
    method: operation.method,
    headers: { authorization: token, 'content-type': 'application/json', [idempotencyKeyHeader]: key },
    body: body === undefined ? null : JSON.stringify(body),
  });

/** Returns the resource in a response. */
const createdIn = async (response: Response) => {
  const text = await response.text();
  if (!text) return undefined;
  const { token: _, ...made } = JSON.parse(text);
  return made;
};

const posts = callable.filter(({ operation }) => operation.method === 'POST');
const creating = posts.filter(({ operation }) => operation.creates);
/** These need more than a body to succeed; the suites of their services test them. */
const testedElsewhere = ['addPasskey', 'appeal', 'requestForPlace'];

test('every POST either creates something or is known not to', () => {
  const others = posts.filter(({ operation }) => !operation.creates).map(({ name }) => name);
  expect(others.sort()).toEqual([
    // Links and codes, each of which is valid once.
    ...['appealSuspension', 'confirmEmail', 'createPasswordLink', 'deleteAccount', 'exchangeLoginCode'],
    ...['forgotPassword', 'getResetLink', 'login', 'loginWithPasskey', 'logout'],
    ...[
      'makeArchiveAddress',
      'removePasskey',
      'resetPassword',
      'revokeAward',
      'startGoogleLink',
      'startOpenIdLink',
      'startPasskey',
      'startPasskeyLogin',
    ],
    ...['unlinkGoogle', 'unlinkOpenId'],
  ]);
});

test.each(creating.filter(({ name }) => !testedElsewhere.includes(name)))(
  'repeating $name with its key creates nothing else, and returns the same',
  async ({ name, operation, makeCall }) => {
    const [owner, caller] = await Promise.all([newUser(network), newUser(network)]);
    const call = await makeCall(peopleOf(owner, caller));
    const token =
      operation.access === 'admin'
        ? network.signToken({ sub: '900001', username: 'admin', admin: true })
        : caller.token;
    const key = newKey();
    await network.settle();
    // Two concurrent calls; one of two that create an account may be rejected because the username is taken.
    const first = await Promise.all(
      (name === 'signup' || name === 'createAccount' ? [1] : [1, 2]).map(() =>
        send(operation, call, { token, key }),
      ),
    );
    await network.settle();
    const before = published.length;
    const replies = [...first, await send(operation, call, { token, key })];
    await network.settle();
    expect(replies.filter(({ status }) => !operation.status.includes(status))).toEqual([]);
    expect(published.slice(before)).toEqual([]);
    const [made, ...repeated] = await Promise.all(replies.map(createdIn));
    // The state of an archive changes while it is created.
    if (name === 'makeArchive') return;
    for (const one of repeated) expect(one).toEqual(made);
  },
);

/** Creates a client whose responses are lost until `repair` is called. */
function behindFailingProxy(token: string): Client & { repair(): void } {
  let isBroken = true;
  const client = createClient({
    baseUrl: network.url,
    token: () => token,
    makeKey: newKey,
    fetch: async (...args) => {
      const reply = await fetch(...args);
      return isBroken ? new Response('<h1>504</h1>', { status: 504 }) : reply;
    },
  });
  const repair = () => {
    isBroken = false;
  };
  return Object.assign(client, { repair });
}

test('a retry after a 504 creates one challenge, and the next call another one', async () => {
  const ann = await newUser(network);
  const client = behindFailingProxy(ann.token);
  const body = { name: `Up the tower of ${ann.username}`, difficulty: 'Easy' } as const;
  await expect(client.createChallenge({ body })).rejects.toMatchObject({ status: 504 });
  client.repair();
  const { id } = await client.createChallenge({ body });
  const query = { search: body.name };
  expect((await ann.client.listChallenges({ query })).map((challenge) => challenge.id)).toEqual([id]);
  await client.createChallenge({ body });
  expect(await ann.client.listChallenges({ query })).toHaveLength(2);
});

describe('an idempotency key', () => {
  const { createChallenge } = operations;
  const create = (token: string, key: string, name = 'Down the river') =>
    send(createChallenge, { body: { name, difficulty: 'Easy' } }, { token, key });

  test('with another body is rejected, naming the header', async () => {
    const { token } = await newUser(network);
    const key = newKey();
    expect((await create(token, key)).status).toBe(201);
    const rejected = await create(token, key, 'Up the river');
    expect(rejected.status).toBe(400);
    expect(await rejected.json()).toMatchObject({
      errors: [{ field: 'Idempotency-Key', reason: 'was used with another body' }],
    });
  });

  test('applies to its caller only', async () => {
    const key = newKey();
    const users = await Promise.all([newUser(network), newUser(network)]);
    const made = await Promise.all(users.map(async ({ token }) => createdIn(await create(token, key))));
    expect(new Set(made.map(({ id }) => id)).size).toBe(2);
  });

  test('that is invalid is rejected, naming the header', async () => {
    const { token } = await newUser(network);
    const rejected = await create(token, 'x'.repeat(256));
    expect(rejected.status).toBe(400);
    expect(await rejected.json()).toMatchObject({ errors: [{ field: 'Idempotency-Key' }] });
  });
});
