import { randomUUID } from 'node:crypto';
import { connectAmqp, connectRabbitMq, newEvent, topologyNames } from '@wayquest/platform/bus';
import { createLogger, metricsRegistry } from '@wayquest/platform/telemetry';
import { describeWith, eventually, startDedicated, startRabbitMqBus, useShared } from '@wayquest/testing';
import type { Channel } from 'amqplib';

const logger = createLogger({ name: 'test', level: 'silent' });
const joined = (participationId: number) =>
  newEvent('challenge.joined.v1', { participationId, challengeId: 1, userId: 1 });

(await describeWith('rabbitmq'))('the RabbitMQ bus', () => {
  let prefix: string;
  beforeEach(() => {
    prefix = `test-${randomUUID()}`;
  });

  const withChannel = async <T>(work: (channel: Channel) => Promise<T>): Promise<T> => {
    const connection = await connectAmqp(await useShared('rabbitmq'));
    try {
      return await work(await connection.createChannel());
    } finally {
      await connection.close();
    }
  };

  test('acknowledges only after the effect: unacknowledged messages of a closed consumer go to another one', async () => {
    const url = await useShared('rabbitmq');
    const last = await startRabbitMqBus(url, logger, prefix);
    const closing = await connectRabbitMq({ url, logger, prefix });
    let isHandling = false;
    await closing.subscribe('challenges', {
      'challenge.joined.v1': () => {
        isHandling = true;
        return new Promise(() => {});
      },
    });
    await last.publish(joined(1));
    await eventually(() => isHandling);
    // A round trip, within which a premature acknowledgement would reach the broker.
    await withChannel((channel) => channel.checkQueue(topologyNames(prefix).queue('challenges')));
    await closing.close();

    const participations: number[] = [];
    await last.subscribe('challenges', {
      'challenge.joined.v1': async ({ data }) => void participations.push(data.participationId),
    });
    await eventually(() => participations.length > 0);
    expect(participations).toEqual([1]);
    await last.close();
  });

  test('sends only the fields of the contract', async () => {
    const bus = await startRabbitMqBus(await useShared('rabbitmq'), logger, prefix);
    const event = joined(1);
    process.env.NODE_ENV = 'production';
    try {
      const data = { ...event.data, password: 'secret' };
      await bus.publish({ ...event, data });
    } finally {
      process.env.NODE_ENV = 'test';
    }
    // Read from the queue, since a consumer would drop undeclared fields.
    const sent = await withChannel((channel) => channel.get(topologyNames(prefix).queue('challenges')));
    expect(sent && JSON.parse(sent.content.toString())).toEqual(JSON.parse(JSON.stringify(event)));
    await bus.close();
  });

  test('accepts more concurrent events than may be unconfirmed', async () => {
    const bus = await startRabbitMqBus(await useShared('rabbitmq'), logger, prefix);
    const published = await Promise.all(Array.from({ length: 500 }, (_, n) => bus.publish(joined(n + 1))));
    expect(published).toHaveLength(500);
    await bus.close();
  });

  test('reports the age of the oldest ready message, and nothing for an empty queue', async () => {
    const url = await useShared('rabbitmq');
    const bus = await startRabbitMqBus(url, logger, prefix);
    let release = () => {};
    const until = new Promise<void>((resolve) => {
      release = resolve;
    });
    const start = Date.now();
    await bus.subscribe('challenges', {
      'challenge.joined.v1': ({ data }) => (data.participationId > 1 ? until : Promise.resolve()),
    });
    await bus.publish(joined(1));
    // More than the prefetch limit.
    for (let n = 2; n < 300; n++) void bus.publish(joined(n));
    const oldest = async () => {
      // A new subscription updates the metrics.
      await (await bus.subscribe('friends', {})).close();
      const { values = [] } =
        (await metricsRegistry.getSingleMetric('wayquest_bus_oldest_message_age_seconds')?.get()) ?? {};
      return values.find(({ labels }) => labels.service === 'challenges')?.value;
    };
    await eventually(async () => expect(await oldest()).toBeGreaterThan(0));
    const seconds = await oldest();
    const sinceThen = (Date.now() - start) / 1_000;
    expect(seconds).toBeLessThanOrEqual(sinceThen);
    release();
    await eventually(async () => expect(await oldest()).toBe(0));
    await bus.close();
  });

  test('instances of a service share its events', async () => {
    const url = await useShared('rabbitmq');
    const first = await startRabbitMqBus(url, logger, prefix);
    const second = await connectRabbitMq({ url, logger, prefix });
    const participations: number[] = [];
    const consumers = {
      'challenge.joined.v1': async ({ data }: { data: { participationId: number } }) =>
        void participations.push(data.participationId),
    };
    await first.subscribe('challenges', consumers);
    await second.subscribe('challenges', consumers);
    await Promise.all(
      Array.from({ length: 40 }, (_, participation) => first.publish(joined(participation + 1))),
    );
    await eventually(async () => participations.length >= 40 && (await first.idle()));
    expect(participations.sort((a, b) => a - b)).toEqual(
      Array.from({ length: 40 }, (_, participation) => participation + 1),
    );
    await second.close();
    await first.close();
  });

  test('a failed delivery is retried after a second, and is a dead letter with its reason after the last attempt', async () => {
    const bus = await startRabbitMqBus(await useShared('rabbitmq'), logger, prefix);
    const names = topologyNames(prefix);
    const attempts: number[] = [];
    await bus.subscribe('challenges', {
      'challenge.joined.v1': async () => {
        attempts.push(Date.now());
        throw new Error('never');
      },
    });
    await bus.publish(joined(1));
    await eventually(() => attempts.length >= 2);
    expect((attempts[1] ?? 0) - (attempts[0] ?? 0)).toBeGreaterThanOrEqual(950);

    await withChannel(async (channel) => {
      // Sent as for its last attempt.
      const content = Buffer.from(JSON.stringify(joined(2)));
      channel.sendToQueue(names.queue('challenges'), content, { headers: { 'x-wayquest-attempt': 4 } });
      const dead = await eventually(() => channel.get(names.deadQueue('challenges'), { noAck: true }));
      if (!dead) throw new Error('there is no dead letter');
      expect(JSON.parse(dead.content.toString()).data.participationId).toBe(2);
      expect(dead.properties.headers).toMatchObject({ 'x-wayquest-reason': 'Error: never' });
    });
    await bus.close();
  });

  test('an invalid message is dead-lettered immediately and blocks nothing', async () => {
    const bus = await startRabbitMqBus(await useShared('rabbitmq'), logger, prefix);
    const names = topologyNames(prefix);
    const participations: number[] = [];
    await bus.subscribe('challenges', {
      'challenge.joined.v1': async ({ data }) => void participations.push(data.participationId),
    });
    await withChannel(async (channel) => {
      channel.sendToQueue(names.queue('challenges'), Buffer.from('not JSON'));
      await eventually(() => channel.get(names.deadQueue('challenges'), { noAck: true }));
    });
    await bus.publish(joined(3));
    await eventually(() => participations.length > 0);
    expect(participations).toEqual([3]);
    await bus.close();
  });

  test('rejects while the broker is unavailable, and continues by itself', async () => {
    const broker = await startDedicated('rabbitmq');
    const bus = await connectRabbitMq({ url: broker.address, logger, prefix });
    const participations: number[] = [];
    await bus.subscribe('challenges', {
      'challenge.joined.v1': async ({ data }) => void participations.push(data.participationId),
    });
    await bus.publish(joined(1));
    await eventually(() => participations.includes(1));

    await broker.shutDown();
    await eventually(() => !bus.ready());
    await expect(bus.publish(joined(2))).rejects.toThrow();

    await broker.restart();
    await eventually(() => bus.ready(), { withinMs: 60_000, everyMs: 100 });
    await bus.publish(joined(3));
    await eventually(() => participations.includes(3));
    expect(participations).toEqual([1, 3]);
    await bus.close();
  }, 180_000);
});
