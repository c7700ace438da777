import { randomUUID } from 'node:crypto';
import { connectAmqp, connectRabbitMq, type EventBus, newEvent, topologyNames } from '@wayquest/platform/bus';
import {
  afterTest,
  createRecordingLogger,
  describeWith,
  eventually,
  startDedicated,
} from '@wayquest/testing';
import type { Channel } from 'amqplib';

const located = (challengeId: number) =>
  newEvent('challenge.located.v1', { challengeId, position: { lat: 40.75, lng: -73.83 } });

(await describeWith('rabbitmq'))(
  'the RabbitMQ bus, of users who may use the queues of their service only',
  () => {
    let broker: Awaited<ReturnType<typeof startDedicated>>;
    const prefix = `users-${randomUUID()}`;
    const names = topologyNames(prefix);
    const { logger, hasLogged } = createRecordingLogger();

    /** Creates the user of a service, with the rights of those in containers (`infra/docker/make-keys.mjs`). */
    const createUser = async (service: string) => {
      const own = `[a-z0-9_-]+\\.${service}(\\..*)?`;
      await broker.control('add_user', service, 'a password');
      await broker.control('set_permissions', service, `^${own}$`, `^(amq\\.default|${own})$`, `^${own}$`);
    };
    const urlOf = (service: string) => {
      const url = new URL(broker.address);
      url.username = service;
      url.password = 'a password';
      return url.href;
    };
    const open = async (service: string): Promise<EventBus> => {
      const bus = await connectRabbitMq({ url: urlOf(service), logger, prefix });
      afterTest(() => bus.close());
      return bus;
    };

    beforeAll(async () => {
      broker = await startDedicated('rabbitmq');
      await createUser('places');
      await createUser('challenges');
    });

    test('delivers events, also those that were published before their consumer’s queue existed', async () => {
      const places = await open('places');
      await expect(places.publish(located(1))).rejects.toThrow('did not reach every queue');

      const received: number[] = [];
      const challenges = await open('challenges');
      await challenges.subscribe('challenges', {
        'challenge.located.v1': async ({ data }) => void received.push(data.challengeId),
      });
      // As an outbox does.
      await eventually(() => places.publish(located(1)), { withinMs: 30_000 });
      await eventually(() => expect(received).toContain(1));
      await eventually(() => places.ready() && challenges.ready(), { withinMs: 30_000 });
    });

    test('delivers events again after the broker has lost all queues', async () => {
      const received: number[] = [];
      const [places, challenges] = [await open('places'), await open('challenges')];
      await challenges.subscribe('challenges', {
        'challenge.located.v1': async ({ data }) => void received.push(data.challengeId),
      });
      const outside = await connectAmqp(broker.address);
      const channel = await outside.createChannel();
      await channel.deleteQueue(names.queue('challenges'));
      await outside.close();
      await eventually(() => places.publish(located(2)), { withinMs: 30_000 });
      await eventually(() => expect(received).toContain(2), { withinMs: 30_000 });
      expect(hasLogged('a queue is missing')).toBe(true);
    });

    const attempts: [string, (channel: Channel, queue: string) => Promise<unknown>][] = [
      ['read the events of another service', (channel, queue) => channel.get(queue)],
      ['delete the queue of another service', (channel, queue) => channel.deleteQueue(queue)],
    ];
    test.each(attempts)('does not let a service %s', async (_, attempt) => {
      const challenges = await open('challenges');
      await challenges.subscribe('challenges', {});
      const outside = await connectAmqp(urlOf('places'));
      const channel = await outside.createChannel();
      channel.on('error', () => {});
      await expect(attempt(channel, names.queue('challenges'))).rejects.toMatchObject({ code: 403 });
      await outside.close();
    });
  },
);
