import { randomUUID } from 'node:crypto';
import {
  createFailedDeliveries,
  createInProcessBus,
  deadLettersInStore,
  type EventBus,
  type FailedDeliveries,
  newEvent,
} from '@wayquest/platform/bus';
import { prepareStore } from '@wayquest/platform/store';
import { createLogger } from '@wayquest/platform/telemetry';
import {
  connectTestStore,
  createInMemoryFailedDeliveries,
  createRecordingLogger,
  createTestClock,
  dropDatabases,
  eventually,
  storeUrl,
  type TestClock,
} from '@wayquest/testing';
import type { Connection } from 'mongoose';

const logger = createLogger({ name: 'test', level: 'silent' });
const database = `test_bus_${randomUUID().slice(0, 8)}`;
const revoked = (tokenId = 'one') =>
  newEvent('token.revoked.v1', {
    userId: 1,
    tokenId,
    issuedBefore: null,
    expiresAt: new Date().toISOString(),
  });

let connection: Connection;
let failed: FailedDeliveries;
let clock: TestClock;
const buses: EventBus[] = [];

beforeAll(async () => {
  connection = await connectTestStore(database);
  failed = createFailedDeliveries(connection);
  await prepareStore(connection);
});
beforeEach(async () => {
  clock = createTestClock();
  await connection.model('FailedDelivery').deleteMany({});
});
afterEach(async () => {
  await Promise.all(buses.splice(0).map((bus) => bus.close()));
});
afterAll(async () => {
  await connection.close();
  await dropDatabases(storeUrl(), [database]);
});

const open = (deliveries: FailedDeliveries = failed) => {
  const bus = createInProcessBus({ logger, services: ['users', 'chat'], failed: deliveries, clock });
  buses.push(bus);
  return bus;
};

/** Advances the clock in small steps until a condition holds, since the bus polls a store in between. */
const advanceUntil = (condition: () => boolean | Promise<boolean>) =>
  eventually(async () => {
    await clock.advance(100);
    return condition();
  });

/** Subscribes chat with a handler, and users without failures; returns what users received. */
const listen = async (bus: EventBus, handle: (tokenId: string | null) => void) => {
  const received: (string | null)[] = [];
  await bus.subscribe('users', {
    'token.revoked.v1': async ({ data }) => void received.push(data.tokenId),
  });
  await bus.subscribe('chat', { 'token.revoked.v1': async ({ data }) => handle(data.tokenId) });
  return received;
};

test('a failed event is redelivered after a second, and delays no other event', async () => {
  const deliveries = createInMemoryFailedDeliveries();
  const bus = open(deliveries);
  const attempts: number[] = [];
  const received = await listen(bus, (tokenId) => {
    if (tokenId !== 'bad') return;
    attempts.push(clock.now());
    if (attempts.length === 1) throw new Error('not now');
  });
  await bus.publish(revoked('bad'));
  await bus.publish(revoked('good'));
  expect(received).toEqual(['bad', 'good']);
  expect(await bus.idle()).toBe(false);
  await clock.advance(999);
  expect(attempts).toHaveLength(1);
  // Deliveries that are due within half a second are polled together.
  await clock.advance(1_000);
  expect(attempts).toHaveLength(2);
  expect(await bus.idle()).toBe(true);
  expect(received).toEqual(['bad', 'good']);
});

test('the delays between attempts grow, and after the last one the event is a dead letter', async () => {
  const deliveries = createInMemoryFailedDeliveries();
  const bus = open(deliveries);
  let failedAt = 0;
  await listen(bus, () => {
    failedAt = clock.now();
    throw new Error('never');
  });
  await bus.publish(revoked());
  for (const [attempt, delay] of [1_000, 5_000, 30_000, 120_000].entries()) {
    const [delivery] = deliveries.all();
    expect(delivery).toMatchObject({ attempt: attempt + 1, dueAt: new Date(failedAt + delay) });
    if (!delivery) throw new Error('no delivery was stored');
    // Due now, and polled within half a second.
    await deliveries.save({ ...delivery, dueAt: new Date(clock.now()) });
    await advanceUntil(() => deliveries.all()[0]?.attempt === attempt + 2);
  }
  expect(deliveries.all()).toMatchObject([{ attempt: 5, dueAt: null }]);
  expect(await bus.idle()).toBe(true);
});

test('a dead letter survives the process, is listed, and is handled once it is replayed', async () => {
  // Dead letters are replayed with the system time.
  clock = createTestClock(Date.now());
  const event = revoked();
  const first = open();
  await listen(first, () => {
    throw new Error('never');
  });
  // Stored as before the last attempt.
  await failed.save({
    service: 'chat',
    event,
    attempt: 4,
    reason: 'Error: not now',
    dueAt: new Date(clock.now()),
  });
  const letters = deadLettersInStore(connection);
  const letter = { event: event.name, id: event.id, occurredAt: event.occurredAt, reason: 'Error: never' };
  await advanceUntil(async () => (await letters.list('chat')).length > 0);
  expect(await letters.list('chat')).toEqual([letter]);
  expect(await letters.list('users')).toEqual([]);
  await first.close();

  const handled: (string | null)[] = [];
  const second = open();
  await listen(second, (tokenId) => void handled.push(tokenId));
  expect(await letters.replay('chat')).toEqual([letter]);
  await advanceUntil(() => handled.length > 0);
  await eventually(() => second.idle());
  expect(handled).toEqual(['one']);
  expect(await letters.list('chat')).toEqual([]);
});

