import { randomUUID } from 'node:crypto';
import { connectAmqp, connectRabbitMq, newEvent, topologyNames } from '@wayquest/platform/bus';
import { createLogger, metricsRegistry } from '@wayquest/platform/telemetry';
import { describeWith, eventually, startDedicated, startRabbitMqBus, useShared } from '@wayquest/testing';
import type { Channel } from 'amqplib';

const logger = createLogger({ name: 'test', level: 'silent' });
const joined = (lineId: number) => newEvent('challenge.joined.v1', { lineId, challengeId: 1, userId: 1 });

(await describeWith('rabbitmq'))('the RabbitMQ bus', () => {
  let prefix: string;
  beforeEach(() => {
    prefix = `test-${randomUUID()}`;
  });

  const withChannel = async <T>(use: (channel: Channel) => Promise<T>): Promise<T> => {
    const connection = await connectAmqp(await useShared('rabbitmq'));
    try {
      return await use(await connection.createChannel());
    } finally {
      await connection.close();
    }
  };

  test('acknowledges only after the effect: unacknowledged messages of a closed consumer go to another one', async () => {
    const url = await useShared('rabbitmq');
    const last = await startRabbitMqBus(url, logger, prefix);
    const dying = await connectRabbitMq({ url, logger, prefix });
    let inHand = false;
    await dying.subscribe('challenges', {
      'challenge.joined.v1': () => {
        inHand = true;
        return new Promise(() => {});
      },
    });
    await last.publish(joined(1));
    await eventually(() => inHand);
    // A round trip, in which an acknowledgement that came too early would reach the broker.
    await withChannel((channel) => channel.checkQueue(topologyNames(prefix).queue('challenges')));
    await dying.close();

    const lines: number[] = [];
    await last.subscribe('challenges', {
      'challenge.joined.v1': async ({ data }) => void lines.push(data.lineId),
    });
    await eventually(() => lines.length > 0);
    expect(lines).toEqual([1]);
    await last.close();
  });

  test('sends the fields of the contract and nothing else', async () => {
    const bus = await startRabbitMqBus(await useShared('rabbitmq'), logger, prefix);
    const event = joined(1);
    process.env.NODE_ENV = 'production';
    try {
      const data = { ...event.data, password: 'secret' };
      await bus.publish({ ...event, data });
    } finally {
      process.env.NODE_ENV = 'test';
    }
    // As it lies in the queue: whoever takes it out would not look at what no contract names.
    const sent = await withChannel((channel) => channel.get(topologyNames(prefix).queue('challenges')));
    expect(sent && JSON.parse(sent.content.toString())).toEqual(JSON.parse(JSON.stringify(event)));
    await bus.close();
  });

  test('accepts far more concurrent events than it has unconfirmed', async () => {
    const bus = await startRabbitMqBus(await useShared('rabbitmq'), logger, prefix);
    const published = await Promise.all(Array.from({ length: 500 }, (_, n) => bus.publish(joined(n + 1))));
    expect(published).toHaveLength(500);
    await bus.close();
  });

  test('reports the age of the oldest ready message, and nothing for an empty queue', async () => {
    const url = await useShared('rabbitmq');
    const bus = await startRabbitMqBus(url, logger, prefix);
    let goOn = () => {};
    const until = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const began = Date.now();
    await bus.subscribe('challenges', {
      'challenge.joined.v1': ({ data }) => (data.lineId > 1 ? until : Promise.resolve()),
    });
    await bus.publish(joined(1));
    // More than are handed over at once.
    for (let n = 2; n < 300; n++) void bus.publish(joined(n));
    const oldest = async () => {
      // Somebody who comes has it counted.
      await (await bus.subscribe('friends', {})).close();
      const { values = [] } =
        (await metricsRegistry.getSingleMetric('wayquest_bus_oldest_message_age_seconds')?.get()) ?? {};
      return values.find(({ labels }) => labels.service === 'challenges')?.value;
    };
    await eventually(async () => expect(await oldest()).toBeGreaterThan(0));
    const seconds = await oldest();
    const sinceThen = (Date.now() - began) / 1_000;
    expect(seconds).toBeLessThanOrEqual(sinceThen);
    goOn();
    await eventually(async () => expect(await oldest()).toBe(0));
    await bus.close();
  });

  test('instances of a service share its events', async () => {
    const url = await useShared('rabbitmq');
    const first = await startRabbitMqBus(url, logger, prefix);
    const second = await connectRabbitMq({ url, logger, prefix });
    const lines: number[] = [];
    const consumers = {
      'challenge.joined.v1': async ({ data }: { data: { lineId: number } }) => void lines.push(data.lineId),
    };
    await first.subscribe('challenges', consumers);
    await second.subscribe('challenges', consumers);
    await Promise.all(Array.from({ length: 40 }, (_, line) => first.publish(joined(line + 1))));
    await eventually(async () => lines.length >= 40 && (await first.idle()));
    expect(lines.sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, line) => line + 1));
    await second.close();
    await first.close();
  });

  test('a failed delivery waits a second; after the last attempt it is a dead letter, with its reason', async () => {
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
      // As if it had been tried through all the waiting queues.
      const content = Buffer.from(JSON.stringify(joined(2)));
      channel.sendToQueue(names.queue('challenges'), content, { headers: { 'x-wayquest-attempt': 4 } });
      const dead = await eventually(() => channel.get(names.deadQueue('challenges'), { noAck: true }));
      if (!dead) throw new Error('nothing died');
      expect(JSON.parse(dead.content.toString()).data.lineId).toBe(2);
      expect(dead.properties.headers).toMatchObject({ 'x-wayquest-reason': 'Error: never' });
    });
    await bus.close();
  });

  test('an invalid message is dead-lettered immediately and blocks nothing', async () => {
    const bus = await startRabbitMqBus(await useShared('rabbitmq'), logger, prefix);
    const names = topologyNames(prefix);
    const lines: number[] = [];
    await bus.subscribe('challenges', {
      'challenge.joined.v1': async ({ data }) => void lines.push(data.lineId),
    });
    await withChannel(async (channel) => {
      channel.sendToQueue(names.queue('challenges'), Buffer.from('not JSON'));
      await eventually(() => channel.get(names.deadQueue('challenges'), { noAck: true }));
    });
    await bus.publish(joined(3));
    await eventually(() => lines.length > 0);
    expect(lines).toEqual([3]);
    await bus.close();
  });

  test('rejects while the broker is unavailable, and continues by itself', async () => {
    const broker = await startDedicated('rabbitmq');
    const bus = await connectRabbitMq({ url: broker.address, logger, prefix });
    const lines: number[] = [];
    await bus.subscribe('challenges', {
      'challenge.joined.v1': async ({ data }) => void lines.push(data.lineId),
    });
    await bus.publish(joined(1));
    await eventually(() => lines.includes(1));

    await broker.shutDown();
    await eventually(() => !bus.ready());
    await expect(bus.publish(joined(2))).rejects.toThrow();

    await broker.restart();
    await eventually(() => bus.ready(), { withinMs: 60_000, everyMs: 100 });
    await bus.publish(joined(3));
    await eventually(() => lines.includes(3));
    expect(lines).toEqual([1, 3]);
    await bus.close();
  }, 180_000);
});
