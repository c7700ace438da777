import { randomUUID } from 'node:crypto';
import {
  connectAmqp,
  deadLettersOnRabbitMq,
  type EventBus,
  newEvent,
  topologyNames,
} from '@wayquest/platform/bus';
import { metrics } from '@wayquest/platform/telemetry';
import {
  createRecordingLogger,
  describeWith,
  eventually,
  startDedicated,
  startRabbitMqBus,
} from '@wayquest/testing';
import type { Channel, ChannelModel } from 'amqplib';
import { type AmqpProxy, startAmqpProxy } from './amqp-proxy.ts';

/** An event with a single subscriber, so that one confirm is for one message. */
const located = (challengeId: number) =>
  newEvent('challenge.located.v1', { challengeId, position: { lat: 40.75, lng: -73.83 } });
const revoked = () =>
  newEvent('token.revoked.v1', {
    userId: 1,
    tokenId: 'one',
    issuedBefore: null,
    expiresAt: new Date().toISOString(),
  });

/** The driver's error while the store is unavailable. */
const storeUnavailable = () =>
  Object.assign(new Error('connect ECONNREFUSED'), { name: 'MongoServerSelectionError' });

(await describeWith('rabbitmq'))('the RabbitMQ bus, after a failure', () => {
  let broker: Awaited<ReturnType<typeof startDedicated>>;
  let proxy: AmqpProxy;
  let outside: ChannelModel;
  let channel: Channel;
  let bus: EventBus;
  let names: ReturnType<typeof topologyNames>;
  let prefix: string;
  let log: ReturnType<typeof createRecordingLogger>;

  beforeAll(async () => {
    broker = await startDedicated('rabbitmq');
  });
  beforeEach(async () => {
    proxy = await startAmqpProxy(broker.address);
    prefix = `faults-${randomUUID()}`;
    names = topologyNames(prefix);
    log = createRecordingLogger();
    bus = await startRabbitMqBus(proxy.url, log.logger, prefix);
    outside = await connectAmqp(broker.address);
    channel = await outside.createChannel();
  });
  afterEach(async () => {
    await outside.close();
    await bus.close();
    await proxy.close();
  });

  /** Subscribes the challenges service; returns the ids that it receives. */
  const listen = async (handle: (challengeId: number) => Promise<void> | void = () => {}) => {
    const ids: number[] = [];
    const subscription = await bus.subscribe('challenges', {
      'challenge.located.v1': async ({ data }) => {
        ids.push(data.challengeId);
        await handle(data.challengeId);
      },
    });
    return { ids, subscription };
  };

  /** Publishes an event with retries, as an outbox does. */
  const publishWithRetries = (event: ReturnType<typeof located>) =>
    eventually(() => bus.publish(event), { withinMs: 20_000, everyMs: 5 });

  const untilReady = () => eventually(() => bus.ready(), { withinMs: 20_000 });

  test('declares a deleted queue again, is not ready until then, and delivers events published in between', async () => {
    // Without the proxy, whose delay would give the broker time to cancel the consumer.
    await bus.close();
    bus = await startRabbitMqBus(broker.address, log.logger, prefix);
    const { ids } = await listen();
    await bus.publish(located(1));
    await eventually(() => ids.includes(1));

    const unready = eventually(() => !bus.ready(), { everyMs: 1 });
    await channel.deleteQueue(names.queue('challenges'));
    const published = publishWithRetries(located(2));
    await unready;
    await Promise.all([published, untilReady()]);
    await eventually(() => ids.includes(2));
    expect(log.hasLogged('canceled the consumer')).toBe(true);
  });

  test('rejects events while the queue of a stopped subscriber is missing, until it is declared again', async () => {
    await channel.deleteQueue(names.queue('realtime'));
    const event = revoked();
    await expect(bus.publish(event)).rejects.toThrow();
    await eventually(() => log.hasLogged('a queue is missing'));
    await eventually(() => bus.publish(event));
    expect(await channel.checkQueue(names.queue('realtime'))).toMatchObject({ messageCount: 1 });
  });

  test('declares a missing retry queue again for a failed delivery', async () => {
    let failures = 0;
    const { ids } = await listen(() => {
      failures++;
      if (failures === 1) throw new Error('not now');
    });
    await channel.deleteQueue(names.retryQueue('challenges', 1_000));
    await bus.publish(located(1));
    await eventually(() => ids.length === 2);
  });

  test('reopens closed channels with their consumers', async () => {
    const { ids } = await listen();
    for (const round of [1, 2, 3]) {
      proxy.closeChannels();
      await eventually(() => !bus.ready(), { everyMs: 1 });
      await untilReady();
      await publishWithRetries(located(round));
      await eventually(() => ids.includes(round));
    }
    expect(log.hasLogged('unknown delivery tag')).toBe(true);
    expect(await channel.checkQueue(names.queue('challenges'))).toMatchObject({ consumerCount: 1 });
  });

  test('times out a publication whose confirmation never arrives, without delaying others', async () => {
    const { ids } = await listen();
    let suppressedTag: number | undefined;
    proxy.forwardConfirm = (tag) => {
      suppressedTag ??= tag;
      return tag !== suppressedTag;
    };
    let isRejected = false;
    const unconfirmed = bus.publish(located(1));
    unconfirmed.catch(() => {
      isRejected = true;
    });
    await eventually(() => suppressedTag !== undefined);
    await bus.publish(located(2));
    await bus.publish(located(3));
    expect(isRejected).toBe(false);
    await expect(unconfirmed).rejects.toThrow();
    expect(ids).toEqual([1, 2, 3]);
    expect(bus.ready()).toBe(true);
  });

  test('does not respond while nothing is confirmed, until the next confirmation (55.10)', async () => {
    let confirms = false;
    proxy.forwardConfirm = () => confirms;
    const publications = Promise.allSettled([1, 2].map((line) => bus.publish(located(line))));
    expect(bus.responds()).toBe(true);
    await eventually(() => !bus.responds(), { withinMs: 20_000 });
    // It is connected, so an outbox tries again.
    expect(bus.ready()).toBe(true);
    await publications;
    expect(bus.responds()).toBe(false);
    confirms = true;
    await bus.publish(located(3));
    expect(bus.responds()).toBe(true);
  });

  test('has at most a hundred unconfirmed messages, and frees their slots when they time out', async () => {
    let confirms = false;
    proxy.forwardConfirm = () => confirms;
    const sent = Promise.allSettled(Array.from({ length: 300 }, (_, line) => bus.publish(located(line + 1))));
    await eventually(async () =>
      expect(await channel.checkQueue(names.queue('challenges'))).toMatchObject({ messageCount: 100 }),
    );
    expect((await metrics.busUnconfirmed.get()).values).toMatchObject([{ value: 100 }]);
    expect((await sent).every(({ status }) => status === 'rejected')).toBe(true);
    confirms = true;
    await bus.publish(located(301));
  });

  test('rejects events while the broker is short of memory, and continues afterwards', async () => {
    const { ids } = await listen();
    await broker.control('set_vm_memory_high_watermark', '0.00001');
    try {
      await eventually(
        () =>
          bus.publish(located(1)).then(
            () => false,
            () => true,
          ),
        { everyMs: 1_000 },
      );
      await eventually(() => log.hasLogged('RabbitMQ blocks publishers'));
      expect((await metrics.busBlocked.get()).values).toMatchObject([{ value: 1 }]);
      // It is ready, since it can still consume.
      expect(bus.ready()).toBe(true);
    } finally {
      await broker.control('set_vm_memory_high_watermark', '0.6');
    }
    await publishWithRetries(located(2));
    await eventually(() => ids.includes(2));
    expect((await metrics.busBlocked.get()).values).toMatchObject([{ value: 0 }]);
  });

  test('pauses the consumer while a dependency is unavailable, without counting attempts or dead-lettering events', async () => {
    let isUnavailable = true;
    const { ids } = await listen(() => {
      if (isUnavailable) throw storeUnavailable();
    });
    // Sent as for its last attempt.
    channel.sendToQueue(names.queue('challenges'), Buffer.from(JSON.stringify(located(1))), {
      headers: { 'x-wayquest-attempt': 4 },
    });
    await Promise.all([2, 3, 4, 5].map((line) => bus.publish(located(line))));
    await eventually(() => log.hasLogged('dependency unavailable'));
    await eventually(async () =>
      expect(await channel.checkQueue(names.queue('challenges'))).toMatchObject({ consumerCount: 0 }),
    );
    await eventually(() => ids.filter((line) => line === 1).length >= 3, { withinMs: 20_000 });
    expect(ids.length).toBeLessThan(40);
    isUnavailable = false;
    await eventually(
      async () =>
        (await bus.idle()) &&
        (await channel.checkQueue(names.queue('challenges'))).consumerCount === 1 &&
        new Set(ids).size === 5,
      { withinMs: 30_000, everyMs: 100 },
    );
    expect(await deadLettersOnRabbitMq({ url: broker.address, prefix }).list('challenges')).toEqual([]);
  });

  test('many failed connections leave no consumers, connections or listeners behind', async () => {
    const { ids } = await listen();
    for (let round = 0; round < 4; round++) {
      proxy.cut();
      await eventually(() => !bus.ready(), { everyMs: 1 });
      await untilReady();
    }
    await publishWithRetries(located(1));
    await eventually(() => ids.includes(1));
    expect(await channel.checkQueue(names.queue('challenges'))).toMatchObject({ consumerCount: 1 });
    expect(log.hasLogged('MaxListenersExceeded')).toBe(false);
  });
});
