import { settingsOrExit } from '@wayquest/platform/process';
import { eventually } from '@wayquest/testing/eventually';
import { z } from 'zod';
import { startCluster } from './cluster.ts';
import { cleanUpAtExit, positiveInteger, printLine } from './command.ts';
import { type ConversationPair, messagesOf, newConversationPair } from './people.ts';
import { openTab, type Tab } from './tab.ts';
import { createMessageStats, type MessageStats } from './tally.ts';

/** Sends messages at a steady rate; failures are retried with the same clientId. Returns the reasons of failures. */
async function sendSteadily(
  talks: ConversationPair[],
  { messages, rate }: { messages: number; rate: number },
  tally: MessageStats,
): Promise<Map<string, number>> {
  const started = performance.now();
  const pendingSends = new Set<Promise<void>>();
  const failures = new Map<string, number>();

  const send = async (n: number): Promise<void> => {
    const talk = talks[n % talks.length];
    const person = talk?.people[Math.floor(n / talks.length) % 2];
    if (!talk || !person) throw new Error('nobody talks');
    const body = {
      sender: person.id,
      text: `Message ${n}`,
      conversationId: talk.conversationId,
      clientId: String(n),
    };
    tally.sending(body.clientId);
    for (let attempt = 0; ; attempt++) {
      try {
        await person.client.sendMessage({ body });
        return;
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        failures.set(reason, (failures.get(reason) ?? 0) + 1);
        await pause(Math.min(5_000, 250 * 2 ** attempt));
      }
    }
  };

  for (let n = 0; n < messages; n++) {
    await pause(Math.max(0, started + (n * 1_000) / rate - performance.now()));
    const sending = send(n).finally(() => pendingSends.delete(sending));
    pendingSends.add(sending);
  }
  await Promise.all(pendingSends);
  return failures;
}

/** Sizes of the run. */
const settings = settingsOrExit(
  z.object({
    MESSAGES: positiveInteger(20_000),
    /** Messages per second. */
    RATE: positiveInteger(100),
    SOCKETS: positiveInteger(500),
    CONVERSATIONS: positiveInteger(100),
    SETTLE_SECONDS: positiveInteger(90),
  }),
);

const { MESSAGES, RATE, SOCKETS, CONVERSATIONS, SETTLE_SECONDS } = settings;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const seconds = (ms: number) => `${(ms / 1_000).toFixed(0)} s`;

/** Compares the messages of all tabs with the stored ones. */
async function compare(talks: ConversationPair[], tabs: Tab[]) {
  let stored = 0;
  let lost = 0;
  let duplicated = 0;
  let outOfOrder = 0;
  for (const talk of talks) {
    const messages = await messagesOf(talk.people[0].client, talk.conversationId);
    stored += messages.length;
    const ids = messages.map(({ id }) => id);
    duplicated += messages.length - new Set(messages.map(({ clientId }) => clientId)).size;
    outOfOrder += ids.filter((id, index) => index > 0 && id !== (ids[index - 1] ?? 0) + 1).length;
    for (const { conversationId, held } of tabs) {
      if (conversationId !== talk.conversationId) continue;
      lost += ids.filter((id) => !held.has(id)).length;
      duplicated += Math.max(0, held.size - ids.length);
      const texts = [...held.values()].sort((a, b) => a.id - b.id).map(({ text }) => text);
      const expected = messages.filter(({ id }) => held.has(id)).map(({ text }) => text);
      outOfOrder += expected.filter((text, index) => texts[index] !== text).length;
    }
  }
  return { stored, lost, duplicated, outOfOrder };
}

const cleanup = cleanUpAtExit();

const cluster = await startCluster(cleanup);
const tally = createMessageStats();
const talks: ConversationPair[] = [];
const tabs: Tab[] = [];

for (let n = 0; n < CONVERSATIONS; n++) talks.push(await newConversationPair(cluster, n));
const people = talks.flatMap(({ conversationId, people: both }) =>
  both.map((person) => ({ person, conversationId })),
);
for (let n = 0; n < SOCKETS; n++) {
  const one = people[n % people.length];
  if (one) tabs.push(await openTab(cluster, one.person, one.conversationId, tally));
}
printLine(`${tabs.length} sockets of ${people.length} people in ${talks.length} conversations are connected`);

const started = performance.now();
const log = (what: string) => printLine(`${seconds(performance.now() - started)}: ${what}`);
const lasting = (MESSAGES * 1_000) / RATE;

/** Injects each fault in its own quarter of the run, so that one ends before the next. */
async function injectFaults(): Promise<void> {
  const [target] = cluster.realtime;
  await pause(lasting / 4);
  log('one realtime process is killed (SIGKILL)');
  await target?.kill();
  await pause(3_000);
  await target?.start();
  log('it is running again');
  await pause(Math.max(0, lasting / 2 - (performance.now() - started)));
  log('Redis stops');
  await cluster.redis.shutDown();
  await pause(1_000);
  await cluster.redis.restart();
  log('Redis is running again');
  await pause(Math.max(0, (3 * lasting) / 4 - (performance.now() - started)));
  log('RabbitMQ stops');
  await cluster.rabbitMq.shutDown();
  await pause(1_000);
  await cluster.rabbitMq.restart();
  log('RabbitMQ is running again');
}

const [failures] = await Promise.all([
  sendSteadily(talks, { messages: MESSAGES, rate: RATE }, tally),
  injectFaults(),
]);
log(`${MESSAGES} messages are sent; the clients settle`);

const each = Math.floor(MESSAGES / CONVERSATIONS);
await eventually(() => tabs.every(({ held }) => held.size >= each), {
  withinMs: SETTLE_SECONDS * 1_000,
  everyMs: 250,
}).catch(() => log('not every client has everything'));
const settled = performance.now() - started;
const { stored, lost, duplicated, outOfOrder } = await compare(talks, tabs);
const { live, recovered, again, dropped, p50, p99 } = tally.figures();

printLine(`
sent                   ${MESSAGES}, ${stored} stored
delivered live         ${live}
recovered on reconnect  ${recovered}
lost                   ${lost}
duplicated             ${duplicated}
out of order           ${outOfOrder}
live delivery          p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms
duplicates not shown ${again}; broken connections ${dropped}; settled after ${seconds(settled)}`);
for (const [reason, times] of failures) printLine(`a try to send failed ${times} times: ${reason}`);

for (const tab of tabs) tab.close();
await cleanup.exit(stored === MESSAGES && lost + duplicated + outOfOrder === 0 ? 0 : 1);
