import { randomUUID } from 'node:crypto';
import { newEvent } from '@wayquest/platform/bus';
import { createLogger } from '@wayquest/platform/telemetry';
import {
  afterTest,
  closeTabs,
  dropDatabases,
  eventually,
  failQueries,
  holdQueries,
  openTab,
  signToken,
  startInProcessBus,
  storeUrl,
  testServiceDeps,
} from '@wayquest/testing';
import { createRealtimeService } from '../src/index.ts';

const [ann, bob] = [1, 2];
const tokenOf = (id: number) => signToken({ sub: String(id), username: `person-${id}` });

/** Starts a node on which Ann and Bob are friends, and whose store can be taken away from it. */
async function startNode() {
  const logger = createLogger({ name: 'test', level: 'silent' });
  const bus = startInProcessBus(logger, ['realtime']);
  const databasePrefix = `test_${randomUUID().slice(0, 8)}`;
  const service = createRealtimeService({
    ...testServiceDeps({ logger, bus, databasePrefix }),
    times: { leaseMs: 60, graceMs: 10 },
  });
  await service.start();
  afterTest(async () => {
    closeTabs();
    await service.stop();
    await bus.close();
    await dropDatabases(storeUrl(), [`${databasePrefix}_realtime`]);
  });
  await bus.publish(newEvent('friend.accepted.v1', { requestId: 7, userIds: [ann, bob] }));
  await eventually(() => bus.idle());
  return {
    open: (id: number) => openTab(service.url(), tokenOf(id)),
    /** Makes all queries of a replica fail, until the returned function is called. */
    takeAway: (replica: 'Friendship' | 'UserReplica') =>
      failQueries(({ model }) => model.modelName === replica),
  };
}

it('shows friends who are online once the store is back, to a tab that connected while it was away (code 3)', async () => {
  const node = await startNode();
  await node.open(bob);
  const bringBack = node.takeAway('Friendship');
  const tab = await node.open(ann);
  await eventually(() => tab.received.getUsers.length > 0);
  expect(tab.onlineFriends()).toEqual([]);
  bringBack();
  await eventually(() => tab.onlineFriends().includes(bob));
});

it('answers typing with the outage while the store is away, and delivers it afterwards (code 3)', async () => {
  const node = await startNode();
  const bobsTab = await node.open(bob);
  const bringBack = node.takeAway('Friendship');
  const tab = await node.open(ann);
  for (const [name, data] of [
    ['typing', { receiverId: bob }],
    ['sendMessage', { senderId: ann, receiverId: bob, text: 'Hi' }],
  ] as const)
    expect(await tab.emit(name, data)).toMatchObject({ ok: false, problem: { code: 'service-unavailable' } });
  bringBack();
  expect(await tab.emit('typing', { receiverId: bob })).toEqual({ ok: true });
  await eventually(() => bobsTab.received.typing.length === 1);
});

it.each(['UserReplica', 'Friendship'] as const)(
  'shows a person to their friends who connected while %s could not be read (code 3)',
  async (replica) => {
    const node = await startNode();
    const tab = await node.open(ann);
    await tab.emit('typing', { receiverId: bob });
    const bringBack = node.takeAway(replica);
    const bobsTab = await node.open(bob);
    await bobsTab.emit('addUser', bob);
    expect(tab.onlineFriends()).toEqual([]);
    bringBack();
    await eventually(() => tab.onlineFriends().includes(bob));
  },
);

it('shows that a person has left while friendships could not be read (code 3)', async () => {
  const node = await startNode();
  const [tab, bobsTab] = [await node.open(ann), await node.open(bob)];
  await eventually(() => tab.onlineFriends().includes(bob));
  const bringBack = node.takeAway('Friendship');
  bobsTab.socket.disconnect();
  // Passes after the grace period and a renewal.
  await tab.emit('addUser', ann);
  bringBack();
  await eventually(() => tab.onlineFriends().length === 0);
});

it('accepts fifty tabs of a person, also when all of them connect while a slow store is asked (code 12)', async () => {
  const node = await startNode();
  const held = holdQueries('Revocation');
  const tabs = Array.from({ length: 60 }, () => node.open(ann));
  const results = Promise.allSettled(tabs);
  await held.waitFor(tabs.length);
  held.release();
  const rejected = (await results).flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  expect(rejected).toHaveLength(10);
  for (const reason of rejected) expect(reason).toMatchObject({ data: { code: 'too-many-requests' } });
  // Tabs that were closed, or rejected, do not count.
  closeTabs();
  await eventually(async () => {
    const again = await node.open(ann);
    expect(await again.emit('addUser', ann)).toEqual({ ok: true });
  });
});
