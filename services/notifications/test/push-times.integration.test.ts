import { createECDH, randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { localDate } from '@wayquest/contracts';
import {
  createTestClock,
  eventually,
  type Network,
  newChallenge,
  newEvent,
  newUser,
  startNetwork,
  type TestClock,
  type TestUser,
} from '@wayquest/testing';

const minute = 60_000;
const hour = 60 * minute;
const queens = { lat: 40.7459, lng: -73.8467 };
const [newYork, berlin] = ['America/New_York', 'Europe/Berlin'];

/**
 * Seven or eight in the evening in New York, yesterday: the tokens of this test are verified by the system clock, which the test
 * clock must not be a day ahead of.
 */
const evening = new Date().setUTCHours(0, 0, 0, 0) - 24 * hour;
/** The day after it, there. */
const tomorrow = localDate(newYork, new Date(evening + 24 * hour));

interface Sent {
  path: string;
  headers: IncomingHttpHeaders;
}

let server: Server;
let origin: string;
let network: Network;
let clock: TestClock;
const sent: Sent[] = [];
/** What the push service answers; without it, 201. */
let refusal: { status: number; body: string } | undefined;

beforeAll(async () => {
  server = createServer((request, response) => {
    sent.push({ path: request.url ?? '', headers: request.headers });
    request.resume();
    response.writeHead(refusal?.status ?? 201).end(refusal?.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  clock = createTestClock(evening);
  network = await startNetwork({
    services: ['auth', 'users', 'challenges', 'participation', 'friends', 'notifications', 'moderation'],
    settings: { PUSH_SERVICES: origin, PUBLIC_URL: 'https://wayquest.example' },
    clock,
  });
});
beforeEach(() => {
  sent.length = 0;
  refusal = undefined;
});
afterAll(async () => {
  await network?.stop();
  server?.close();
});

let paths = 0;
async function subscribe({ client }: TestUser) {
  const keyPair = createECDH('prime256v1');
  keyPair.generateKeys();
  const keys = { p256dh: keyPair.getPublicKey('base64url'), auth: randomBytes(16).toString('base64url') };
  const path = `/push/${++paths}`;
  await client.subscribeToPush({ body: { endpoint: origin + path, keys } });
  return path;
}

/** Advances the clock in steps until a condition holds. */
const advanceUntil = (condition: () => boolean | Promise<boolean>, stepMs: number) =>
  eventually(
    async () => {
      await clock.advance(stepMs);
      return condition();
    },
    { withinMs: 110_000 },
  );

const localHour = (at: string) =>
  Number(
    new Intl.DateTimeFormat('en', {
      timeZone: newYork,
      hour: 'numeric',
      hourCycle: 'h23',
    }).format(new Date(at)),
  );

it('keeps the subscriptions of a push service that refuses all messages, and sends them later (Q17)', async () => {
  const people = [await newUser(network), await newUser(network), await newUser(network)];
  const browsers = await Promise.all(people.map(subscribe));
  const asker = await newUser(network);
  refusal = { status: 403, body: '{"reason":"BadJwtToken"}' };
  for (const { me } of people) await asker.client.requestFriend({ body: { friendId: me.id } });
  await network.settle();
  const pathsOf = () => new Set(sent.map(({ path }) => path));
  await advanceUntil(() => pathsOf().size === 3, 1_000);
  const log = () => network.logs('notifications').join('\n');
  await eventually(() => expect(log()).toContain('a push service refuses messages'));
  expect(log()).toContain('BadJwtToken');
  sent.length = 0;
  refusal = undefined;
  await advanceUntil(() => pathsOf().size === 3, minute);
  expect(pathsOf()).toEqual(new Set(browsers));
});

it('names the public address as the contact for push services, without one of its own (Q17)', async () => {
  const [ann, bob] = [await newUser(network), await newUser(network)];
  const path = await subscribe(ann);
  await bob.client.requestFriend({ body: { friendId: ann.me.id } });
  await network.settle();
  await advanceUntil(() => sent.some((each) => each.path === path), 1_000);
  const [, token = ''] = /^vapid t=(.+), k=/.exec(sent[0]?.headers.authorization ?? '') ?? [];
  const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  expect(claims).toMatchObject({ sub: 'https://wayquest.example' });
});

// The tests are in the order of the hours: each of them advances the clock, which takes long.
it('does not remind in the evening of the last day, when it is known too late (Q5)', async () => {
  const [maker, ann] = [await newUser(network), await newUser(network)];
  await advanceUntil(() => localHour(new Date(clock.now()).toISOString()) === 22, 30 * minute);
  const now = new Date(clock.now());
  const late = await newChallenge(maker, { position: queens, endDate: localDate(newYork, now) });
  // In Berlin the day has begun.
  const next = await newChallenge(maker, {
    position: { lat: 52.52, lng: 13.4 },
    endDate: localDate(berlin, now),
  });
  for (const { id } of [late, next]) await ann.client.joinChallenge({ body: { challengeId: id } });
  await network.settle();
  const reminded = async () =>
    (await ann.client.listNotifications())
      .filter(({ kind }) => kind === 'challenge-ending')
      .map(({ challenge }) => challenge?.id);
  await advanceUntil(async () => (await reminded()).length > 0, 30 * minute);
  expect(await reminded()).toEqual([next.id]);
});

it('reminds of the end of a challenge by day, with a push message that no browser gets after the end (Q5)', async () => {
  const [maker, ann] = [await newUser(network), await newUser(network)];
  const path = await subscribe(ann);
  const challenge = await newChallenge(maker, { position: queens, endDate: tomorrow });
  await ann.client.joinChallenge({ body: { challengeId: challenge.id } });
  await network.settle();
  const reminders = async () =>
    (await ann.client.listNotifications()).filter(({ kind }) => kind === 'challenge-ending');
  await advanceUntil(async () => (await reminders()).length > 0, 30 * minute);
  await advanceUntil(() => sent.some((each) => each.path === path), 10_000);
  const [{ at } = { at: '' }] = await reminders();
  expect(localHour(at)).toBeGreaterThanOrEqual(8);
  expect(localHour(at)).toBeLessThan(22);
  const ttl = Number(sent.find((each) => each.path === path)?.headers.ttl);
  expect(ttl).toBeGreaterThan(0);
  // Sent after the reminder was created.
  expect(localDate(newYork, new Date(Date.parse(at) + ttl * 1_000 - 1))).toBe(tomorrow);
});

it('limits a message about an archive to the time for which it can be downloaded (Q5)', async () => {
  const ann = await newUser(network);
  const path = await subscribe(ann);
  const until = new Date(clock.now() + hour).toISOString();
  await network.bus.publish(newEvent('archive.ready.v1', { userId: ann.me.id, until }));
  await advanceUntil(() => sent.some((each) => each.path === path), 1_000);
  expect(Number(sent[0]?.headers.ttl)).toBeLessThanOrEqual(hour / 1_000);
});
