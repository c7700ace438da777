import { randomBytes } from 'node:crypto';
import { newEvent } from '@wayquest/platform/bus';
import { addOutbox, createOutboxes, type WithOutbox } from '@wayquest/platform/outbox';
import { connectMongo, prepareStore } from '@wayquest/platform/store';
import { createLogger } from '@wayquest/platform/telemetry';
import { startRabbitMqBus } from '@wayquest/testing';
import { findBackingService, startBackingService } from '@wayquest/testing/backing-services';
import { type Connection, Schema } from 'mongoose';
import { median, printLine, startStore } from './measure.ts';

/**
 * Time from a write to the handler of its event, by outbox and RabbitMQ, compared with the inserts only; both
 * alternate.
 */
const rounds = 5;
const writes = 2_000;
const lanes = 100;
const singleWrites = 500;

interface Thing extends WithOutbox {
  _id: number;
  text: string;
}

function thingModel(connection: Connection) {
  const schema = new Schema<Thing>({ _id: Number, text: String });
  addOutbox(schema);
  return connection.model<Thing>('Thing', schema, 'things');
}

const logger = createLogger({ name: 'bench', level: 'warn' });
const store = await startStore();
const broker = await startBackingService('rabbitmq', await findBackingService('rabbitmq'), printLine);
if (!broker) throw new Error('this machine has no RabbitMQ');
const bus = await startRabbitMqBus(broker.address, logger, `bench-${randomBytes(4).toString('hex')}`);
const database = `load_events_${randomBytes(4).toString('hex')}`;
const connection = await connectMongo({ url: store.address, database, logger });
const Things = thingModel(connection);
await prepareStore(connection);
const outboxes = createOutboxes({ bus, logger });
const outbox = outboxes.forModel(Things);

const handled = new Map<number, () => void>();
await bus.subscribe('realtime', {
  'message.sent.v1': async ({ data }) => handled.get(data.message.id)?.(),
});

let last = 0;
const thing = () => {
  last += 1;
  return { _id: last, text: 'as long as a typical chat message' };
};
const sent = (id: number) =>
  newEvent('message.sent.v1', {
    message: {
      id,
      sender: 1,
      text: 'hello',
      conversationId: 1,
      createdAt: new Date().toISOString(),
      clientId: null,
    },
    receiverId: 2,
  });

/** Inserts a document; resolves once its event was handled. */
const writeAndWait = async () => {
  const one = thing();
  const wasHandled = new Promise<void>((resolve) => handled.set(one._id, resolve));
  await outbox.create(one, [sent(one._id)]);
  await wasHandled;
  handled.delete(one._id);
};
const insert = async () => void (await Things.create(thing()));

/** Returns how often the work ran per second, at a fixed concurrency. */
async function perSecond(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  let remaining = writes;
  const lane = async () => {
    while (remaining-- > 0) await work();
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return (writes / (performance.now() - startedAt)) * 1_000;
}

await perSecond(writeAndWait);
const [events, inserts]: [number[], number[]] = [[], []];
for (let round = 0; round < rounds; round++) {
  events.push(await perSecond(writeAndWait));
  inserts.push(await perSecond(insert));
}
const times: number[] = [];
for (let n = 0; n < singleWrites; n++) {
  const startedAt = performance.now();
  await writeAndWait();
  times.push(performance.now() - startedAt);
}
const p99 = times.toSorted((one, other) => one - other)[Math.floor(0.99 * singleWrites)] ?? Number.NaN;
const [wayquest, comparison] = [median(events), median(inserts)];
printLine(
  `${wayquest.toFixed(0)} writes handled a second, ${comparison.toFixed(0)} inserts only; one at a time p50 ${median(times).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
);
process.send?.({
  figures: {
    events: wayquest / comparison,
    ours: wayquest,
    theirs: comparison,
    'p50 alone': median(times),
    'p99 alone': p99,
  },
});
await outboxes.stop();
await connection.dropDatabase();
await bus.close();
await broker.stop();
await store.stop();
process.exit(0);
