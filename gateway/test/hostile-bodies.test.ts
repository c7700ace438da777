import { type Operation, operations, operationUrl } from '@wayquest/contracts';
import { fuzzing, type Network, newChallenge, newUser, startNetwork, type TestUser } from '@wayquest/testing';
import fc from 'fast-check';
import { inputsOf } from './arbitrary-of-schema.ts';
import { callable } from './calls.ts';

/** Number of invalid or barely valid inputs of each operation. */
const inputs = 5;

let network: Network;
let ann: TestUser;
let ids: number[];
beforeAll(async () => {
  network = await startNetwork();
  ann = await newUser(network);
  const challenge = await newChallenge(ann);
  const participation = await ann.client.joinChallenge({ body: challenge });
  ids = [challenge.id, participation.id, ann.me.id];
});
afterAll(() => network?.stop());

const responseTo = async (
  operation: Operation,
  url: string,
  body: string | null,
  type = 'application/json',
) => {
  // A deletion, a logout or a new password must not invalidate the token for the other calls.
  const admin = network.signToken({
    ...{ sub: String(ann.me.id), username: ann.username, admin: true },
    generation: Number.MAX_SAFE_INTEGER,
  });
  const response = await fetch(network.url + url, {
    method: operation.method,
    redirect: 'manual',
    headers: { authorization: admin, ...(body !== null && { 'content-type': type }) },
    body,
  });
  return { status: response.status, text: await response.text() };
};

const withBody = callable.filter(({ operation: { body, upload } }) => body && !upload);
const withAddress = callable.filter(({ operation: { params, query } }) => params ?? query);

/** Accepts any status except 5xx and 429, since a rate limit would hide errors behind it. */
const expectMannered = ({ status, text }: { status: number; text: string }) => {
  expect([status < 500 && status !== 429, text]).toEqual([true, text]);
  if (status === 400) expect(text).toMatch(/"field"|^[A-Z]/);
};

it.each(withBody)('$name does not fail with any generated body', async ({ operation }) => {
  const schema = operation.body;
  if (!schema) throw new Error('no body');
  await fc.assert(
    fc.asyncProperty(inputsOf(schema), fc.constantFrom(...ids), async (body, id) => {
      expectMannered(
        await responseTo(operation, operationUrl(operation, { params: { id } }), JSON.stringify(body) ?? ''),
      );
    }),
    fuzzing(inputs),
  );
});

it.each(withAddress)('$name does not fail with any generated URL', async ({ operation }) => {
  const params = operation.params ? inputsOf(operation.params) : fc.constant({});
  const query = operation.query ? inputsOf(operation.query) : fc.constant({});
  const isRecord = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null;
  const inText = (value: unknown) =>
    Object.fromEntries(
      Object.entries(isRecord(value) ? value : { id: value }).map(([name, part]) => [
        name,
        typeof part === 'string' ? part.replace(/\p{Surrogate}/gu, '?') : JSON.stringify(part),
      ]),
    );
  await fc.assert(
    fc.asyncProperty(params, query, async (inPath, inQuery) => {
      const body = operation.body ? '{}' : null;
      const url = operationUrl(operation, { params: inText(inPath), query: inText(inQuery) });
      if (url.length > 8_000) return;
      expectMannered(await responseTo(operation, url, body));
    }),
    fuzzing(inputs),
  );
});

it.each([
  ['half a document', '{"name":', 'application/json'],
  ['no document', '', 'application/json'],
  ['a form', 'name=x&difficulty=easy', 'application/x-www-form-urlencoded'],
  ['another character set', '{"name":"x"}', 'application/json; charset=utf-32'],
  ['a very deep document', `${'['.repeat(50_000)}${']'.repeat(50_000)}`, 'application/json'],
])('a body that is %s is 400 with a reason', async (_what, body, type) => {
  const reply = await responseTo(operations.createChallenge, '/api/challenges/', body, type);
  expect(reply.status).toBe(400);
  expect(JSON.parse(reply.text).errors).not.toHaveLength(0);
});

it('a body over 1 MiB is 413', async () => {
  const body = JSON.stringify({ name: 'x'.repeat(1024 * 1024) });
  expect((await responseTo(operations.createChallenge, '/api/challenges/', body)).status).toBe(413);
});
