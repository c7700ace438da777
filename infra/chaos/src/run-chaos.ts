import { type Client, createClient, serviceNames } from '@wayquest/contracts';
import { deadLettersOnRabbitMq } from '@wayquest/platform/bus';
import {
  eventually,
  type MultiProcessNetwork,
  type MultiProcessOptions,
  startNetwork,
  testPassword,
} from '@wayquest/testing';
import { type FinalState, findViolations } from './check.ts';
import { effectOf } from './effects.ts';
import type { Fault, Servers } from './faults.ts';
import { type Call, createHistory, type FaultRecord, writeRecord } from './history.ts';
import { createLoad, newPerson, type Person } from './load.ts';
import {
  challengesOf,
  friendRequestsOf,
  leaderboardOf,
  messagesOf,
  notificationsOf,
  participationsOf,
} from './people.ts';
import { createRandomness, type Randomness } from './randomness.ts';
import { openTab, type Tab } from './tab.ts';
import { createMessageStats, type MessageStats } from './tally.ts';

/** A tab that is open all the time. */
interface OpenTab {
  personId: number;
  tab: Tab;
}

/** Reads the final state of everybody. */
async function readFinalState(
  network: MultiProcessNetwork,
  {
    people,
    visitor,
    calls,
    tabs,
    amqpUrl,
  }: { people: Person[]; visitor: Client; calls: Call[]; tabs: OpenTab[]; amqpUrl: string },
): Promise<FinalState> {
  const messages = new Map<number, FinalState['messages'][number]['all']>();
  const all = await Promise.all(
    people.map(async ({ id, client }) => {
      const me = await client.getMe();
      const requests = await friendRequestsOf(client);
      const pending = requests.filter(({ status }) => status === 'pending');
      const conversations = await client.listConversations({ params: { userId: String(id) } });
      for (const one of conversations) messages.set(one.id, await messagesOf(client, one.id));
      return {
        ...{ id, points: me.points, firstName: me.firstName, participations: await participationsOf(client) },
        blocked: (await client.listBlocks()).map((blocked) => blocked.id),
        friends: requests
          .filter(({ status }) => status === 'accepted')
          .map(({ user, friend }) => (user.id === id ? friend : user)),
        sentRequests: pending.filter(({ userId }) => userId === id).map(({ friendId }) => friendId),
        receivedRequests: pending.filter(({ friendId }) => friendId === id).map(({ userId }) => userId),
        conversations: conversations.map(({ id: conversation, user, unread, readId }) => ({
          ...{ id: conversation, otherId: user.id, unread, readId },
        })),
        notifications: (await notificationsOf(client)).flatMap(({ kind, challenge, count }) =>
          kind === 'challenge-completed' && challenge ? [{ challengeId: challenge.id, count }] : [],
        ),
      };
    }),
  );
  const challenges = new Map<number, FinalState['challenges'][number]>();
  for (const { client } of people)
    for (const { id, name, points } of await challengesOf(client)) challenges.set(id, { id, name, points });
  const accounts: string[] = [];
  for (const { action, outcome } of calls)
    if (action.kind === 'sign up' && outcome === 'ok') {
      const body = { username: action.username, password: testPassword };
      await visitor.login({ body }).then(
        () => accounts.push(action.username),
        () => {},
      );
    }
  const reports: FinalState['reports'] = [];
  const admin = network.client(network.signToken({ admin: true }));
  for (const { id: userId } of people)
    await admin.getCase({ params: { id: `user-${userId}` } }).then(
      ({ filed }) => reports.push(...filed.flatMap(({ by }) => (by ? [{ by: by.id, userId }] : []))),
      () => {},
    );
  const dead = deadLettersOnRabbitMq({ url: amqpUrl, prefix: network.installation });
  let deadLetters = 0;
  for (const service of serviceNames) deadLetters += (await dead.list(service)).length;
  return {
    ...{ people: all, challenges: [...challenges.values()], accounts, reports, deadLetters },
    leaderboard: await leaderboardOf(visitor),
    messages: [...messages].map(([conversationId, of]) => ({ conversationId, all: of })),
    tabs: tabs.map(({ personId, tab: { conversationId, held } }) => ({
      ...{ personId, conversationId, held: [...held.keys()] },
    })),
  };
}

