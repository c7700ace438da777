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
let participation: IsolatedService;
beforeAll(async () => {
  challenges = createServer(async ({ url = '' }, response) => {
    const body = await respondWith(Number(url.split('/').at(-1)));
    response.writeHead(body ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body ?? {}));
  }).listen(0, '127.0.0.1');
  await once(challenges, 'listening');
  const { port } = challenges.address() as AddressInfo;
  participation = await startIsolatedService({
    service: 'participation',
    create: unlimited(() => `http://127.0.0.1:${port}`),
  });
});
afterEach(() => {
  participation.setBusUnavailable(false);
});
afterAll(async () => {
  await participation?.stop();
  challenges?.close();
});

const clientOf = (id: number) => participation.client(signToken({ sub: String(id), username: `p-${id}` }));
const created = (id: number) =>
  participation.deliver(newEvent('challenge.created.v1', { challenge: challengeDetails(id), version: 1 }));
const deleted = (challengeId: number) =>
  participation.deliver(newEvent('challenge.deleted.v1', { challengeId }));
const linesOf = (challengeId: number) => participation.client().listLines({ query: { challengeId } });
const publishedFor = (challengeId: number) =>
  participation.published.flatMap((event: Event) =>
    'challengeId' in event.data && event.data.challengeId === challengeId ? [event.name] : [],
  );

describe('a challenge', () => {
  it('is shown in its highest version, in whatever order events arrive', async () => {
    const updated = (version: number, name: string) =>
      participation.deliver(
        newEvent('challenge.updated.v1', { challenge: challengeDetails(101, { name }), version }),
      );
    await updated(3, 'third');
    await updated(2, 'second');
    await created(101);
    await clientOf(1).joinChallenge({ body: { challengeId: 101 } });
    expect(await linesOf(101)).toMatchObject([{ challenge: { name: 'third' } }]);
    await updated(4, 'fourth');
    expect(await linesOf(101)).toMatchObject([{ challenge: { name: 'fourth' } }]);
  });

  it('that was fetched from its service is updated by its next event', async () => {
    respondWith = async (id) => ({ ...challengeDetails(id, { name: 'fetched' }), participants: 0 });
    await clientOf(1).joinChallenge({ body: { challengeId: 102 } });
    expect(await linesOf(102)).toMatchObject([{ challenge: { name: 'fetched' } }]);
    const challenge = challengeDetails(102, { name: 'updated' });
    await participation.deliver(newEvent('challenge.updated.v1', { challenge, version: 2 }));
    expect(await linesOf(102)).toMatchObject([{ challenge: { name: 'updated' } }]);
  });

  it('that is deleted while a user joins it is published as joined and left, and no line remains', async () => {
    respondWith = async (id) => {
      await deleted(id);
      return { ...challengeDetails(id), participants: 0 };
    };
    await expect(clientOf(2).joinChallenge({ body: { challengeId: 103 } })).rejects.toMatchObject({
      status: 404,
      problem: { code: 'challenge-not-found' },
    });
    await participation.settle();
    expect(publishedFor(103)).toEqual(['challenge.joined.v1', 'challenge.left.v1']);
    const lines = await participation.read('lines');
    expect(lines.filter(({ challengeId }) => challengeId === 103)).toEqual([]);
  });
});

describe('completing', () => {
  it('concurrently is published once, with the same response to every call', async () => {
    await created(201);
    const me = clientOf(3);
    const { id } = await me.joinChallenge({ body: { challengeId: 201 } });
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => me.updateLine({ params: { id }, body: { completed: true } })),
    );
    expect(new Set(responses.map(({ completedAt }) => completedAt)).size).toBe(1);
    await participation.settle();
    expect(publishedFor(201)).toEqual(['challenge.joined.v1', 'challenge.completed.v1']);
  });
});

describe('while the bus is unavailable', () => {
  it('a line disappears immediately when its user leaves', async () => {
    await created(301);
    const me = clientOf(4);
    const { id } = await me.joinChallenge({ body: { challengeId: 301 } });
    await participation.settle();
    participation.setBusUnavailable(true);
    await me.leaveChallenge({ params: { id } });
    expect(await me.listLines()).toEqual([]);
    expect(await linesOf(301)).toEqual([]);
    await expect(me.leaveChallenge({ params: { id } })).rejects.toMatchObject({ status: 404 });
    await expect(me.updateLine({ params: { id }, body: { completed: true } })).rejects.toMatchObject({
      status: 404,
    });
    expect((await me.joinChallenge({ body: { challengeId: 301 } })).id).not.toBe(id);
  });

  it('the lines of a deleted challenge disappear immediately, even with unpublished events', async () => {
    await created(302);
    const me = clientOf(5);
    participation.setBusUnavailable(true);
    const { id } = await me.joinChallenge({ body: { challengeId: 302 } });
    await deleted(302);
    expect(await me.listLines()).toEqual([]);
    expect(await linesOf(302)).toEqual([]);
    await expect(me.updateLine({ params: { id }, body: { completed: true } })).rejects.toMatchObject({
      status: 404,
    });
    // It stays in the store until its pending event is published.
    const [line] = (await participation.read('lines')).filter(({ challengeId }) => challengeId === 302);
    expect(line).toMatchObject({ outbox: [{ name: 'challenge.joined.v1' }], deletedAt: expect.any(Date) });
  });
});
