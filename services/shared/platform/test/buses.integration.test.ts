import type { Event } from '@wayquest/contracts';
import { type EventBus, newEvent } from '@wayquest/platform/bus';
import { createLogger } from '@wayquest/platform/telemetry';
import {
  describeWith,
  eventually,
  needBacking,
  startInProcessBus,
  startRabbitMqBus,
} from '@wayquest/testing';

const logger = createLogger({ name: 'test', level: 'silent' });

const joined = (lineId: number) => newEvent('challenge.joined.v1', { lineId, challengeId: 1, userId: 1 });
const revoked = () =>
  newEvent('token.revoked.v1', {
    userId: 1,
    tokenId: 'one',
    issuedBefore: null,
    expiresAt: new Date().toISOString(),
  });

const buses = {
  'in-process': async () => startInProcessBus(logger, ['users', 'challenges']),
  rabbitmq: async () => startRabbitMqBus(await needBacking('rabbitmq'), logger),
};

for (const [name, start] of Object.entries(buses)) {
  const describeBus = name === 'rabbitmq' ? await describeWith('rabbitmq') : describe;
  describeBus(`the ${name} bus`, () => {
    let bus: EventBus;
    beforeAll(async () => {
      bus = await start();
    });
    afterAll(() => bus.close());

    test('brings an event once to each subscribed service, as it was sent', async () => {
      const received: [string, Event][] = [];
      const subscriptions = await Promise.all([
        bus.subscribe('users', { 'token.revoked.v1': async (event) => void received.push(['users', event]) }),
        bus.subscribe('challenges', {
          'token.revoked.v1': async (event) => void received.push(['challenges', event]),
        }),
      ]);
      const event = revoked();
      await bus.publish(event);
      await eventually(async () => received.length >= 2 && (await bus.idle()));
      expect(received.map(([service]) => service).sort()).toEqual(['challenges', 'users']);
      for (const [, sent] of received) expect(sent).toEqual(event);
      await Promise.all(subscriptions.map((subscription) => subscription.close()));
    });

    test('refuses what the contract does not name, and what does not keep to it', async () => {
      const event = revoked();
      const leaking = { ...event, data: { ...event.data, password: 'secret' } };
      await expect(bus.publish(leaking)).rejects.toThrow('does not name password');
      const wrong = { ...event, data: { ...event.data, userId: -1 } };
      await expect(bus.publish(wrong)).rejects.toThrow('userId');
    });

    test('is not idle while an event is being handled', async () => {
      let done = () => {};
      const working = new Promise<void>((resolve) => {
        done = resolve;
      });
      let begun = false;
      const users = await bus.subscribe('users', { 'token.revoked.v1': async () => {} });
      const challenges = await bus.subscribe('challenges', {
        'token.revoked.v1': async () => {
          begun = true;
          await working;
        },
      });
      const published = bus.publish(revoked());
      await eventually(() => begun);
      expect(await bus.idle()).toBe(false);
      done();
      await published;
      await eventually(() => bus.idle());
      await Promise.all([users.close(), challenges.close()]);
    });

    test('gives an event again whose handler failed', async () => {
      let attempts = 0;
      const users = await bus.subscribe('users', {});
      const challenges = await bus.subscribe('challenges', {
        'challenge.joined.v1': async () => {
          attempts++;
          if (attempts === 1) throw new Error('not now');
        },
      });
      const event = joined(7);
      await bus.publish(event);
      await eventually(async () => attempts >= 2 && (await bus.idle()));
      expect(attempts).toBe(2);
      await Promise.all([users.close(), challenges.close()]);
    });
  });
}

test('the in-process bus lets an event wait for a service that is not there yet', async () => {
  const bus = startInProcessBus(logger, ['challenges']);
  await expect(bus.publish(joined(1))).rejects.toThrow('waits for challenges');
  await bus.subscribe('challenges', { 'challenge.joined.v1': async () => {} });
  await bus.publish(joined(1));
});

test('no bus takes an event that breaks its contract', async () => {
  const bus = startInProcessBus(logger, []);
  const broken = { ...joined(1), data: { lineId: 'one', challengeId: 1, userId: 1 } };
  await expect(bus.publish(broken as unknown as Event)).rejects.toThrow();
});
