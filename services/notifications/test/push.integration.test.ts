import { createECDH, randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { PushMessage } from '@wayquest/contracts';
import {
  eventually,
  type Network,
  newChallenge,
  newEvent,
  newUser,
  recordEvents,
  startNetwork,
  type TestUser,
  testPassword,
} from '@wayquest/testing';
import { decrypt } from 'http_ece';

/** A browser's side of a push subscription: its public keys, and a function that decrypts messages. */
function newBrowser() {
  const keyPair = createECDH('prime256v1');
  keyPair.generateKeys();
  const auth = randomBytes(16);
  return {
    keys: { p256dh: keyPair.getPublicKey('base64url'), auth: auth.toString('base64url') },
    read: (body: Buffer): PushMessage =>
      PushMessage.parse(
        JSON.parse(
          decrypt(body, {
            version: 'aes128gcm',
            privateKey: keyPair,
            authSecret: auth.toString('base64url'),
          }).toString('utf8'),
        ),
      ),
  };
}

interface Sent {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

let server: Server;
let origin: string;
let network: Network;
const sent: Sent[] = [];
/** Status codes of the push service by path; 201 by default. */
const statuses = new Map<string, number>();

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const path = request.url ?? '';
    const body = await buffer(request);
    sent.push({ path, headers: request.headers, body });
    const status = statuses.get(path) ?? 201;
    response.writeHead(status, status === 302 ? { location: `${origin}/elsewhere` } : {}).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  network = await startNetwork({
    services: ['auth', 'users', 'challenges', 'participation', 'friends', 'notifications', 'moderation'],
    settings: {
      PUSH_SERVICES: origin,
      PUSH_CONTACT: 'mailto:people@wayquest.example',
      SITE_NAME: 'The Hiking Club',
    },
    notifications: { pushDelayMs: 100 },
  });
});
afterAll(async () => {
  await network?.stop();
  server?.close();
});

const sentTo = (path: string) => sent.filter((each) => each.path === path);

let paths = 0;
async function subscribe({ client }: TestUser, language: 'en' | 'zh' = 'en') {
  const browser = newBrowser();
  const path = `/push/${++paths}`;
  const body = { endpoint: origin + path, keys: browser.keys, language };
  const { id } = await client.subscribeToPush({ body });
  return { ...browser, path, id };
}

const join = async (person: TestUser, maker: TestUser, name = 'Old Mill') => {
  const challenge = await newChallenge(maker, { name });
  await person.client.joinChallenge({ body: { challengeId: challenge.id } });
  return challenge;
};

it('sends one encrypted message to each browser, in its language', async () => {
  const [maker, ann] = [await newUser(network), await newUser(network)];
  const [laptop, phone] = [await subscribe(maker), await subscribe(maker, 'zh')];
  const { id } = await join(ann, maker);
  const message = await eventually(() => {
    const [[one], [other]] = [sentTo(laptop.path), sentTo(phone.path)];
    if (!one || !other) throw new Error('they have not arrived yet');
    return one;
  });
  expect(laptop.read(message.body)).toEqual({
    title: 'The Hiking Club',
    body: `${ann.username} joined your challenge “Old Mill”.`,
    url: `/challenges/${id}`,
    tag: `challenge-joined-${id}`,
  });
  expect(phone.read(sentTo(phone.path)[0]?.body as Buffer).body).toBe(
    `${ann.username} 加入了你的挑战“Old Mill”。`,
  );

  // Signed with the server's key (RFC 8292).
  const { key } = await maker.client.getPushKey();
  const [, token = '', publicKey] = /^vapid t=(.+), k=(.+)$/.exec(message.headers.authorization ?? '') ?? [];
  expect(publicKey).toBe(key);
  const [, claims = ''] = token.split('.');
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
    aud: origin,
    sub: 'mailto:people@wayquest.example',
  });

  // Another join extends the unread notification, without another message.
  const bob = await newUser(network);
  await bob.client.joinChallenge({ body: { challengeId: id } });
  await join(ann, maker, 'Later');
  await eventually(() => expect(sentTo(laptop.path)).toHaveLength(2));
  expect(laptop.read(sentTo(laptop.path)[1]?.body as Buffer).body).toContain('Later');
});

