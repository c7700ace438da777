import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceName } from '@wayquest/contracts';
import {
  connectAmqp,
  connectRabbitMq,
  declareTopology,
  type EventBus,
  newEvent,
  topologyNames,
} from '@wayquest/platform/bus';
import { addOutbox, createOutboxes, type WithOutbox, withEvents } from '@wayquest/platform/outbox';
import { prepareStore } from '@wayquest/platform/store';
import { createLogger } from '@wayquest/platform/telemetry';
import {
  connectTestStore,
  describeWith,
  dropDatabases,
  eventually,
  startDedicated,
  storeUrl,
} from '@wayquest/testing';
import type { Channel, ChannelModel } from 'amqplib';
import { type Connection, type Model, Schema } from 'mongoose';
import { startAmqpProxy } from './amqp-proxy.ts';

const seconds = Number(process.env.WAYQUEST_STORM_SECONDS || 5);
const seed = Number(process.env.WAYQUEST_STORM_SEED || Date.now() % 1_000_000);

const writers = 4;
const documentsEach = 5;
const listeners: ServiceName[] = ['participation', 'friends', 'chat', 'realtime'];

interface Thing extends WithOutbox {
  _id: number;
  changes: number;
}

/** Creates a pseudo-random number generator (mulberry32). */
function createRandom(start: number) {
  let state = start;
  return (below: number) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

const changed = (document: number, change: number) =>
  newEvent('points.awarded.v1', { userId: document, challengeId: 1, awarded: 0, points: change });
const keyOf = (document: number, change: number) => `${document}/${change}`;

(await describeWith('rabbitmq'))(`a storm of ${seconds} s over the broker (seed ${seed})`, () => {
  const logger = createLogger({ name: 'test', level: 'silent' });
  const database = `test_storm_${randomUUID().slice(0, 8)}`;
  const prefix = `storm-${randomUUID().slice(0, 8)}`;
  const names = topologyNames(prefix);
  let broker: Awaited<ReturnType<typeof startDedicated>>;
  let proxy: Awaited<ReturnType<typeof startAmqpProxy>>;
  let connection: Connection;
  let Things: Model<Thing>;
  const buses: EventBus[] = [];

  const openBus = async () => {
    const bus = await connectRabbitMq({ url: proxy.url, logger, prefix });
    buses.push(bus);
    return bus;
  };

  const withConnection = async <T>(work: (outside: ChannelModel) => Promise<T>): Promise<T> => {
    const outside = await connectAmqp(broker.address);
    try {
      return await work(outside);
    } finally {
      await outside.close();
    }
  };
  const withChannel = <T>(work: (channel: Channel) => Promise<T>): Promise<T> =>
    withConnection(async (outside) => work(await outside.createChannel()));

  beforeAll(async () => {
    broker = await startDedicated('rabbitmq');
    proxy = await startAmqpProxy(broker.address);
    connection = await connectTestStore(database);
    const schema = new Schema<Thing>({ _id: Number, changes: Number });
    addOutbox(schema);
    Things = connection.model<Thing>('Thing', schema, 'things');
    await prepareStore(connection);
    await withConnection((outside) => declareTopology(outside, names));
  });
  afterAll(async () => {
    await Promise.all(buses.map((bus) => bus.close()));
    await proxy.close();
    await connection.close();
    await dropDatabases(storeUrl(), [database]);
  });

  test(
    'only messages of deleted queues are lost, events of a document keep their order, and all buses are ready again',
    async () => {
      const random = createRandom(seed);
      /** Events that each subscriber received, in the order of their first delivery. */
      const received = new Map<ServiceName, Set<string>>(listeners.map((service) => [service, new Set()]));
      let deliveries = 0;
      for (const service of listeners) {
        await (await openBus()).subscribe(service, {
          'points.awarded.v1': async ({ data: { userId, points } }) => {
            deliveries++;
            received.get(service)?.add(keyOf(userId, points));
          },
        });
      }

      /** When an event was passed to the bus that it then accepted. */
      const publishedAt = new Map<string, number>();
      let rejections = 0;
      const recording = (bus: EventBus): EventBus => ({
        ...bus,
        async publish(event, options) {
          const began = performance.now();
          try {
            await bus.publish(event, options);
          } catch (error) {
            rejections++;
            throw error;
          }
          if (event.name !== 'points.awarded.v1') return;
          const key = keyOf(event.data.userId, event.data.points);
          publishedAt.set(key, Math.min(began, publishedAt.get(key) ?? began));
        },
      });

      const written: string[] = [];
      let writing = true;
      const outboxes = await Promise.all(
        Array.from({ length: writers }, async () => {
          const bus = recording(await openBus());
          return createOutboxes({ bus, logger });
        }),
      );
      const write = async (writer: number) => {
        const outbox = outboxes[writer]?.forModel(Things);
        const documents = Array.from({ length: documentsEach }, (_, n) => writer * documentsEach + n + 1);
        const changes = new Map<number, number>();
        for (const _id of documents) await Things.create({ _id, changes: 0, outbox: [] });
        while (writing) {
          for (const _id of documents) {
            const change = (changes.get(_id) ?? 0) + 1;
            changes.set(_id, change);
            const events = [changed(_id, change)];
            await Things.updateOne({ _id }, withEvents({ $set: { changes: change } }, events));
            written.push(keyOf(_id, change));
            outbox?.send(_id);
          }
          await pause(5);
        }
      };

      /** Deleted queues, and when they were deleted. */
      const deleted: { service: ServiceName; at: number }[] = [];
      const faults = {
        'a closed channel': async () => proxy.closeChannels(),
        'a cut connection': async () => proxy.cut(),
        'a deleted queue': async () => {
          const service = listeners[random(listeners.length)] ?? 'chat';
          await withChannel((channel) => channel.deleteQueue(names.queue(service)));
          deleted.push({ service, at: performance.now() });
        },
        'closed connections': () => broker.control('close_all_connections', 'storm'),
        'a memory alarm': async () => {
          await broker.control('set_vm_memory_high_watermark', '0.00001');
          await pause(random(1_000));
          await broker.control('set_vm_memory_high_watermark', '0.6');
        },
      };
      const kinds = Object.entries(faults);
      const done = new Map<string, number>(kinds.map(([kind]) => [kind, 0]));
      const tookMs = new Map<string, number>();

      for (const outbox of outboxes) outbox.start();
      const writingAll = Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
      const end = Date.now() + seconds * 1_000;
      // Each fault once, then at random; those that start a program are rarer.
      for (let n = 0; n < kinds.length || Date.now() < end; n++) {
        const [kind, strike] = kinds[n < kinds.length ? n : random(n % 6 ? 3 : kinds.length)] ?? [];
        if (!kind || !strike) continue;
        await pause(200 + random(800));
        const began = performance.now();
        await strike();
        tookMs.set(kind, Math.max(tookMs.get(kind) ?? 0, performance.now() - began));
        done.set(kind, (done.get(kind) ?? 0) + 1);
      }
      writing = false;
      await writingAll;

      const faultsEndedAt = performance.now();
      await eventually(() => buses.every((bus) => bus.ready()), { withinMs: 30_000 });
      const readyMs = Math.round(performance.now() - faultsEndedAt);
      await eventually(
        async () =>
          (await Promise.all(outboxes.map((outbox) => outbox.empty()))).every(Boolean) &&
          (await Promise.all(buses.map((bus) => bus.idle()))).every(Boolean),
        { withinMs: 120_000, everyMs: 200 },
      );
      await Promise.all(outboxes.map((outbox) => outbox.stop()));

      const inDeleted: string[] = [];
      const lost: string[] = [];
      for (const service of listeners) {
        const deletedAt = Math.max(
          0,
          ...deleted.filter((one) => one.service === service).map(({ at }) => at),
        );
        for (const key of written) {
          if (received.get(service)?.has(key)) continue;
          const mayHaveBeenQueued = (publishedAt.get(key) ?? Number.POSITIVE_INFINITY) < deletedAt;
          (mayHaveBeenQueued ? inDeleted : lost).push(`${service} ${key}`);
        }
      }
      const counts = [...done]
        .map(([kind, count]) => `${count} × ${kind} (${Math.round(tookMs.get(kind) ?? 0)})`)
        .join(', ');
      process.stdout.write(
        `storm, seed ${seed}: ${written.length} changes, ${deliveries} deliveries, ${rejections} rejections; ${counts}; ` +
          `${inDeleted.length} lost with deleted queues, ${lost.length} lost otherwise, ready after ${readyMs} ms\n`,
      );
      expect(lost).toEqual([]);
      expect(written.length).toBeGreaterThan(writers * documentsEach);
      for (const [service, keys] of received) {
        const last = new Map<string, number>();
        for (const key of keys) {
          const [document = '', change] = key.split('/');
          expect([service, key, (last.get(document) ?? 0) < Number(change)]).toEqual([service, key, true]);
          last.set(document, Number(change));
        }
      }
      for (const service of listeners) {
        expect(await withChannel((channel) => channel.checkQueue(names.queue(service)))).toMatchObject({
          consumerCount: 1,
          messageCount: 0,
        });
      }
    },
    (seconds + 300) * 1_000,
  );
});
