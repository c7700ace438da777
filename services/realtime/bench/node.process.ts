import { newEvent } from '@wayquest/platform/bus';
import { createLogger } from '@wayquest/platform/telemetry';
import { startInProcessBus, testServiceDeps } from '@wayquest/testing';
import { z } from 'zod';
import { createRealtimeService } from '../src/index.ts';
import { realtimeMetrics } from '../src/metrics.ts';

/** One node in its own process: publishes messages as the bus does, and reports what that costs. */
const Order = z.discriminatedUnion('what', [
  z.object({
    what: z.literal('send'),
    messages: z.array(z.object({ id: z.int(), from: z.int(), to: z.int() })),
  }),
  z.object({ what: z.literal('figures') }),
]);

const [redisUrl, name = ''] = process.argv.slice(2);
const logger = createLogger({ name: 'bench', level: 'warn' });
const bus = startInProcessBus(logger, ['realtime']);
const node = createRealtimeService({
  ...testServiceDeps({ logger, bus, databasePrefix: name }),
  ...{ redisUrl, redisPrefix: name },
});
await node.start();

const send = ({ id, from: sender, to: receiverId }: { id: number; from: number; to: number }) => {
  const createdAt = new Date().toISOString();
  const message = { id, sender, text: 'How far is it?', conversationId: 1, createdAt, clientId: null };
  return bus.publish(newEvent('message.sent.v1', { message, receiverId }));
};

async function figures() {
  const { user, system } = process.cpuUsage();
  const { values } = await realtimeMetrics.nodeMessages.get();
  return { cpuMs: (user + system) / 1_000, received: values.reduce((sum, { value }) => sum + value, 0) };
}

process.on('message', async (message) => {
  const order = Order.parse(message);
  if (order.what === 'send') for (const one of order.messages) await send(one);
  process.send?.(await figures());
});
process.send?.({ url: node.url() });
process.on('disconnect', () => process.exit());