it('notifies a user that their archive is ready, with a link to it', async () => {
  const ann = await newUser(network);
  const [laptop, phone] = [await subscribe(ann), await subscribe(ann, 'zh')];
  const until = new Date(Date.now() + 3_600_000).toISOString();
  await network.bus.publish(newEvent('archive.ready.v1', { userId: ann.me.id, until }));
  const [one, other] = await eventually(() => {
    const [[english], [chinese]] = [sentTo(laptop.path), sentTo(phone.path)];
    if (!english || !chinese) throw new Error('they have not arrived yet');
    return [english, chinese] as const;
  });
  expect(laptop.read(one.body)).toEqual({
    ...{ title: 'The Hiking Club', body: 'Your data is ready. You can download it for a day.' },
    ...{ url: '/settings#data-title', tag: 'archive-ready' },
  });
  expect(phone.read(other.body).body).toBe('你的数据已准备好，一天之内可以下载。');
});

it('stops after a logout, after unsubscribing, or when the browser is gone', async () => {
  const [maker, ann] = [await newUser(network), await newUser(network)];
  const { token } = await network
    .client()
    .login({ body: { username: maker.username, password: testPassword } });
  const elsewhere = { ...maker, client: network.client(token) };
  const [unsubscribed, loggedOut, expired, current] = [
    await subscribe(maker),
    await subscribe(elsewhere),
    await subscribe(maker),
    await subscribe(maker),
  ];
  await maker.client.unsubscribeFromPush({ params: { id: unsubscribed.id } });
  await elsewhere.client.logout();
  statuses.set(expired.path, 410);
  await network.settle();
  await join(ann, maker);
  await eventually(() =>
    expect([sentTo(expired.path), sentTo(current.path)].map(({ length }) => length)).toEqual([1, 1]),
  );
  await join(ann, maker);
  await eventually(() => expect(sentTo(current.path)).toHaveLength(2));
  expect([unsubscribed, loggedOut, expired].map(({ path }) => sentTo(path).length)).toEqual([0, 0, 1]);
});

it('sends nothing to a browser that was subscribed with a token from before a password change, even one dated ahead', async () => {
  const [ann, bob] = [await newUser(network), await newUser(network)];
  const iat = Math.floor(Date.now() / 1_000) + 3_600;
  const ahead = network.signToken({ sub: String(ann.me.id), username: ann.username, iat, exp: iat + 3_600 });
  const [outdated, current] = [await subscribe({ ...ann, client: network.client(ahead) }), newBrowser()];
  const { token } = await ann.client.changePassword({
    body: { currentPassword: testPassword, newPassword: 'another long password' },
  });
  await network.settle();
  const path = `/push/${++paths}`;
  await network
    .client(token)
    .subscribeToPush({ body: { endpoint: origin + path, keys: current.keys, language: 'en' } });
  await bob.client.requestFriend({ body: { friendId: ann.me.id } });
  await eventually(() => sentTo(path).length === 1);
  expect(sentTo(outdated.path)).toEqual([]);
});

it('keeps a subscription made after a password change if the event of the change arrives again', async () => {
  const [ann, bob] = [await newUser(network), await newUser(network)];
  const events = recordEvents(network);
  const { token } = await ann.client.changePassword({
    body: { currentPassword: testPassword, newPassword: 'another long password' },
  });
  await network.settle();
  const current = await subscribe({ ...ann, client: network.client(token) });
  for (const event of [...events])
    if (event.name === 'token.revoked.v1') await network.bus.publish(newEvent(event.name, event.data));
  await network.settle();
  await bob.client.requestFriend({ body: { friendId: ann.me.id } });
  await eventually(() => expect(sentTo(current.path)).toHaveLength(1));
});