export interface ChaosOptions {
  servers: Servers;
  as: MultiProcessOptions['as'];
  seed: number;
  /** Number of people. */
  people: number;
  /** Calls per second. */
  rate: number;
  /** How often each fault occurs. */
  rounds: number;
  /** Duration of a fault, and of the pause after it, in milliseconds. */
  lasting: number;
  calm: number;
  /** The faults of a round. */
  faults: (network: MultiProcessNetwork, chance: Randomness) => Fault[];
  replicas?: MultiProcessOptions['replicas'];
  settings?: MultiProcessOptions['settings'];
  /** URL that people use; by default the gateway's. */
  startEntryPoint?: (network: MultiProcessNetwork) => Promise<string>;
  /** Tabs of each person; one by default. */
  tabsEach?: number;
  /** The file for the history and the final state. */
  historyFile?: string;
  printLine: (sentence: string) => void;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Makes pairs of friends, each person with a tab on their conversation. */
async function befriendAll(
  url: string,
  people: Person[],
  { tabsEach, tally }: { tabsEach: number; tally: MessageStats },
): Promise<OpenTab[]> {
  const tabs: OpenTab[] = [];
  for (let n = 0; n + 1 < people.length; n += 2) {
    const [one, other] = people.slice(n, n + 2);
    if (!one || !other) break;
    const { id } = await one.client.requestFriend({ body: { friendId: other.id } });
    await other.client.acceptFriend({ params: { id: String(id) } });
    const conversation = await one.client.openConversation({ body: { friend: { id: other.id } } });
    one.partnerId = other.id;
    other.partnerId = one.id;
    for (const person of [one, other]) {
      person.conversations.push(conversation.id);
      for (let nth = 0; nth < tabsEach; nth++)
        tabs.push({ personId: person.id, tab: await openTab({ url }, person, conversation.id, tally) });
    }
  }
  return tabs;
}

/**
 * Makes calls at a steady rate while faults occur one after the other, then waits until everything is idle and checks
 * the final state. Returns when each fault was there, and all inconsistencies as sentences.
 */
export async function runChaos(options: ChaosOptions): Promise<{
  faults: FaultRecord[];
  violations: string[];
  calls: Call[];
  figures: ReturnType<MessageStats['figures']>;
}> {
  const {
    servers,
    as,
    seed,
    rate,
    rounds,
    lasting,
    calm,
    replicas,
    settings,
    startEntryPoint,
    tabsEach = 1,
    historyFile,
    printLine,
  } = options;
  const chance = createRandomness(seed);
  printLine('starting all parts');
  await using network = await startNetwork({
    as,
    mongo: servers.mongo.address,
    bus: servers.rabbitmq.address,
    redis: servers.redis.address,
    ...(replicas && { replicas }),
    ...(settings && { settings }),
  });
  const url = (await startEntryPoint?.(network)) ?? network.url;
  const tally = createMessageStats();
  const started = performance.now();
  const now = () => performance.now() - started;
  const history = createHistory(now);
  const { calls } = history;
  const people: Person[] = [];
  printLine(`signing up ${options.people} people`);
  for (let n = 1; n <= options.people; n++)
    people.push(await newPerson(url, network.signToken, 1_000_000 + n));
  const tabs = await befriendAll(url, people, { tabsEach, tally });
  const visitor = createClient({ baseUrl: url });
  const makeCall = createLoad({ people, visitor, history, chance });

  const pendingCalls = new Set<Promise<void>>();
  const failures: unknown[] = [];
  let isStopped = false;
  const load = async () => {
    const from = performance.now();
    for (let n = 0; !isStopped; n++) {
      await pause(Math.max(0, from + (n * 1_000) / rate - performance.now()));
      const call = makeCall()
        .catch((error: unknown) => void failures.push(error))
        .finally(() => pendingCalls.delete(call));
      pendingCalls.add(call);
    }
    await Promise.all(pendingCalls);
  };
  printLine(`${rate} calls a second begin`);
  const loading = load();

  const faults: FaultRecord[] = [];
  const injectFault = async (fault: Fault) => {
    const from = now();
    await fault.begin();
    await pause(lasting);
    await fault.end();
    const ended = now();
    await pause(calm);
    const record = { fault: fault.name, began: from, ended, until: now() };
    faults.push(record);
    const effect = effectOf(record, calls);
    const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
    printLine(
      `${seconds(from)} ${fault.name}: ${effect.failed} of ${effect.calls} calls failed${
        effect.failed
          ? `, for ${seconds(effect.failedFor)}, until ${seconds(effect.recoveredAfter)} after it (${effect.what})`
          : ''
      }`,
    );
  };
  try {
    await pause(calm);
    for (let round = 0; round < rounds; round++) {
      for (const fault of chance.shuffled(options.faults(network, chance))) await injectFault(fault);
    }
  } finally {
    isStopped = true;
    await loading;
  }
  if (failures.length) throw new AggregateError(failures, 'the load itself failed');

  await network.settle();
  const unacknowledged = people.flatMap((person) => person.unsent).length;
  printLine(`${calls.length} calls; ${unacknowledged} messages were never acknowledged`);
  const readAll = () =>
    readFinalState(network, { people, visitor, calls, tabs, amqpUrl: servers.rabbitmq.address });
  // Reconnected tabs load what they missed.
  let violations: string[] = [];
  let finalState: FinalState | undefined;
  await eventually(
    async () => {
      finalState = await readAll();
      violations = findViolations(calls, finalState);
      return violations.length === 0;
    },
    { withinMs: 30_000, everyMs: 1_000 },
  ).catch(() => {});
  for (const { tab } of tabs) tab.close();
  if (finalState && historyFile) {
    await writeRecord(historyFile, { calls, faults, finalState });
    printLine(`history: ${historyFile}`);
  }
  return { faults, violations, calls, figures: tally.figures() };
}
