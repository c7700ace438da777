import { randomUUID } from 'node:crypto';
import type { Event } from '@wayquest/contracts';
import { type EventBus, newEvent } from '@wayquest/platform/bus';
import { createService } from '@wayquest/platform/service';
import { createLogger, metricsRegistry } from '@wayquest/platform/telemetry';
import {
  describeWith,
  dropDatabases,
  eventually,
  startInProcessBus,
  startRabbitMqBus,
  storeUrl,
  testServiceDeps,
  useShared,
} from '@wayquest/testing';

const logger = createLogger({ name: 'test', level: 'silent' });

const joined = (participationId: number) =>
  newEvent('challenge.joined.v1', { participationId, challengeId: 1, userId: 1 });
const revoked = () =>
  newEvent('token.revoked.v1', {
    userId: 1,
    tokenId: 'one',
    issuedBefore: null,
    expiresAt: new Date().toISOString(),
  });

const profileOf = (id: number) => {
  const names = { username: `person-${id}`, firstName: '', lastName: '', city: '', state: '' };
  const user = { ...names, id, avatar: `explorer-${id}.svg`, points: 0 };
  return newEvent('user.profile-changed.v1', { user, version: 1 });
};

const ignore = async () => {};
/** Consumers of chat's other events. */
const otherConsumers = {
  'points.awarded.v1': ignore,
  'points.revoked.v1': ignore,
  'friend.removed.v1': ignore,
  'user.blocked.v1': ignore,
  'user.unblocked.v1': ignore,
  'moderation.decided.v1': ignore,
};

/** Deliveries of joined challenges to the challenges service that were counted so far. */
async function countDeliveries(outcome: string): Promise<number> {
  const { values = [] } =
    (await metricsRegistry.getSingleMetric('wayquest_events_handled_total')?.get()) ?? {};
  const counted = values.find(
    ({ labels }) =>
      labels.service === 'challenges' && labels.event === 'challenge.joined.v1' && labels.outcome === outcome,
  );
  return counted?.value ?? 0;
}

const buses = {
  'in-process': async () => startInProcessBus(logger, ['users', 'challenges']),
  rabbitmq: async () => startRabbitMqBus(await useShared('rabbitmq'), logger),
};

for (const [name, start] of Object.entries(buses)) {
  const describeBus = name === 'rabbitmq' ? await describeWith('rabbitmq') : describe;
  describeBus(`the ${name} bus`, () => {
    let bus: EventBus;
    beforeAll(async () => {
      bus = await start();
    });
    afterAll(() => bus.close());

    test('delivers an event once to each subscriber, unchanged', async () => {
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

    test('rejects undeclared and invalid fields', async () => {
      const event = revoked();
      const withUndeclaredField = { ...event, data: { ...event.data, password: 'secret' } };
      await expect(bus.publish(withUndeclaredField)).rejects.toThrow('does not name password');
      const invalid = { ...event, data: { ...event.data, userId: -1 } };
      await expect(bus.publish(invalid)).rejects.toThrow('userId');
    });

    test('is not idle while an event is handled', async () => {
      let done = () => {};
      const working = new Promise<void>((resolve) => {
        done = resolve;
      });
      let hasStarted = false;
      const users = await bus.subscribe('users', { 'token.revoked.v1': async () => {} });
      const challenges = await bus.subscribe('challenges', {
        'token.revoked.v1': async () => {
          hasStarted = true;
          await working;
        },
      });
      const published = bus.publish(revoked());
      await eventually(() => hasStarted);
      expect(await bus.idle()).toBe(false);
      done();
      await published;
      await eventually(() => bus.idle());
      await Promise.all([users.close(), challenges.close()]);
    });

    test('stores no dead letter about a deleted user, before or after the deletion', async () => {
      const databasePrefix = `test_letters_${randomUUID().slice(0, 8)}`;
      const deps = testServiceDeps({ logger, bus, databasePrefix });
      const [early, late, others] = [profileOf(7), profileOf(7), profileOf(8)];
      const ofBoth = newEvent('friend.accepted.v1', { requestId: 1, userIds: [8, 7] });
      const attempted: string[] = [];
      const erased: number[] = [];
      const fail = async ({ id }: Event) => {
        attempted.push(id);
        throw new SyntaxError('a permanent failure');
      };
      const service = createService('chat', deps, () => ({
        routes: () => {},
        consumers: {
          ...otherConsumers,
          'user.profile-changed.v1': fail,
          'friend.accepted.v1': fail,
        },
        erase: async (id) => void erased.push(id),
      }));
      await service.start();
      /** Reads the dead letters without erasing them. */
      const deadLetters = async () => {
        const ids = new Set<string>();
        await bus.eraseDeadLetters('chat', ({ id }) => {
          ids.add(id);
          return false;
        });
        return [...ids];
      };
      try {
        for (const event of [early, others]) await bus.publish(event, { to: 'chat' });
        await eventually(async () =>
          expect((await deadLetters()).sort()).toEqual([early.id, others.id].sort()),
        );
        await bus.publish(newEvent('user.deleted.v1', { id: 7 }), { to: 'chat' });
        await eventually(async () => expect(await deadLetters()).toEqual([others.id]));

        erased.length = 0;
        for (const event of [late, ofBoth]) await bus.publish(event, { to: 'chat' });
        await eventually(
          async () => attempted.includes(late.id) && attempted.includes(ofBoth.id) && (await bus.idle()),
        );
        expect(await deadLetters()).toEqual([others.id]);
        expect(erased).toEqual([7, 7]);
      } finally {
        await service.stop();
        await dropDatabases(storeUrl(), [`${databasePrefix}_chat`]);
      }
    });

    test('redelivers an event whose handler failed, and counts both deliveries', async () => {
      const before = [await countDeliveries('retried'), await countDeliveries('done')];
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
      const after = [await countDeliveries('retried'), await countDeliveries('done')];
      expect(after).toEqual(before.map((count) => count + 1));
      await Promise.all([users.close(), challenges.close()]);
    });
  });
}

test('the in-process bus rejects an event while a subscriber has not started', async () => {
  const bus = startInProcessBus(logger, ['challenges']);
  await expect(bus.publish(joined(1))).rejects.toThrow('is queued until challenges subscribe');
  await bus.subscribe('challenges', { 'challenge.joined.v1': async () => {} });
  await bus.publish(joined(1));
});

test('no bus accepts an event that violates its contract', async () => {
  const bus = startInProcessBus(logger, []);
  const broken = { ...joined(1), data: { participationId: 'one', challengeId: 1, userId: 1 } };
  await expect(bus.publish(broken as unknown as Event)).rejects.toThrow();
});