it('ends the subscriptions with older tokens than a revocation’s date, if it names no generation', async () => {
  const [ann, bob] = [await newUser(network), await newUser(network)];
  const now = Math.floor(Date.now() / 1_000);
  const subscribeAt = (iat: number) => {
    const token = network.signToken({
      ...{ sub: String(ann.me.id), username: ann.username, jti: `token-${iat}`, iat, exp: now + 3_600 },
    });
    return subscribe({ ...ann, client: network.client(token) });
  };
  const [older, newer] = [await subscribeAt(now - 7_200), await subscribeAt(now - 1_800)];
  const timestampOf = (seconds: number) => new Date(seconds * 1_000).toISOString();
  await network.bus.publish(
    newEvent('token.revoked.v1', {
      ...{ userId: ann.me.id, tokenId: null },
      ...{ issuedBefore: timestampOf(now - 3_600), expiresAt: timestampOf(now + 3_600) },
    }),
  );
  await network.settle();
  await bob.client.requestFriend({ body: { friendId: ann.me.id } });
  await eventually(() => expect(sentTo(newer.path)).toHaveLength(1));
  expect(sentTo(older.path)).toEqual([]);
});

it.each([
  [404, 'gone'],
  [410, 'gone'],
  [400, 'wrong key, as some push services report it'],
  [401, 'wrong key, as others report it'],
  [403, 'wrong key'],
])('deletes a subscription that is rejected permanently: %i, %s', async (status) => {
  const [maker, ann] = [await newUser(network), await newUser(network)];
  const [rejected, current] = [await subscribe(maker), await subscribe(maker)];
  statuses.set(rejected.path, status);
  await join(ann, maker);
  await eventually(() =>
    expect([sentTo(rejected.path), sentTo(current.path)].map((all) => all.length)).toEqual([1, 1]),
  );
  await join(ann, maker);
  await eventually(() => expect(sentTo(current.path)).toHaveLength(2));
  expect(sentTo(rejected.path)).toHaveLength(1);
});

it.each([413, 429, 500, 503])('keeps a subscription after a response of %i', async (status) => {
  const [maker, ann] = [await newUser(network), await newUser(network)];
  const busy = await subscribe(maker);
  statuses.set(busy.path, status);
  await join(ann, maker);
  await eventually(() => expect(sentTo(busy.path)).toHaveLength(1));
  statuses.delete(busy.path);
  await join(ann, maker);
  await eventually(() => expect(sentTo(busy.path).length).toBeGreaterThan(1));
});

it('only calls known push services, and follows no redirects', async () => {
  const [maker, ann] = [await newUser(network), await newUser(network)];
  const { keys } = newBrowser();
  for (const endpoint of [
    'http://127.0.0.1:1/x',
    `${origin}1/x`,
    `${origin.replace('127', 'someone@127')}/x`,
    'http://169.254.169.254/latest',
  ]) {
    await expect(maker.client.subscribeToPush({ body: { endpoint, keys } })).rejects.toMatchObject({
      status: 400,
      problem: { errors: [{ field: 'endpoint' }] },
    });
  }
  const redirecting = await subscribe(maker);
  statuses.set(redirecting.path, 302);
  await join(ann, maker);
  await eventually(() => expect(sentTo(redirecting.path)).toHaveLength(1));
  // A redirect would have been followed by the time of the next message.
  await join(ann, maker);
  await eventually(() => expect(sentTo(redirecting.path)).toHaveLength(2));
  expect(sentTo('/elsewhere')).toEqual([]);
});

it('keeps the ten newest subscriptions of a user', async () => {
  const [maker, ann] = [await newUser(network), await newUser(network)];
  const browsers: Awaited<ReturnType<typeof subscribe>>[] = [];
  for (let times = 0; times < 12; times++) browsers.push(await subscribe(maker));
  await join(ann, maker);
  await eventually(() =>
    expect(browsers.map(({ path }) => sentTo(path).length)).toEqual([0, 0, ...Array(10).fill(1)]),
  );
});
