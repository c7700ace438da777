import { randomBytes } from 'node:crypto';
import {
  connectAmqp,
  deadLettersOnRabbitMq,
  type EventBus,
  newEvent,
  topologyNames,
} from '@wayquest/platform/bus';
import { createLogger, metricsRegistry } from '@wayquest/platform/telemetry';
import { describeWith, eventually, startRabbitMqBus, useShared } from '@wayquest/testing';

(await describeWith('rabbitmq'))('dead letters', () => {
  const prefix = `dead-${randomBytes(4).toString('hex')}`;
  let url: string;
  let bus: EventBus;
  beforeAll(async () => {
    url = await useShared('rabbitmq');
    bus = await startRabbitMqBus(url, createLogger({ name: 'test', level: 'silent' }), prefix);
  });
  afterAll(() => bus?.close());

  const list = () => deadLettersOnRabbitMq({ url, prefix }).list('participation');
  const replay = () => deadLettersOnRabbitMq({ url, prefix }).replay('participation');
  /** Number of events handled in this process, from the metric of their age. */
  const countHandled = async () => {
    const text = await metricsRegistry.getSingleMetricAsString('wayquest_event_lag_seconds');
    return Number(/_count\{service="participation"\} (\d+)/.exec(text)?.[1] ?? 0);
  };

  it('are listed without being removed, and can be replayed', async () => {
    const connection = await connectAmqp(url);
    const channel = await connection.createConfirmChannel();
    const event = newEvent('challenge.deleted.v1', { challengeId: 7 });
    const headers = { 'x-wayquest-attempt': 5, 'x-wayquest-reason': 'the store was unavailable' };
    const dead = topologyNames(prefix).deadQueue('participation');
    channel.sendToQueue(dead, Buffer.from(JSON.stringify(event)), { persistent: true, headers });
    channel.sendToQueue(dead, Buffer.from('{'), { persistent: true });
    await channel.waitForConfirms();
    await connection.close();

    for (let n = 0; n < 25; n++) {
      expect(await list()).toEqual(
        expect.arrayContaining([
          {
            event: event.name,
            id: event.id,
            occurredAt: event.occurredAt,
            reason: 'the store was unavailable',
          },
          expect.objectContaining({ event: 'unparseable' }),
        ]),
      );
    }

    const handled: unknown[] = [];
    const countBefore = await countHandled();
    await bus.subscribe('participation', {
      'challenge.deleted.v1': async ({ data }) => {
        handled.push(data);
      },
    });
    // Consumers of a service report the messages in its queues.
    const queueMessages = async () =>
      (await metricsRegistry.getSingleMetric('wayquest_bus_queue_messages')?.get())?.values;
    await eventually(async () =>
      expect(await queueMessages()).toContainEqual({
        labels: { service: 'participation', state: 'dead' },
        value: 2,
      }),
    );
    expect(await replay()).toHaveLength(2);
    await eventually(() => expect(handled).toEqual([{ challengeId: 7 }]));
    expect(await countHandled()).toBe(countBefore + 1);
    // The unreadable message is dead-lettered again immediately; the other one was handled.
    await eventually(async () => expect(await list()).toHaveLength(1));
  });

  it('about a deleted user are deleted, and others remain', async () => {
    const [deleted, other] = [7, 8].map((id) => newEvent('user.deleted.v1', { id }));
    const connection = await connectAmqp(url);
    const channel = await connection.createConfirmChannel();
    for (const event of [deleted, other, 'unparseable'])
      channel.sendToQueue(topologyNames(prefix).deadQueue('friends'), Buffer.from(JSON.stringify(event)));
    await channel.waitForConfirms();
    await connection.close();
    await bus.eraseDeadLetters('friends', (event) => event.id === deleted?.id);
    const remaining = await deadLettersOnRabbitMq({ url, prefix }).list('friends');
    expect(remaining.map(({ id, event }) => [event, id])).toEqual(
      expect.arrayContaining([
        ['user.deleted.v1', other?.id],
        ['unparseable', expect.anything()],
      ]),
    );
    expect(remaining).toHaveLength(2);
  });

  it('stay where every later search finds them when one could not be checked (code 5)', async () => {
    const events = [7, 8, 9].map((id) => newEvent('user.deleted.v1', { id }));
    const connection = await connectAmqp(url);
    const channel = await connection.createConfirmChannel();
    const dead = topologyNames(prefix).deadQueue('chat');
    for (const event of events) channel.sendToQueue(dead, Buffer.from(JSON.stringify(event)));
    await channel.waitForConfirms();
    const isStoreAway = async () => {
      throw new Error('the store is unavailable');
    };
    await expect(bus.eraseDeadLetters('chat', isStoreAway)).rejects.toThrow('the store is unavailable');
    // Unacknowledged messages are not counted.
    expect(await channel.checkQueue(dead)).toMatchObject({ messageCount: 3 });
    await bus.eraseDeadLetters('chat', ({ id }) => id !== events[2]?.id);
    const remaining = await deadLettersOnRabbitMq({ url, prefix }).list('chat');
    expect(remaining.map(({ id }) => id)).toEqual([events[2]?.id]);
    await connection.close();
  });

  it('that are about somebody who is erased while they are checked are erased, too (51.4)', async () => {
    const event = newEvent('user.deleted.v1', { id: 7 });
    const connection = await connectAmqp(url);
    const channel = await connection.createConfirmChannel();
    const dead = topologyNames(prefix).deadQueue('users');
    channel.sendToQueue(dead, Buffer.from(JSON.stringify(event)));
    await channel.waitForConfirms();
    let checks = 0;
    // Another instance stores the user in between, and its own search does not find the letter.
    await bus.eraseDeadLetters('users', () => checks++ > 0);
    expect(await channel.checkQueue(dead)).toMatchObject({ messageCount: 0 });
    await connection.close();
  });
});
