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
import type { Fault, Servers } from './faults.ts';
import { type Call, createHistory, writeHistory } from './history.ts';
import { createLoad, newPerson, type Person } from './load.ts';
import { messagesOf, participationsOf } from './people.ts';
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
      const requests = await client.listFriendRequests({ query: { status: 'accepted' } });
      const conversations = await client.listConversations({ params: { userId: String(id) } });
      for (const one of conversations) messages.set(one.id, await messagesOf(client, one.id));
      return {
        ...{ id, points: me.points, firstName: me.firstName, participations: await participationsOf(client) },
        blocked: (await client.listBlocks()).map((blocked) => blocked.id),
        friends: requests.map(({ user, friend }) => (user.id === id ? friend : user)),
        conversations: conversations.map(({ id: conversation, user }) => ({
          id: conversation,
          otherId: user.id,
        })),
      };
    }),
  );
  const challenges: FinalState['challenges'] = [];
  for (const { action } of calls)
    if (action.kind === 'create a challenge' && action.challengeId)
      await visitor.getChallenge({ params: { id: String(action.challengeId) } }).then(
        (challenge) => challenges.push(challenge),
        () => {},
      );
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
    ...{ people: all, challenges, accounts, reports, deadLetters },
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

/** The effect of a fault on calls. */
export interface Effect {
  fault: string;
  calls: number;
  failed: number;
  /** From the first failure to the last, and from the end of the fault to the last failure, in milliseconds. */
  failedFor: number;
  failedAfter: number;
  /** Number of failures by reason. */
  what: string;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function effectOf(fault: string, calls: Call[], ended: number): Effect {
  const lost = calls.filter(({ outcome }) => outcome === 'unknown');
  const kinds = new Map<string, number>();
  for (const { action } of lost) kinds.set(action.kind, (kinds.get(action.kind) ?? 0) + 1);
  const first = Math.min(...lost.map(({ began }) => began));
  const last = Math.max(...lost.map(({ ended: at }) => at));
  return {
    ...{ fault, calls: calls.length, failed: lost.length },
    failedFor: lost.length ? last - first : 0,
    failedAfter: lost.length ? Math.max(0, last - ended) : 0,
    what: [...kinds].map(([what, times]) => `${what} ${times}`).join(', '),
  };
}

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
 * the final state. Returns the effect of each fault, and all inconsistencies as sentences.
 */
export async function runChaos(options: ChaosOptions): Promise<{
  effects: Effect[];
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
  const loading = load();

  const effects: Effect[] = [];
  const injectFault = async (fault: Fault) => {
    const from = now();
    await fault.begin();
    await pause(lasting);
    await fault.end();
    const ended = now();
    await pause(calm);
    const faultCalls = calls.filter(({ began }) => began >= from);
    const effect = effectOf(fault.name, faultCalls, ended);
    effects.push(effect);
    const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
    printLine(
      `${seconds(from)} ${fault.name}: ${effect.failed} of ${effect.calls} calls failed${
        effect.failed
          ? `, for ${seconds(effect.failedFor)}, until ${seconds(effect.failedAfter)} after it (${effect.what})`
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
  let ending: FinalState | undefined;
  await eventually(
    async () => {
      ending = await readAll();
      violations = findViolations(calls, ending);
      return violations.length === 0;
    },
    { withinMs: 30_000, everyMs: 1_000 },
  ).catch(() => {});
  for (const { tab } of tabs) tab.close();
  if (ending && historyFile) {
    await writeHistory(historyFile, calls, ending);
    printLine(`history: ${historyFile}`);
  }
  return { effects, violations, calls, figures: tally.figures() };
}
