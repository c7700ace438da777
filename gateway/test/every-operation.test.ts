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
import { connectMongo } from '@wayquest/platform/store';
import { createLogger } from '@wayquest/platform/telemetry';
import {
  befriend,
  complete,
  countKeys,
  explainQuery,
  monitoredStoreUrl,
  type Network,
  newChallenge,
  newUser,
  recordEvents,
  recordQueries,
  startNetwork,
  type TestUser,
  testPassword,
  undeclaredKeys,
} from '@wayquest/testing';
import { io } from 'socket.io-client';
import { z } from 'zod';
import { asked } from './asked.ts';
import { type Call, callable } from './calls.ts';
import { keptPage, listed, queriesPage, scansIn, writePage } from './queries-page.ts';

/**
 * Everything that the table declares, called by everyone who could. All that leaves meanwhile is looked at as it
 * comes, in answers, on the bus and over sockets: a client that parses would hide what no contract names.
 */

const keys = { answers: 0, problems: 0, events: 0, messages: 0 };

/** Throws on keys that the contract does not name, and counts the others. */
function expectNamed(contract: z.ZodType, raw: unknown, kind: keyof typeof keys): void {
  expect(undeclaredKeys(contract, raw)).toEqual([]);
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
  network = await startNetwork({
    logger,
    mongo: monitoredStoreUrl(),
    // Whoever wants to be deleted soon is.
    auth: { deletionsEveryMs: 500 },
    settings: { DELETION_GRACE_DAYS: '0' },
  });
  told = recordEvents(network);
  await rebuildAll();
});
afterAll(async () => {
  await network?.stop();
  const calls = `${callable.length} operations × ${Object.keys(tokenFor).length} roles`;
  process.stdout.write(`${calls}, keys in raw: ${JSON.stringify(keys)}\n`);
});

/** What the services ask of their stores. */
const recorded = recordQueries((database) => {
  const [, prefix, service] = /^(test_[0-9a-f]+)_(\w+)$/.exec(database) ?? [];
  // Also at their start, when nobody has said yet how they are called.
  return network && network.databasePrefix !== prefix
    ? undefined
    : serviceNames.find((name) => name === service);
});

const storeOf = (service: string) =>
  connectMongo({
    ...{ url: network.mongoUrl, logger: network.logger },
    database: `${network.databasePrefix}_${service}`,
  });

/** Lets every service ask the others once for all that it keeps of theirs: some of everything. */
async function rebuildAll(): Promise<void> {
  const [ann, bob] = await Promise.all([newUser(network), newUser(network)]);
  await befriend(ann, bob);
  await complete(bob, await newChallenge(ann));
  await ann.client.blockUser({ body: { userId: (await newUser(network)).me.id } });
  await network.settle();
  for (const service of serviceNames) {
    const store = await storeOf(service);
    await requestReplicaRebuild(store, service);
    await store.close();
  }
  await network.settle();
}

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

let samePeople: Promise<Record<'owner' | 'caller' | 'another', TestUser>> | undefined;
/** Three people for all calls that change nothing. */
function bystanders() {
  samePeople ??= Promise.all([newUser(network), newUser(network), newUser(network)]).then(
    ([owner, caller, another]) => ({ owner, caller, another }),
  );
  return samePeople;
}

describe.each(callable)('$name', ({ operation, makeCall }) => {
  const changes = (role: Role) => operation.method !== 'GET' && verdictOn(role, operation) === 'allowed';
  /** Who calls and what, and the tabs of those whom it may touch. */
  const newScene = async (role: Role) => {
    const [owner, another] = await Promise.all([newUser(network), newUser(network)]);
    const caller = role === 'right user' ? owner : await newUser(network);
    const tabs = await Promise.all([owner, another].map(openTab));
    return { caller, tabs, call: await makeCall({ owner, caller, another }) };
  };
  let shared: Promise<Call> | undefined;
  /** A call that is refused or only reads changes nothing: one call of the same people is enough for all of these. */
  const sharedScene = async (role: Role) => {
    const people = await bystanders();
    shared ??= makeCall(people);
    return { caller: role === 'right user' ? people.owner : people.caller, tabs: [], call: await shared };
  };
  const sceneFor = (role: Role) => (changes(role) ? newScene(role) : sharedScene(role));

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
      if (operation.response) expectNamed(operation.response, JSON.parse(text), 'answers');
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
  events: [
    'challenge.located.v1',
    'challenge.town-found.v1',
    'replica.rebuild-requested.v1',
    'replica.snapshot-completed.v1',
  ],
  messages: ['typing', 'leaderboard', 'resync'],
};

const sorted = (names: Iterable<string>) => [...names].sort();

it('publishes no field that its contract does not name', () => {
  const names = new Set(elsewhere.events);
  for (const event of JSON.parse(JSON.stringify(told))) {
    const { name } = EventEnvelope.parse(event);
    names.add(name);
    expectNamed(EventEnvelope.extend({ data: contractOf(events, name) }), event, 'events');
  }
  expect(sorted(names)).toEqual(sorted(Object.keys(events)));
});

it('returns no field that its contract does not name', () => {
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

describe('a store', () => {
  it.each(callable)('gets every query of $name', async ({ name, operation, makeCall }) => {
    const parameters = operation.query instanceof z.ZodObject ? Object.keys(operation.query.shape) : [];
    if (!parameters.length) return;
    const [owner, another] = await Promise.all([newUser(network), newUser(network)]);
    const call = await makeCall({ owner, caller: owner, another });
    const queries = (await asked[name as OperationName]?.({ owner, caller: owner, another })) ?? [];
    // A new parameter may well be a new query.
    const said = [call.query ?? {}, ...queries].flatMap(Object.keys);
    expect(parameters.filter((parameter) => !said.includes(parameter))).toEqual([]);
    const token = operation.access === 'admin' ? tokenFor.admin(owner) : owner.token;
    const answers = queries.map((query) => send(operation, { ...call, query }, token));
    const refused = (await Promise.all(answers)).filter(({ ok }) => !ok);
    expect(refused.map(({ status, url }) => ({ status, url }))).toEqual([]);
  });

  it('uses an index for every query, as the page says', async () => {
    await network.settle();
    const client = await storeOf('auth');
    const queries = await Promise.all(
      recorded().map((query) => explainQuery(query, client.getClient().db(query.database))),
    );
    await client.close();
    expect(scansIn(queries)).toEqual([]);
    const page = queriesPage(queries);
    if (process.env.WAYQUEST_TEST_QUERIES === 'write') writePage(page);
    expect(listed(page)).toEqual(listed(keptPage()));
  });
});
