import type { Event } from '@wayquest/contracts';
import { type AnyEventHandlers, dispatch, type EventBus, newEvent } from '@wayquest/platform/bus';
import { createService, type Snapshot } from '@wayquest/platform/service';
import { createLogger } from '@wayquest/platform/telemetry';
import { createTestClock, dropDatabases, eventually, storeUrl, testServiceDeps } from '@wayquest/testing';

const logger = createLogger({ name: 'test', level: 'silent' });
const databasePrefix = `test_replays_${process.pid}_${Date.now()}`;
const total = 350;
const clock = createTestClock();

/** The snapshot of a service that owns `total` friendships. */
const snapshot: Snapshot = async function* (after) {
  for (let id = after + 1; id <= total; id++) {
    yield { id, events: [newEvent('friend.accepted.v1', { requestId: id, userIds: [id, id + 1] }, clock)] };
  }
};

interface Sent {
  event: Event;
  to: string | undefined;
}

/** Creates an instance of the service, whose bus fails after so many events. */
function instanceOf(sent: Sent[], failsAt = Infinity) {
  let handlers: AnyEventHandlers = {};
  const bus: EventBus = {
    async publish(event, { to } = {}) {
      if (sent.length >= failsAt) throw new Error('the bus failed');
      sent.push({ event, to });
    },
    async subscribe(_, subscribed) {
      handlers = subscribed;
      return { close: async () => {} };
    },
    eraseDeadLetters: async () => {},
    responds: () => true,
    ready: () => true,
    idle: async () => true,
    close: async () => {},
  };
  const deps = testServiceDeps({ logger, bus, databasePrefix, clock });
  const service = createService('friends', deps, () => ({
    routes: () => {},
    consumers: {
      'user.profile-changed.v1': async () => {},
      'points.awarded.v1': async () => {},
      'points.revoked.v1': async () => {},
    },
    snapshot,
  }));
  return { service, deliver: (event: Event) => dispatch(handlers, event) };
}

const idsOf = (sent: Sent[]) =>
  sent.flatMap(({ event }) => (event.name === 'friend.accepted.v1' ? event.data.requestId : []));
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const completionsOf = (sent: Sent[]) =>
  sent.filter(({ event }) => event.name === 'replica.snapshot-completed.v1');

/** Lets time pass until the condition holds: replays wait for clock skew, polls and leases. */
const passTimeUntil = (condition: () => boolean | Promise<boolean>) =>
  eventually(async () => {
    await clock.advance(1_000);
    return condition();
  });

afterEach(() => dropDatabases(storeUrl(), [`${databasePrefix}_friends`]));

it('publishes all entities to the requesting service, in the order of ids, and that the snapshot is complete', async () => {
  const sent: Sent[] = [];
  const { service, deliver } = instanceOf(sent);
  await service.start();
  const requestedAt = clock.now();
  const request = newEvent('replica.rebuild-requested.v1', { service: 'chat' });
  await deliver(request);
  expect(await service.isIdle()).toBe(false);
  await passTimeUntil(() => service.isIdle());
  expect(idsOf(sent)).toEqual(range(1, total));
  expect(new Set(sent.map(({ to }) => to))).toEqual(new Set(['chat']));

  const { event } = sent.at(-1) ?? {};
  expect(event).toMatchObject({ name: 'replica.snapshot-completed.v1', data: { owner: 'friends' } });
  const since = event && 'since' in event.data ? event.data.since : '';
  expect(Date.parse(since)).toBeGreaterThanOrEqual(requestedAt);
  for (const { event } of sent) {
    expect(event.replayed).toBe(since);
    // Early enough that an entity written with a slow clock is not older than the snapshot.
    expect(Date.parse(event.occurredAt)).toBeGreaterThanOrEqual(Date.parse(since) + 1_900);
  }
  await service.stop();
});

it('publishes nothing to itself, and nothing that a service does not subscribe to', async () => {
  const sent: Sent[] = [];
  const { service, deliver } = instanceOf(sent);
  await service.start();
  await deliver(newEvent('replica.rebuild-requested.v1', { service: 'friends' }));
  expect(await service.isIdle()).toBe(true);
  await deliver(newEvent('replica.rebuild-requested.v1', { service: 'places' }));
  await passTimeUntil(() => service.isIdle());
  expect(sent).toEqual([]);
  await service.stop();
});

it('is resumed by another instance after a crash', async () => {
  const sent: Sent[] = [];
  const first = instanceOf(sent, 250);
  await first.service.start();
  await first.deliver(newEvent('replica.rebuild-requested.v1', { service: 'chat' }));
  await passTimeUntil(() => sent.length === 250);
  await first.service.stop();
  expect(completionsOf(sent)).toEqual([]);
  // Progress is only stored after a complete page.
  const sentByFirst = sent.splice(0);
  const second = instanceOf(sent);
  await second.service.start();
  await passTimeUntil(() => second.service.isIdle());
  expect(idsOf(sent)).toEqual(range(201, total));
  expect(new Set([...idsOf(sentByFirst), ...idsOf(sent)]).size).toBe(total);
  expect(completionsOf(sent)).toHaveLength(1);
  expect(completionsOf(sent)[0]?.event.replayed).toBe(sentByFirst[0]?.event.replayed);
  await second.service.stop();
});

it('continues when the bus is available again', async () => {
  const sent: Sent[] = [];
  const { service, deliver } = instanceOf(sent, 250);
  await service.start();
  await deliver(newEvent('replica.rebuild-requested.v1', { service: 'chat' }));
  await passTimeUntil(() => sent.length === 250);
  sent.length = 0;
  await passTimeUntil(() => service.isIdle());
  expect(idsOf(sent)).toEqual(range(201, total));
  await service.stop();
});

it('is not restarted by a duplicate request, but by a new one', async () => {
  const sent: Sent[] = [];
  const first = instanceOf(sent, 250);
  await first.service.start();
  const request = newEvent('replica.rebuild-requested.v1', { service: 'chat' });
  await first.deliver(request);
  await passTimeUntil(() => sent.length === 250);
  await first.service.stop();
  sent.length = 0;
  const second = instanceOf(sent);
  await second.service.start();
  await second.deliver(request);
  await passTimeUntil(() => second.service.isIdle());
  expect(idsOf(sent)[0]).toBe(201);
  sent.length = 0;
  await second.deliver(newEvent('replica.rebuild-requested.v1', { service: 'chat' }));
  await passTimeUntil(() => second.service.isIdle());
  expect(idsOf(sent)).toEqual(range(1, total));
  await second.service.stop();
});
