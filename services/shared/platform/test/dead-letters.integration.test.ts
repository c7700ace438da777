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
  /** How many events have been handled in this process, by the metric of their age. */
  const countHandled = async () => {
    const text = await metricsRegistry.getSingleMetricAsString('wayquest_event_lag_seconds');
    return Number(/_count\{service="participation"\} (\d+)/.exec(text)?.[1] ?? 0);
  };

  it('are listed without being removed, and can be replayed', async () => {
    const connection = await connectAmqp(url);
    const channel = await connection.createConfirmChannel();
    const event = newEvent('challenge.deleted.v1', { challengeId: 7 });
    const headers = { 'x-wayquest-attempt': 5, 'x-wayquest-reason': 'the store was away' };
    const dead = topologyNames(prefix).deadQueue('participation');
    channel.sendToQueue(dead, Buffer.from(JSON.stringify(event)), { persistent: true, headers });
    channel.sendToQueue(dead, Buffer.from('{'), { persistent: true });
    await channel.waitForConfirms();
    await connection.close();

    for (let n = 0; n < 25; n++) {
      expect(await list()).toEqual(
        expect.arrayContaining([
          { event: event.name, id: event.id, occurredAt: event.occurredAt, reason: 'the store was away' },
          expect.objectContaining({ event: 'unreadable' }),
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
    // Whoever takes a service's events counts what waits for it.
    const waiting = async () =>
      (await metricsRegistry.getSingleMetric('wayquest_bus_queue_messages')?.get())?.values;
    await eventually(async () =>
      expect(await waiting()).toContainEqual({
        labels: { service: 'participation', state: 'dead' },
        value: 2,
      }),
    );
    expect(await replay()).toHaveLength(2);
    await eventually(() => expect(handled).toEqual([{ challengeId: 7 }]));
    expect(await countHandled()).toBe(countBefore + 1);
    // What no service can read comes back at once; the other is done with.
    await eventually(async () => expect(await list()).toHaveLength(1));
  });

  it('about a deleted user are deleted, and others stay', async () => {
    const [his, hers] = [7, 8].map((id) => newEvent('user.deleted.v1', { id }));
    const connection = await connectAmqp(url);
    const channel = await connection.createConfirmChannel();
    for (const event of [his, hers, 'unreadable'])
      channel.sendToQueue(topologyNames(prefix).deadQueue('friends'), Buffer.from(JSON.stringify(event)));
    await channel.waitForConfirms();
    await connection.close();
    await bus.discard('friends', (event) => event.id === his?.id);
    const left = await deadLettersOnRabbitMq({ url, prefix }).list('friends');
    expect(left.map(({ id, event }) => [event, id])).toEqual(
      expect.arrayContaining([
        ['user.deleted.v1', hers?.id],
        ['unreadable', expect.anything()],
      ]),
    );
    expect(left).toHaveLength(2);
  });
});
