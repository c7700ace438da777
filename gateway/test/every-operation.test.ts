import {
  EventEnvelope,
  events,
  type Operation,
  operationUrl,
  ProblemDetails,
  serverEvents,
  socketClientOptions,
} from '@wayquest/contracts';
import { createLogger } from '@wayquest/platform/telemetry';
import {
  countKeys,
  type Network,
  newUser,
  recordEvents,
  startNetwork,
  type TestUser,
  testPassword,
  unnamedKeys,
} from '@wayquest/testing';
import { io } from 'socket.io-client';
import type { z } from 'zod';
import { type Call, callable } from './calls.ts';

/**
 * Everything that the table declares, called by everyone who could. All that leaves meanwhile is looked at as it
 * comes, in answers, on the bus and over sockets: a client that parses would hide what no contract names.
 */

const keys = { answers: 0, problems: 0, events: 0, messages: 0 };

/** Throws on keys that the contract does not name, and counts the others. */
function expectNamed(contract: z.ZodType, raw: unknown, kind: keyof typeof keys): void {
  expect(unnamedKeys(contract, raw)).toEqual([]);
  contract.parse(raw);
  keys[kind] += countKeys(raw);
}

let network: Network;
let told: unknown[];
const lines: string[] = [];
/** Whatever nobody may read in a log. */
const secrets = new Set<unknown>([testPassword]);
const shown: [name: string, data: unknown][] = [];

beforeAll(async () => {
  const logger = createLogger({
    ...{ name: 'test', level: 'trace' },
    destination: { write: (line) => void lines.push(line) },
  });
  network = await startNetwork({ logger });
  told = recordEvents(network);
});
afterAll(async () => {
  await network?.stop();
  const calls = `${callable.length} operations × ${Object.keys(tokenFor).length} roles`;
  process.stdout.write(`${calls}, keys in raw: ${JSON.stringify(keys)}\n`);
});

/** Somebody's tab, and what it is told, as it comes. */
function openTab({ token }: TestUser): Promise<ReturnType<typeof io>> {
  const socket = io(network.url, {
    ...socketClientOptions,
    transports: ['websocket'],
    auth: { token },
    forceNew: true,
  });
  return new Promise((resolve, reject) => {
    socket.onAny((name, data) => {
      shown.push([name, data]);
      if (name === 'getUsers') resolve(socket);
    });
    socket.once('connect_error', reject);
  });
}

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
  /** Who calls and what, and the tabs of those whom it may touch. */
  const newScene = async (role: Role) => {
    const [owner, another] = await Promise.all([newUser(network), newUser(network)]);
    const caller = role === 'right user' ? owner : await newUser(network);
    const isAllowed = verdictOn(role, operation) === 'allowed';
    const tabs = isAllowed ? await Promise.all([owner, another].map(openTab)) : [];
    return { caller, tabs, call: await makeCall({ owner, caller, another }) };
  };
  let refused: ReturnType<typeof newScene> | undefined;
  /** Those who are refused change nothing: one is for all of them but the owner. */
  const sceneFor = (role: Role) => {
    if (verdictOn(role, operation) === 'allowed' || role === 'right user') return newScene(role);
    refused ??= newScene(role);
    return refused;
  };

  it.each(Object.keys(tokenFor) as Role[])('for %s', async (role) => {
    const verdict = verdictOn(role, operation);
    const { caller, tabs, call } = await sceneFor(role);
    if (operation.service === 'challenges' && call.params?.id)
      for (const tab of tabs) tab.emit('watchChallenge', Number(call.params.id));
    const token = tokenFor[role](caller);
    const response = await send(operation, call, token);
    const text = await response.text();
    const { token: given } = text.startsWith('{') ? JSON.parse(text) : {};
    for (const secret of [token, given]) if (secret !== undefined) secrets.add(secret);
    const type = response.headers.get('content-type') ?? '';
    if (tabs.length) await network.settle();
    for (const tab of tabs) tab.disconnect();

    const expected = verdict === 'allowed' ? call.allowed : verdict;
    if (!expected) {
      expect(operation.status).toContain(response.status);
      if (operation.answer) expectNamed(operation.answer, JSON.parse(text), 'answers');
      else expect(type).not.toContain('json');
      return;
    }
    expect(response.status).toBe(expected[0]);
    if (operation.plainTextErrors) expect(text).toMatch(/^[A-Z][^{]+$/);
    else {
      expect(type).toContain('application/problem+json');
      expectNamed(ProblemDetails, JSON.parse(text), 'problems');
      expect(JSON.parse(text)).toMatchObject({
        status: expected[0],
        code: expected[1],
        requestId: expect.any(String),
      });
    }
  });
});

const contractOf = (contracts: Record<string, z.ZodType>, name: string): z.ZodType => {
  const contract = contracts[name];
  if (!contract) throw new Error(`no contract has ${name}`);
  return contract;
};

/** What none of these calls brings about. */
const elsewhere = {
  events: ['challenge.located.v1', 'replica.requested.v1', 'replica.told.v1'],
  messages: ['typing', 'leaderboard', 'resync'],
};

const sorted = (names: Iterable<string>) => [...names].sort();

it('tells the bus nothing that no contract names', () => {
  const names = new Set(elsewhere.events);
  for (const event of JSON.parse(JSON.stringify(told))) {
    const { name } = EventEnvelope.parse(event);
    names.add(name);
    expectNamed(EventEnvelope.extend({ data: contractOf(events, name) }), event, 'events');
  }
  expect(sorted(names)).toEqual(sorted(Object.keys(events)));
});

it('shows clients nothing that no contract names', () => {
  const names = new Set(elsewhere.messages);
  for (const [name, data] of shown) {
    names.add(name);
    expectNamed(contractOf(serverEvents, name), data, 'messages');
  }
  expect(sorted(names)).toEqual(sorted(Object.keys(serverEvents)));
});

it('logs every call, and no password and no token', () => {
  expect(lines.length).toBeGreaterThan(callable.length);
  const all = lines.join('');
  expect([...secrets].filter((secret) => all.includes(String(secret)))).toEqual([]);
});