test('dead letters about a deleted user are deleted, and no others', async () => {
  const [deleted, other] = [revoked('deleted'), revoked('other')];
  for (const event of [deleted, other])
    await failed.save({ service: 'chat', event, attempt: 5, reason: 'Error: never', dueAt: null });
  await open().eraseDeadLetters('users', () => true);
  await open().eraseDeadLetters('chat', ({ id }) => id === deleted.id);
  expect(await deadLettersInStore(connection).list('chat')).toMatchObject([{ id: other.id }]);
  await open().eraseDeadLetters('chat', () => true);
  expect(await deadLettersInStore(connection).list('chat')).toEqual([]);
});

test('a retry that was pending when the process was killed is delivered by the next one', async () => {
  const killed = open();
  await listen(killed, () => {
    throw new Error('not here');
  });
  await killed.publish(revoked());
  await killed.close();

  const handled: (string | null)[] = [];
  await listen(open(), (tokenId) => void handled.push(tokenId));
  await advanceUntil(() => handled.length > 0);
  expect(handled).toEqual(['one']);
});

test('is ready once each service has subscribed, and stays so when one closes', async () => {
  const bus = open();
  const users = await bus.subscribe('users', {});
  expect(bus.ready()).toBe(false);
  await bus.subscribe('chat', {});
  expect(bus.ready()).toBe(true);
  await users.close();
  expect(bus.ready()).toBe(true);
});

test('an event that can be neither handled nor stored is rejected, so that it stays in its outbox', async () => {
  const bus = open({ ...failed, save: () => Promise.reject(new Error('the disk is full')) });
  await listen(bus, () => {
    throw new Error('not now');
  });
  await expect(bus.publish(revoked())).rejects.toThrow('was not handled by all subscribers');
});

test('while a dependency is unavailable the consumer pauses: no attempt is counted, no event dead-lettered', async () => {
  const bus = open();
  let isUnavailable = true;
  let attempts = 0;
  const handled = new Set<string | null>();
  await listen(bus, (tokenId) => {
    attempts++;
    if (isUnavailable) throw Object.assign(new Error('ECONNREFUSED'), { name: 'MongoNetworkError' });
    handled.add(tokenId);
  });
  await failed.save({
    service: 'chat',
    event: revoked('old'),
    attempt: 4,
    reason: '',
    dueAt: new Date(clock.now()),
  });
  await advanceUntil(() => attempts === 1);
  await Promise.all(['a', 'b', 'c'].map((tokenId) => bus.publish(revoked(tokenId))));
  // They arrived during the back-off and were not attempted.
  expect(attempts).toBe(1);
  await advanceUntil(() => attempts > 1);
  isUnavailable = false;
  await advanceUntil(() => handled.size === 4);
  await eventually(() => bus.idle());
  expect(await deadLettersInStore(connection).list('chat')).toEqual([]);
});

test('an event that is published again while it is being handled is handled once', async () => {
  const bus = open();
  let handled = 0;
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  await bus.subscribe('users', {
    'token.revoked.v1': async () => {
      handled += 1;
      await finished;
    },
  });
  await bus.subscribe('chat', { 'token.revoked.v1': async () => {} });
  const event = revoked();
  const publications = [bus.publish(event), bus.publish(event)];
  await eventually(() => handled === 1);
  publications.push(bus.publish(event));
  finish();
  await Promise.all(publications);
  expect(handled).toBe(1);
});

test('a handler that publishes to a service which has not subscribed yet is repeated, without a warning', async () => {
  const { logger, hasLogged } = createRecordingLogger();
  const bus = createInProcessBus({ logger, services: ['users', 'realtime'], failed, clock });
  buses.push(bus);
  let attempts = 0;
  const received: number[] = [];
  await bus.subscribe('users', {
    'token.revoked.v1': async () => {
      attempts += 1;
      await bus.publish(newEvent('notifications.changed.v1', { userIds: [1] }), { to: 'realtime' });
    },
  });
  await bus.publish(revoked(), { to: 'users' });
  expect(attempts).toBe(1);
  await bus.subscribe('realtime', {
    'notifications.changed.v1': async ({ data }) => void received.push(...data.userIds),
  });
  await advanceUntil(() => received.length === 1);
  await eventually(() => bus.idle());
  expect(attempts).toBe(2);
  expect(hasLogged('pausing consumer')).toBe(false);
});

test('an idle bus polls the store every few seconds, and delivers what another process stored', async () => {
  const deliveries = createInMemoryFailedDeliveries();
  let polls = 0;
  const findDue: FailedDeliveries['findDue'] = (services, by) => {
    polls += 1;
    return deliveries.findDue(services, by);
  };
  const handled: (string | null)[] = [];
  await listen(open({ ...deliveries, findDue }), (tokenId) => void handled.push(tokenId));
  await clock.advance(60_000);
  expect(polls).toBeGreaterThan(5);
  // Every five seconds, plus or minus half of that.
  expect(polls).toBeLessThanOrEqual(25);
  const dueAt = new Date(clock.now());
  await deliveries.save({ service: 'chat', event: revoked(), attempt: 0, reason: 'replayed', dueAt });
  await clock.advance(10_000);
  expect(handled).toEqual(['one']);
});
