import {
  EventEnvelope,
  events,
  type Operation,
  type OperationName,
  operationUrl,
  ProblemDetails,
  serverEvents,
  serviceNames,
  socketClientOptions,
} from '@wayquest/contracts';
import { requestReplicaRebuild } from '@wayquest/platform/service';
import { createLogger } from '@wayquest/platform/telemetry';
import {
  befriend,
  complete,
  countKeys,
  eventually,
  exampleSiteFolder,
  explainQuery,
  monitoredStoreUrl,
  type Network,
  namedUrl,
  newChallenge,
  newUser,
  recordEvents,
  recordQueries,
  startNetwork,
  type TestUser,
  testPassword,
  undeclaredKeys,
  withServiceStore,
} from '@wayquest/testing';
import { io } from 'socket.io-client';
import { z } from 'zod';
import { type Call, callable, type People, peopleOf } from './calls.ts';
import { currentPage, listed, queriesPage, scansIn, writePage } from './queries-page.ts';
import { queryVariants } from './query-variants.ts';

/**
 * Every operation of the contracts, called in every role. Checks the raw responses, events and socket messages, since a
 * client that parses would drop undeclared fields.
 */

const keys = { replies: 0, problems: 0, events: 0, messages: 0 };

/** Fails on keys that the contract does not declare, and counts the others. */
function expectDeclared(contract: z.ZodType, raw: unknown, kind: keyof typeof keys): void {
  expect(undeclaredKeys(contract, raw)).toEqual([]);
  contract.parse(raw);
  keys[kind] += countKeys(raw);
}

let network: Network;
let published: unknown[];
const lines: string[] = [];
/** Values that must not occur in a log. */
const secrets = new Set<unknown>([testPassword]);
const messages: [name: string, data: unknown][] = [];

beforeAll(async () => {
  const logger = createLogger({
    ...{ name: 'test', level: 'trace' },
    destination: { write: (line) => void lines.push(line) },
  });
  network = await startNetwork({
    logger,
    mongo: monitoredStoreUrl(),
    // The queries of migrations are recorded as well.
    isUpgrade: true,
    // Requested deletions happen soon.
    auth: { deletionsEveryMs: 500 },
    challenges: { rolloverEveryMs: 500 },
    settings: { DELETION_GRACE_DAYS: '0', SITE_FOLDER: exampleSiteFolder },
  });
  published = recordEvents(network);
  await rebuildAll();
});
afterAll(async () => {
  await network?.stop();
  const calls = `${callable.length} operations × ${Object.keys(tokenFor).length} roles`;
  process.stdout.write(`${calls}, keys in raw: ${JSON.stringify(keys)}\n`);
});

/** The queries of all services. */
const recordedQueries = recordQueries((database) => {
  const [, prefix, service] = /^(test_[0-9a-f]+)_(\w+)$/.exec(database) ?? [];
  // Also during the start, before the name of the databases is known.
  return network && network.databasePrefix !== prefix
    ? undefined
    : serviceNames.find((name) => name === service);
});

/** Requests a replica rebuild of every service, with some data of each kind. */
async function rebuildAll(): Promise<void> {
  const [ann, bob] = await Promise.all([newUser(network), newUser(network)]);
  await befriend(ann, bob);
  await complete(bob, await newChallenge(ann));
  await ann.client.blockUser({ body: { userId: (await newUser(network)).me.id } });
  await network.settle();
  for (const service of serviceNames) {
    await withServiceStore(network, service, (store) => requestReplicaRebuild(store, service));
  }
  await network.settle();
}

/** Lets the challenges service count what opened and closed since yesterday, as after midnight. */
async function rollOverDay(): Promise<void> {
  await withServiceStore(network, 'challenges', async (store) => {
    const zones = store.collection<{ _id: string; day: string }>('time_zones');
    await zones.updateOne({ _id: 'UTC' }, { $set: { day: '2026-01-01' } });
    await eventually(async () => expect(await zones.findOne({ _id: 'UTC', day: '2026-01-01' })).toBeNull());
  });
}

