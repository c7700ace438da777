import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Event } from '@wayquest/contracts';
import { newEvent } from '@wayquest/platform/bus';
import { type IsolatedService, signToken, startIsolatedService } from '@wayquest/testing';
import { challengeDetails } from './challenge-details.ts';
import { unlimited } from './unlimited.ts';

/** The challenges service, which is asked for a challenge that no event has told of yet. */
let challenges: Server;
let whenAsked = async (_id: number): Promise<unknown> => undefined;
let participation: IsolatedService;
beforeAll(async () => {
  challenges = createServer(async ({ url = '' }, response) => {
    const answer = await whenAsked(Number(url.split('/').at(-1)));
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? {}));
  }).listen(0, '127.0.0.1');
  await once(challenges, 'listening');
  const { port } = challenges.address() as AddressInfo;
  participation = await startIsolatedService({
    service: 'participation',
    create: unlimited(() => `http://127.0.0.1:${port}`),
  });
});
afterEach(() => {
  participation.setBusAway(false);
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
const toldOf = (challengeId: number) =>
  participation.told.flatMap((event: Event) =>
    'challengeId' in event.data && event.data.challengeId === challengeId ? [event.name] : [],
  );

describe('a challenge', () => {
  it('is shown as it was told of last, whichever event comes last', async () => {
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

  it('that was fetched from its service gives way to what its next event tells', async () => {
    whenAsked = async (id) => ({ ...challengeDetails(id, { name: 'fetched' }), participants: 0 });
    await clientOf(1).joinChallenge({ body: { challengeId: 102 } });
    expect(await linesOf(102)).toMatchObject([{ challenge: { name: 'fetched' } }]);
    const challenge = challengeDetails(102, { name: 'told' });
    await participation.deliver(newEvent('challenge.updated.v1', { challenge, version: 2 }));
    expect(await linesOf(102)).toMatchObject([{ challenge: { name: 'told' } }]);
  });

  it('that is deleted while somebody joins it is joined and left, and no line stays', async () => {
    whenAsked = async (id) => {
      await deleted(id);
      return { ...challengeDetails(id), participants: 0 };
    };
    await expect(clientOf(2).joinChallenge({ body: { challengeId: 103 } })).rejects.toMatchObject({
      status: 404,
      problem: { code: 'challenge-not-found' },
    });
    await participation.settle();
    expect(toldOf(103)).toEqual(['challenge.joined.v1', 'challenge.left.v1']);
    const lines = await participation.read('lines');
    expect(lines.filter(({ challengeId }) => challengeId === 103)).toEqual([]);
  });
});

describe('completing', () => {
  it('many times at once is told once, and everybody is answered the same', async () => {
    await created(201);
    const me = clientOf(3);
    const { id } = await me.joinChallenge({ body: { challengeId: 201 } });
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => me.updateLine({ params: { id }, body: { completed: true } })),
    );
    expect(new Set(answers.map(({ completedAt }) => completedAt)).size).toBe(1);
    await participation.settle();
    expect(toldOf(201)).toEqual(['challenge.joined.v1', 'challenge.completed.v1']);
  });
});

describe('while the bus is away', () => {
  it('a line that was left is gone at once', async () => {
    await created(301);
    const me = clientOf(4);
    const { id } = await me.joinChallenge({ body: { challengeId: 301 } });
    await participation.settle();
    participation.setBusAway(true);
    await me.leaveChallenge({ params: { id } });
    expect(await me.listLines()).toEqual([]);
    expect(await linesOf(301)).toEqual([]);
    await expect(me.leaveChallenge({ params: { id } })).rejects.toMatchObject({ status: 404 });
    await expect(me.updateLine({ params: { id }, body: { completed: true } })).rejects.toMatchObject({
      status: 404,
    });
    expect((await me.joinChallenge({ body: { challengeId: 301 } })).id).not.toBe(id);
  });

  it('the lines of a deleted challenge are gone at once, those still to be told of too', async () => {
    await created(302);
    const me = clientOf(5);
    participation.setBusAway(true);
    const { id } = await me.joinChallenge({ body: { challengeId: 302 } });
    await deleted(302);
    expect(await me.listLines()).toEqual([]);
    expect(await linesOf(302)).toEqual([]);
    await expect(me.updateLine({ params: { id }, body: { completed: true } })).rejects.toMatchObject({
      status: 404,
    });
    // It is kept for the event that waits with it, which the challenge's deletion must not lose.
    const [line] = (await participation.read('lines')).filter(({ challengeId }) => challengeId === 302);
    expect(line).toMatchObject({ outbox: [{ name: 'challenge.joined.v1' }], deletedAt: expect.any(Date) });
  });
});
