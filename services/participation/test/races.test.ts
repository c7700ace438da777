import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Event } from '@wayquest/contracts';
import { newEvent } from '@wayquest/platform/bus';
import { type IsolatedService, signToken, startIsolatedService } from '@wayquest/testing';
import { challengeDetails } from './challenge-details.ts';
import { unlimited } from './unlimited.ts';

/** A fake challenges service, which is called for challenges whose events have not arrived. */
let challenges: Server;
let respondWith = async (_id: number): Promise<unknown> => undefined;
let service: IsolatedService;
beforeAll(async () => {
  challenges = createServer(async ({ url = '' }, response) => {
    const body = await respondWith(Number(url.split('/').at(-1)));
    response.writeHead(body ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body ?? {}));
  }).listen(0, '127.0.0.1');
  await once(challenges, 'listening');
  const { port } = challenges.address() as AddressInfo;
  service = await startIsolatedService({
    service: 'participation',
    create: unlimited(() => `http://127.0.0.1:${port}`),
  });
});
afterEach(() => {
  service.setBusUnavailable(false);
});
afterAll(async () => {
  await service?.stop();
  challenges?.close();
});

const clientOf = (id: number) => service.client(signToken({ sub: String(id), username: `p-${id}` }));
const created = (id: number) =>
  service.deliver(newEvent('challenge.created.v1', { challenge: challengeDetails(id), version: 1 }));
const deleted = (challengeId: number) => service.deliver(newEvent('challenge.deleted.v1', { challengeId }));
const participationsOf = (challengeId: number) =>
  service.client().listParticipations({ query: { challengeId } });
const publishedFor = (challengeId: number) =>
  service.published.flatMap((event: Event) =>
    'challengeId' in event.data && event.data.challengeId === challengeId ? [event.name] : [],
  );

describe('a challenge', () => {
  it('is shown in its highest version, in whatever order events arrive', async () => {
    const updated = (version: number, name: string) =>
      service.deliver(
        newEvent('challenge.updated.v1', { challenge: challengeDetails(101, { name }), version }),
      );
    await updated(3, 'third');
    await updated(2, 'second');
    await created(101);
    await clientOf(1).joinChallenge({ body: { challengeId: 101 } });
    expect(await participationsOf(101)).toMatchObject([{ challenge: { name: 'third' } }]);
    await updated(4, 'fourth');
    expect(await participationsOf(101)).toMatchObject([{ challenge: { name: 'fourth' } }]);
  });

  it('that was fetched from its service is updated by its next event', async () => {
    respondWith = async (id) => ({ ...challengeDetails(id, { name: 'fetched' }), participants: 0 });
    await clientOf(1).joinChallenge({ body: { challengeId: 102 } });
    expect(await participationsOf(102)).toMatchObject([{ challenge: { name: 'fetched' } }]);
    const challenge = challengeDetails(102, { name: 'updated' });
    await service.deliver(newEvent('challenge.updated.v1', { challenge, version: 2 }));
    expect(await participationsOf(102)).toMatchObject([{ challenge: { name: 'updated' } }]);
  });

  it('that is deleted while a user joins it is published as joined and left, and no participation remains', async () => {
    respondWith = async (id) => {
      await deleted(id);
      return { ...challengeDetails(id), participants: 0 };
    };
    await expect(clientOf(2).joinChallenge({ body: { challengeId: 103 } })).rejects.toMatchObject({
      status: 404,
      problem: { code: 'challenge-not-found' },
    });
    await service.settle();
    expect(publishedFor(103)).toEqual(['challenge.joined.v1', 'challenge.left.v1']);
    const participations = await service.read('participations');
    expect(participations.filter(({ challengeId }) => challengeId === 103)).toEqual([]);
  });
});

describe('completing', () => {
  it('concurrently is published once, with the same response to every call', async () => {
    await created(201);
    const me = clientOf(3);
    const { id } = await me.joinChallenge({ body: { challengeId: 201 } });
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => me.updateParticipation({ params: { id }, body: { completed: true } })),
    );
    expect(new Set(responses.map(({ completedAt }) => completedAt)).size).toBe(1);
    await service.settle();
    expect(publishedFor(201)).toEqual(['challenge.joined.v1', 'challenge.completed.v1']);
  });
});

describe('while the bus is unavailable', () => {
  it('a participation disappears immediately when its user leaves', async () => {
    await created(301);
    const me = clientOf(4);
    const { id } = await me.joinChallenge({ body: { challengeId: 301 } });
    await service.settle();
    service.setBusUnavailable(true);
    await me.leaveChallenge({ params: { id } });
    expect(await me.listParticipations()).toEqual([]);
    expect(await participationsOf(301)).toEqual([]);
    await expect(me.leaveChallenge({ params: { id } })).rejects.toMatchObject({ status: 404 });
    await expect(me.updateParticipation({ params: { id }, body: { completed: true } })).rejects.toMatchObject(
      {
        status: 404,
      },
    );
    expect((await me.joinChallenge({ body: { challengeId: 301 } })).id).not.toBe(id);
  });

  it('the participations of a deleted challenge disappear immediately, even with unpublished events', async () => {
    await created(302);
    const me = clientOf(5);
    service.setBusUnavailable(true);
    const { id } = await me.joinChallenge({ body: { challengeId: 302 } });
    await deleted(302);
    expect(await me.listParticipations()).toEqual([]);
    expect(await participationsOf(302)).toEqual([]);
    await expect(me.updateParticipation({ params: { id }, body: { completed: true } })).rejects.toMatchObject(
      {
        status: 404,
      },
    );
    // It stays in the store until its pending event is published.
    const [participation] = (await service.read('participations')).filter(
      ({ challengeId }) => challengeId === 302,
    );
    expect(participation).toMatchObject({
      outbox: [{ name: 'challenge.joined.v1' }],
      deletedAt: expect.any(Date),
    });
  });
});
