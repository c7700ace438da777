import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import {
  createFailedDeliveries,
  createInProcessBus,
  deadLettersInStore,
  type EventBus,
  type FailedDeliveries,
  newEvent,
} from '@wayquest/platform/bus';
import { connectMongo, prepareCollections } from '@wayquest/platform/store';
import { createLogger } from '@wayquest/platform/telemetry';
import { dropDatabases, eventually, failedInMemory, patientTimeouts, storeUrl } from '@wayquest/testing';
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
const buses: EventBus[] = [];

beforeAll(async () => {
  connection = await connectMongo({ timeouts: patientTimeouts, url: storeUrl(), database, logger });
  failed = createFailedDeliveries(connection);
  await prepareCollections(connection);
});
beforeEach(() => connection.model('FailedDelivery').deleteMany({}));
afterEach(async () => {
  await Promise.all(buses.splice(0).map((bus) => bus.close()));
});
afterAll(async () => {
  await connection.close();
  await dropDatabases(storeUrl(), [database]);
});

const open = (kept: FailedDeliveries = failed) => {
  const bus = createInProcessBus({ logger, services: ['users', 'chat'], failed: kept });
  buses.push(bus);
  return bus;
};

/** Everybody else hears everything without trouble. */
const listen = async (bus: EventBus, handle: (tokenId: string | null) => void) => {
  const others: (string | null)[] = [];
  await bus.subscribe('users', {
    'token.revoked.v1': async ({ data }) => void others.push(data.tokenId),
  });
  await bus.subscribe('chat', { 'token.revoked.v1': async ({ data }) => handle(data.tokenId) });
  return others;
};

test('who fails is tried again after a second, and holds up nobody', async () => {
  const bus = open();
  const attempts: number[] = [];
  const others = await listen(bus, (tokenId) => {
    if (tokenId !== 'bad') return;
    attempts.push(Date.now());
    if (attempts.length === 1) throw new Error('not now');
  });
  await bus.publish(revoked('bad'));
  await bus.publish(revoked('good'));
  expect(others).toEqual(['bad', 'good']);
  expect(attempts).toHaveLength(1);
  expect(await bus.idle()).toBe(false);
  await eventually(() => attempts.length === 2);
  expect((attempts[1] ?? 0) - (attempts[0] ?? 0)).toBeGreaterThanOrEqual(950);
  await eventually(() => bus.idle());
  expect(others).toEqual(['bad', 'good']);
});

test('the pauses between attempts grow; after the last one it is a dead letter, listed and replayed', async () => {
  const kept = failedInMemory();
  const bus = open(kept);
  const event = revoked();
  await listen(bus, () => {
    throw new Error('never');
  });
  let begun = Date.now();
  await bus.publish(event);
  for (const [attempt, delay] of [1_000, 5_000, 30_000, 120_000, undefined].entries()) {
    await eventually(() => kept.all()[0]?.attempt === attempt + 1);
    const [delivery] = kept.all();
    if (!delivery) throw new Error('nothing was kept');
    if (delay === undefined) expect(delivery.dueAt).toBeNull();
    else {
      // It failed between when it began and now.
      expect(Number(delivery.dueAt)).toBeGreaterThanOrEqual(begun + delay);
      expect(Number(delivery.dueAt)).toBeLessThanOrEqual(Date.now() + delay);
      begun = Date.now();
      await kept.keep({ ...delivery, dueAt: new Date() });
    }
  }
  await eventually(() => bus.idle());
});

test('a dead letter is kept where it outlives the process, listed, and handled once it is replayed', async () => {
  const event = revoked();
  const first = open();
  await listen(first, () => {
    throw new Error('never');
  });
  // As if it had been tried through all the pauses but the last.
  await failed.keep({ service: 'chat', event, attempt: 4, reason: 'Error: not now', dueAt: new Date() });
  const letters = deadLettersInStore(connection);
  const letter = { event: event.name, id: event.id, occurredAt: event.occurredAt, reason: 'Error: never' };
  await eventually(async () => expect(await letters.list('chat')).toEqual([letter]));
  expect(await letters.list('users')).toEqual([]);
  await first.close();

  const handled: (string | null)[] = [];
  const second = open();
  await listen(second, (tokenId) => void handled.push(tokenId));
  expect(await letters.replay('chat')).toEqual([letter]);
  await eventually(() => handled.length > 0);
  await eventually(() => second.idle());
  expect(handled).toEqual(['one']);
  expect(await letters.list('chat')).toEqual([]);
});

test('dead letters of whoever is forgotten go, and no others', async () => {
  const [his, hers] = [revoked('his'), revoked('hers')];
  for (const event of [his, hers])
    await failed.keep({ service: 'chat', event, attempt: 5, reason: 'Error: never', dueAt: null });
  await open().discard('users', () => true);
  await open().discard('chat', ({ id }) => id === his.id);
  expect(await deadLettersInStore(connection).list('chat')).toMatchObject([{ id: hers.id }]);
  await open().discard('chat', () => true);
  expect(await deadLettersInStore(connection).list('chat')).toEqual([]);
});

test('what was waiting for another attempt when the process was killed, the next one delivers', async () => {
  const dying = open();
  await listen(dying, () => {
    throw new Error('not here');
  });
  await dying.publish(revoked());
  await dying.close();

  const handled: (string | null)[] = [];
  await listen(open(), (tokenId) => void handled.push(tokenId));
  await eventually(() => handled.length > 0);
  expect(handled).toEqual(['one']);
});

test('what can be neither handled nor kept is refused, so that it stays in its outbox', async () => {
  const bus = open({ ...failed, keep: () => Promise.reject(new Error('the disk is full')) });
  await listen(bus, () => {
    throw new Error('not now');
  });
  await expect(bus.publish(revoked())).rejects.toThrow('was not handled everywhere');
});

test('while a part is away the service rests: no attempt is counted, nothing dies', async () => {
  const bus = open();
  let away = true;
  let attempts = 0;
  const handled = new Set<string | null>();
  await listen(bus, (tokenId) => {
    attempts++;
    if (away) throw Object.assign(new Error('ECONNREFUSED'), { name: 'MongoNetworkError' });
    handled.add(tokenId);
  });
  await failed.keep({ service: 'chat', event: revoked('old'), attempt: 4, reason: '', dueAt: new Date() });
  await eventually(() => attempts === 1);
  await Promise.all(['a', 'b', 'c'].map((tokenId) => bus.publish(revoked(tokenId))));
  // Those came while it rested and were not even tried.
  expect(attempts).toBe(1);
  await eventually(() => attempts > 1);
  away = false;
  await eventually(() => handled.size === 4, { withinMs: 20_000 });
  await eventually(() => bus.idle());
  expect(await deadLettersInStore(connection).list('chat')).toEqual([]);
});

test('while nothing waits the store is hardly asked, and what somebody else made due is found all the same', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  try {
    const kept = failedInMemory();
    let looks = 0;
    const due: FailedDeliveries['due'] = (services) => {
      looks += 1;
      return kept.due(services);
    };
    const handled: (string | null)[] = [];
    await listen(open({ ...kept, due }), (tokenId) => void handled.push(tokenId));
    await jest.advanceTimersByTimeAsync(60_000);
    expect(looks).toBeGreaterThan(5);
    expect(looks).toBeLessThanOrEqual(15);
    await kept.keep({ service: 'chat', event: revoked(), attempt: 0, reason: 'replayed', dueAt: new Date() });
    await jest.advanceTimersByTimeAsync(6_000);
    expect(handled).toEqual(['one']);
  } finally {
    jest.useRealTimers();
  }
});