/** Opens a socket of a user, and records its raw messages. */
function openTab({ token }: TestUser): Promise<ReturnType<typeof io>> {
  const socket = io(network.url, {
    ...socketClientOptions,
    transports: ['websocket'],
    auth: { token },
    forceNew: true,
  });
  return new Promise((resolve, reject) => {
    socket.onAny((name, data) => {
      messages.push([name, data]);
      if (name === 'getUsers') resolve(socket);
    });
    socket.once('connect_error', reject);
  });
}

/** @param baseUrl - By default the gateway's. */
const send = (
  operation: Operation,
  { params, query, body }: Call,
  token: string | undefined,
  baseUrl = namedUrl(network.url),
) =>
  fetch(baseUrl + operationUrl(operation, { params: params ?? {}, query: query ?? {} }), {
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
type Outcome = 'allowed' | [number, string];

const tokenFor: Record<Role, (caller: TestUser) => string | undefined> = {
  nobody: () => undefined,
  'bad token': ({ token }) => `${token.slice(0, -4)}AAAA`,
  'expired token': expired,
  'wrong user': ({ token }) => token,
  'right user': ({ token }) => token,
  admin: adminOf,
};

const loginFirst: Outcome = [401, 'unauthenticated'];
const notYours: Outcome = [403, 'forbidden'];
const adminsOnly: Outcome = [403, 'admins-only'];

/** The expected outcome for each kind of access and role. */
const outcomes: Record<Operation['access'], Record<Exclude<Role, 'bad token' | 'expired token'>, Outcome>> = {
  public: { nobody: 'allowed', 'wrong user': 'allowed', 'right user': 'allowed', admin: 'allowed' },
  member: { nobody: loginFirst, 'wrong user': 'allowed', 'right user': 'allowed', admin: 'allowed' },
  owner: { nobody: loginFirst, 'wrong user': notYours, 'right user': 'allowed', admin: notYours },
  'owner-or-admin': { nobody: loginFirst, 'wrong user': notYours, 'right user': 'allowed', admin: 'allowed' },
  admin: { nobody: loginFirst, 'wrong user': adminsOnly, 'right user': adminsOnly, admin: 'allowed' },
};

const outcomeFor = (role: Role, { access, service, internal }: Operation): Outcome => {
  // Only services call it, directly.
  if (internal) return [404, 'not-found'];
  if (role !== 'bad token' && role !== 'expired token') return outcomes[access][role];
  // The gateway does not verify tokens, so its own operations respond to everybody.
  return service === 'gateway' ? 'allowed' : [401, 'invalid-token'];
};

/** The users for all calls that change nothing. */
let sharedPeople: People;
beforeAll(async () => {
  const [owner, caller] = await Promise.all([newUser(network), newUser(network)]);
  sharedPeople = peopleOf(owner, caller);
});

describe.each(callable)('$name', ({ operation, makeCall }) => {
  const changes = (role: Role) => operation.method !== 'GET' && outcomeFor(role, operation) === 'allowed';
  /** Creates a caller, a call, and tabs of the users that it may affect. */
  const newFixture = async (role: Role) => {
    const owner = await newUser(network);
    const caller = role === 'right user' ? owner : await newUser(network);
    const tabs = [await openTab(owner)];
    const people = peopleOf(owner, caller, async () => {
      const another = await newUser(network);
      tabs.push(await openTab(another));
      return another;
    });
    return { caller, tabs, call: await makeCall(people) };
  };
  let shared: Promise<Call> | undefined;
  /** Rejected calls and reads change nothing, so they share the users and the resource. */
  const sharedFixture = async (role: Role) => {
    shared ??= makeCall(sharedPeople);
    const caller = role === 'right user' ? sharedPeople.owner : sharedPeople.caller;
    return { caller, tabs: [], call: await shared };
  };
  const fixtureFor = (role: Role) => (changes(role) ? newFixture(role) : sharedFixture(role));

  it.each(Object.keys(tokenFor) as Role[])('for %s', async (role) => {
    const outcome = outcomeFor(role, operation);
    const { caller, tabs, call } = await fixtureFor(role);
    if (operation.service === 'challenges' && call.params?.id)
      for (const tab of tabs) tab.emit('watchChallenge', Number(call.params.id));
    const token = tokenFor[role](caller);
    const response = await send(operation, call, token);
    const text = await response.text();
    const { token: returnedToken } = text.startsWith('{') ? JSON.parse(text) : {};
    for (const secret of [token, returnedToken]) if (secret !== undefined) secrets.add(secret);
    const type = response.headers.get('content-type') ?? '';
    if (tabs.length) await network.settle();
    for (const tab of tabs) tab.disconnect();

    const expected = outcome === 'allowed' ? call.allowed : outcome;
    if (!expected) {
      expect(operation.status).toContain(response.status);
      if (operation.response) expectDeclared(operation.response, JSON.parse(text), 'replies');
      else expect(type).not.toContain('json');
      return;
    }
    expect(response.status).toBe(expected[0]);
    if (operation.plainTextErrors) expect(text).toMatch(/^[A-Z][^{]+$/);
    else {
      expect(type).toContain('application/problem+json');
      expectDeclared(ProblemDetails, JSON.parse(text), 'problems');
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

/** Events and messages that none of these calls causes; other suites test them. */
const testedElsewhere = {
  events: [
    'archive.failed.v1',
    'challenge.located.v1',
    'challenge.town-found.v1',
    'replica.rebuild-requested.v1',
    'replica.snapshot-completed.v1',
  ],
  messages: ['typing', 'leaderboard', 'resync'],
};

const sorted = (names: Iterable<string>) => [...names].sort();

it('publishes only fields that its contract declares', async () => {
  const names = () => published.map((event) => EventEnvelope.parse(event).name);
  // Some events follow their call later, such as that an archive is ready.
  await eventually(() =>
    expect(sorted(new Set([...testedElsewhere.events, ...names()]))).toEqual(sorted(Object.keys(events))),
  );
  for (const event of JSON.parse(JSON.stringify(published))) {
    const { name } = EventEnvelope.parse(event);
    expectDeclared(EventEnvelope.extend({ data: contractOf(events, name) }), event, 'events');
  }
});

it('sends only fields that its contract declares over sockets', () => {
  const names = new Set(testedElsewhere.messages);
  for (const [name, data] of messages) {
    names.add(name);
    expectDeclared(contractOf(serverEvents, name), data, 'messages');
  }
  expect(sorted(names)).toEqual(sorted(Object.keys(serverEvents)));
});

it('logs every call, but no passwords and tokens', () => {
  expect(lines.length).toBeGreaterThan(callable.length);
  const all = lines.join('');
  expect([...secrets].filter((secret) => all.includes(String(secret)))).toEqual([]);
});

describe('a store', () => {
  it.each(callable)('is queried with every parameter of $name', async ({ name, operation, makeCall }) => {
    const parameters = operation.query instanceof z.ZodObject ? Object.keys(operation.query.shape) : [];
    if (!parameters.length) return;
    const { owner, another } = sharedPeople;
    const people = { owner, caller: owner, another };
    const call = await makeCall(people);
    const queries = (await queryVariants[name as OperationName]?.(people)) ?? [];
    // A new parameter may cause a new query.
    const used = [call.query ?? {}, ...queries].flatMap(Object.keys);
    expect(parameters.filter((parameter) => !used.includes(parameter))).toEqual([]);
    const token = operation.access === 'admin' ? tokenFor.admin(owner) : owner.token;
    const { internal, service } = operation;
    const baseUrl =
      internal && service !== 'gateway' ? network.services[service].url() : namedUrl(network.url);
    const replies = queries.map((query) => send(operation, { ...call, query }, token, baseUrl));
    const rejected = (await Promise.all(replies)).filter(({ ok }) => !ok);
    expect(rejected.map(({ status, url }) => ({ status, url }))).toEqual([]);
  });

  it('uses an index for every query, as infra/docs/queries.md lists', async () => {
    await rollOverDay();
    await network.settle();
    const queries = await withServiceStore(network, 'auth', (store) =>
      Promise.all(
        recordedQueries().map((query) => explainQuery(query, store.getClient().db(query.database))),
      ),
    );
    expect(scansIn(queries)).toEqual([]);
    const page = queriesPage(queries);
    if (process.env.WAYQUEST_TEST_QUERIES === 'write') writePage(page);
    expect(listed(page)).toEqual(listed(currentPage()));
  });
});
