import { randomBytes, randomUUID } from 'node:crypto';
import type { ServiceName } from '@wayquest/contracts';
import { createLogger } from '@wayquest/platform/telemetry';
import {
  afterTest,
  befriend,
  complete,
  connectServiceStore,
  createTestClock,
  eventually,
  holdQueries,
  type Network,
  newChallenge,
  newUser,
  recordEvents,
  startNetwork,
  type TestUser,
  testPassword,
  withServiceStore,
} from '@wayquest/testing';
import { strFromU8, unzipSync } from 'fflate';
import sharp from 'sharp';

let network: Network;
beforeAll(async () => {
  network = await startNetwork({ settings: { ARCHIVES_PER_DAY: '2', SITE_NAME: 'Fox & Goat' } });
});
afterAll(() => network?.stop());

async function archiveOf({ client }: TestUser) {
  expect(await client.makeArchive()).toEqual({ state: 'preparing' });
  const ready = await eventually(
    async () => {
      const archive = await client.getArchive();
      expect(archive.state).toBe('ready');
      return archive;
    },
    { withinMs: 60_000 },
  );
  const file = await client.downloadArchive();
  expect(file.size).toBe(ready.size);
  const files = unzipSync(new Uint8Array(await file.arrayBuffer()));
  return {
    ready,
    names: Object.keys(files).sort(),
    file: (name: string) => files[name],
    json: (name: string): unknown[] => JSON.parse(strFromU8(files[name] ?? new Uint8Array())),
  };
}

/** Data that a browser and a device would send. */
async function keptOf({ me }: TestUser) {
  const insert = (service: ServiceName, collection: string, document: { _id: string }) =>
    withServiceStore(network, service, (store) =>
      store.collection<{ _id: string }>(collection).insertOne(document),
    );
  const passkey = { accountId: me.id, name: 'Ann’s phone', publicKey: 'public-key-of-ann', counter: 0 };
  await insert('auth', 'passkeys', {
    _id: 'passkey-of-ann',
    ...{ ...passkey, transports: [], madeAt: new Date() },
  });
  const keys = { p256dh: 'p256dh-of-ann', auth: 'auth-of-ann' };
  await insert('notifications', 'push_subscriptions', {
    _id: 'push-of-ann',
    ...{ userId: me.id, endpoint: 'https://push.example/ann', keys, language: 'en' },
  });
}

it('contains every service’s data of a user, and no data of others', async () => {
  const [ann, bob, cid] = await Promise.all([newUser(network), newUser(network), newUser(network)]);
  await ann.client.updateMe({ body: { firstName: 'Ann', streetAddress: '7 Needle Lane' } });
  const drawn = await sharp({ create: { width: 96, height: 96, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
  await ann.client.updatePicture({ body: new Blob([Uint8Array.from(drawn)], { type: 'image/png' }) });
  const { avatar } = await ann.client.getMe();
  const [own, bobs] = [await newChallenge(ann, { name: 'Mine' }), await newChallenge(bob, { name: 'His' })];
  await befriend(ann, bob);
  await ann.client.blockUser({ body: { userId: cid.me.id } });
  await cid.client.blockUser({ body: { userId: ann.me.id } });
  await network.settle();
  await complete(ann, bobs);
  const [participation] = await ann.client.listParticipations({ query: { completed: 'true' } });
  const params = { id: participation?.id ?? 0 };
  await ann.client.updateNote({ params, body: { note: 'A heron' } });
  const { photo } = await ann.client.updatePhoto({
    params,
    body: new Blob([Uint8Array.from(drawn)], { type: 'image/png' }),
  });
  await complete(bob, own);
  const { id: conversationId } = await ann.client.openConversation({ body: { friend: bob.me } });
  await ann.client.sendMessage({ body: { conversationId, text: 'Hello 你好' } });
  await bob.client.sendMessage({ body: { conversationId, text: 'And to you' } });
  await ann.client.showTrailMap({ params: { id: ann.me.id }, body: { visibility: 'friends' } });
  await ann.client.updateChatPreferences({ body: { showTyping: false } });
  await ann.client.updateNotificationPreferences({ body: { 'challenge-ending': false } });
  const admin = network.client(network.signToken({ sub: '900001', username: 'admin', admin: true }));
  await bob.client.report({
    body: { kind: 'challenge', id: own.id, reason: 'spam', comment: 'Sells boots' },
  });
  await ann.client.report({ body: { kind: 'challenge', id: bobs.id, reason: 'danger', comment: 'No path' } });
  await network.settle();
  const caseId = `challenge-${own.id}`;
  await admin.decide({ params: { id: caseId }, body: { action: 'hide', note: 'For admins alone' } });
  await ann.client.appeal({ body: { caseId, comment: 'I sell nothing' } });
  // A user who received her request and then blocked her appears only with their id.
  const dan = await newUser(network);
  await network.settle();
  await ann.client.requestFriend({ body: { friendId: dan.me.id } });
  await dan.client.blockUser({ body: { userId: ann.me.id } });
  await keptOf(ann);
  await network.settle();

  const { names, json, file } = await archiveOf(ann);
  expect(strFromU8(file('README.txt') ?? new Uint8Array())).toMatch(/^What Fox & Goat holds of you/);
  expect(names).toEqual([
    'README.txt',
    'auth/account.json',
    'auth/passkeys.json',
    'auth/sessions.json',
    'challenges/challenges.json',
    'chat/conversations.json',
    'chat/messages.json',
    'chat/preferences.json',
    'friends/blocks.json',
    'friends/friend-request-cooldowns.json',
    'friends/friend-requests.json',
    'moderation/appeals.json',
    'moderation/decisions.json',
    'moderation/reports.json',
    'notifications/notifications.json',
    'notifications/preferences.json',
    'notifications/push-subscriptions.json',
    'participation/participations.json',
    'participation/trail-map.json',
    'people.json',
    `photos/${photo}.webp`,
    `pictures/${avatar}`,
    'users/monthly-scores.json',
    'users/points.json',
    'users/profile.json',
  ]);
  expect(json('users/profile.json')).toMatchObject([
    { id: ann.me.id, firstName: 'Ann', streetAddress: '7 Needle Lane' },
  ]);
  expect(json('auth/account.json')).toMatchObject([
    { id: ann.me.id, username: ann.username, hasPassword: true },
  ]);
  expect(json('challenges/challenges.json')).toMatchObject([{ id: own.id, name: 'Mine' }]);
  expect(json('chat/messages.json')).toMatchObject([
    { sender: ann.me.id, text: 'Hello 你好' },
    { sender: bob.me.id, text: 'And to you' },
  ]);
  expect(Object.keys(Object(json('chat/conversations.json')[0]))).toEqual([
    'id',
    'senderId',
    'receiverId',
    'last',
  ]);
  expect(json('friends/blocks.json')).toMatchObject([{ userId: ann.me.id, blockedId: cid.me.id }]);
  expect(json('people.json')).toContainEqual({ id: bob.me.id, username: bob.username });
  expect(json('participation/participations.json')).toMatchObject([
    { challengeId: bobs.id, note: 'A heron', photo },
  ]);
  const photoFile = await ann.client.getPhoto({ params: { ...params, photo: photo ?? '' } });
  expect(Buffer.from(file(`photos/${photo}.webp`) ?? [])).toEqual(Buffer.from(await photoFile.arrayBuffer()));
  expect(json('auth/passkeys.json')).toMatchObject([{ name: 'Ann’s phone' }]);
  expect(json('notifications/push-subscriptions.json')).toMatchObject([
    { endpoint: 'https://push.example/ann' },
  ]);
  expect(json('moderation/reports.json')).toMatchObject([
    { caseId: `challenge-${bobs.id}`, comment: 'No path' },
  ]);
  expect(json('moderation/decisions.json').map((participation) => Object(participation).action)).toEqual([
    'hide',
    'appeal',
  ]);
  expect(json('moderation/appeals.json')).toMatchObject([{ caseId, comment: 'I sell nothing' }]);
  expect(json('users/monthly-scores.json')).toMatchObject([{ userId: ann.me.id, points: bobs.points }]);
  expect(json('friends/friend-request-cooldowns.json')).toContainEqual(
    expect.objectContaining({ friendId: dan.me.id, times: 1 }),
  );
  expect(json('people.json')).not.toContainEqual(expect.objectContaining({ id: dan.me.id }));
  const served = await fetch(`${network.url}/public/profile-pics/${avatar}`);
  expect(Buffer.from(file(`pictures/${avatar}`) ?? [])).toEqual(Buffer.from(await served.arrayBuffer()));
  const all = names.filter((name) => name.endsWith('.json')).map((name) => JSON.stringify(json(name)));
  const hidden = [dan.username, 'Sells boots', 'For admins alone', 'public-key-of-ann', 'auth-of-ann'];
  for (const secret of ['argon2', 'outbox', 'passwordHash', ...hidden])
    expect(all.join()).not.toContain(secret);

  await expect(bob.client.downloadArchive()).rejects.toMatchObject({ status: 404 });
  await expect(network.client().downloadArchive()).rejects.toMatchObject({ status: 401 });
});

it('notifies once when it is ready, and again for the next one', async () => {
  const history = recordEvents(network);
  const ann = await newUser(network);
  const { ready } = await archiveOf(ann);
  await network.settle();
  const made = history.filter(({ name }) => name === 'archive.ready.v1');
  expect(made).toMatchObject([{ data: { userId: ann.me.id, until: ready.until } }]);
  const notifications = () => ann.client.listNotifications();
  const [first] = await notifications();
  expect(await notifications()).toMatchObject([
    { id: 'archive-ready', kind: 'archive-ready', read: false, challenge: null },
  ]);
  await ann.client.markNotificationsRead({ body: { id: 'archive-ready' } });
  // The event arrives again.
  for (const event of made) await network.bus.publish(event);
  await network.settle();
  expect(await notifications()).toEqual([{ ...first, read: true }]);

  await archiveOf(ann);
  await network.settle();
  expect(await notifications()).toMatchObject([{ kind: 'archive-ready', read: false }]);
  expect(await ann.client.countUnreadNotifications()).toEqual({ unread: 1 });
});

it('is made although its owner logs out, changes the password and logs out everywhere meanwhile (Q13)', async () => {
  const ann = await newUser(network);
  const held = holdQueries('Award', 1);
  await ann.client.makeArchive();
  await held.waitFor(1);
  await ann.client.logout();
  const logIn = async (password: string) =>
    network.client((await network.client().login({ body: { username: ann.username, password } })).token);
  const first = await logIn(testPassword);
  await first.changePassword({
    body: { currentPassword: testPassword, newPassword: 'another long password' },
  });
  await (await logIn('another long password')).endSessions();
  held.release();
  const again = await logIn('another long password');
  await eventually(async () => expect(await again.getArchive()).toMatchObject({ state: 'ready' }));
  const file = await again.downloadArchive();
  expect(Object.keys(unzipSync(new Uint8Array(await file.arrayBuffer())))).toContain('auth/sessions.json');
});

describe('while others are made', () => {
  const clock = createTestClock(Date.now());
  let busy: Network;
  beforeAll(async () => {
    busy = await startNetwork({ clock });
  });
  afterAll(() => busy?.stop());

  it('waits for as long as that takes, and is made once (code 4)', async () => {
    const [ann, bob, cleo] = await Promise.all([newUser(busy), newUser(busy), newUser(busy)]);
    const history = recordEvents(busy);
    const held = holdQueries('Award', 2);
    const store = await connectServiceStore(busy, 'users');
    afterTest(() => store.close());
    const archives = store.collection<{ leaseUntil: Date }>('archives');
    await Promise.all([ann.client.makeArchive(), bob.client.makeArchive()]);
    await held.waitFor(2);
    await cleo.client.makeArchive();
    for (let seconds = 0; seconds < 200; seconds += 10) {
      await clock.advance(10_000);
      // A slow machine renews late, by the test's clock.
      await eventually(async () => {
        for (const { leaseUntil } of await archives.find().toArray())
          expect(leaseUntil.getTime()).toBeGreaterThan(clock.now() + 15_000);
      });
      for (const { client } of [ann, cleo]) expect(await client.getArchive()).toEqual({ state: 'preparing' });
    }
    expect(await cleo.client.makeArchive()).toEqual({ state: 'preparing' });
    held.release();
    for (const { client } of [ann, bob, cleo])
      await eventually(async () => expect(await client.getArchive()).toMatchObject({ state: 'ready' }));
    await busy.settle();
    expect(history.filter(({ name }) => name.startsWith('archive.')).map(({ name }) => name)).toEqual(
      Array(3).fill('archive.ready.v1'),
    );
  });

  it('has failed, and its owner is told, if the instance that made it has crashed (Q13)', async () => {
    const ann = await newUser(busy);
    await withServiceStore(busy, 'users', (store) =>
      store.collection<{ _id: number }>('archives').insertOne({
        ...{ _id: ann.me.id, run: 'of-a-crashed-instance', state: 'preparing', size: 0, outbox: [] },
        ...{ leaseUntil: new Date(clock.now() - 1), expiresAt: new Date(clock.now() + 86_400_000) },
      }),
    );
    await clock.advance(120_000);
    await eventually(async () =>
      expect(await ann.client.listNotifications()).toMatchObject([{ kind: 'archive-failed', read: false }]),
    );
    expect(await ann.client.getArchive()).toEqual({ state: 'failed' });
  });
});

describe('by its address', () => {
  const clock = createTestClock(Date.now());
  const lines: string[] = [];
  let site: Network;
  beforeAll(async () => {
    const logger = createLogger({
      ...{ name: 'test', level: 'trace' },
      destination: { write: (line) => void lines.push(line) },
    });
    site = await startNetwork({
      clock,
      logger,
      settings: { ARCHIVES_PER_DAY: '9', SITE_NAME: 'Fox & Goat' },
    });
  });
  afterAll(() => site?.stop());

  /** A person with an archive of several parts, its bytes, and its address. */
  const personWithArchive = async () => {
    const ann = await newUser(site);
    const document = { userId: ann.me.id, type: 'image/webp', data: randomBytes(700_000) };
    await withServiceStore(site, 'users', (store) =>
      store
        .collection<typeof document & { _id: string }>('pictures')
        .insertOne({ _id: `ann-${randomUUID()}.webp`, ...document }),
    );
    await archiveOf(ann);
    const bytes = Buffer.from(await (await ann.client.downloadArchive()).arrayBuffer());
    return { ann, bytes, ...(await ann.client.makeArchiveAddress()) };
  };
  const load = async (url: string, headers: Record<string, string> = {}, method = 'GET') => {
    const response = await fetch(site.url + url, { method, headers });
    return { response, status: response.status, body: Buffer.from(await response.arrayBuffer()) };
  };

  it('is downloaded without a token, and continued where it was interrupted (Q7)', async () => {
    const { url, bytes, until } = await personWithArchive();
    expect(Date.parse(until) - clock.now()).toBe(3_600_000);
    const { response, status, body } = await load(url);
    expect([status, body.equals(bytes)]).toEqual([200, true]);
    const headers = Object.fromEntries(response.headers);
    expect(headers).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename="fox-goat.zip"',
      'content-length': String(bytes.length),
      'accept-ranges': 'bytes',
      'cache-control': 'no-store',
      etag: expect.stringMatching(/^"[\w-]+"$/),
    });
    const etag = headers.etag ?? '';
    const last = bytes.length - 1;
    for (const [range, start, end] of [
      ['bytes=0-', 0, last],
      ['bytes=0-0', 0, 0],
      ['bytes=262143-262144', 262_143, 262_144],
      ['bytes=262144-524287', 262_144, 524_287],
      ['bytes=300000-', 300_000, last],
      ['bytes=-5', last - 4, last],
      [`bytes=${last}-99999999`, last, last],
    ] as const) {
      const part = await load(url, { range, 'if-range': etag });
      expect([range, part.status, part.response.headers.get('content-range')]).toEqual([
        range,
        206,
        `bytes ${start}-${end}/${bytes.length}`,
      ]);
      expect([range, part.body.equals(bytes.subarray(start, end + 1))]).toEqual([range, true]);
    }
    const head = await load(url, { range: 'bytes=5-' }, 'HEAD');
    expect([head.status, head.response.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
  });

  it('is sent as a whole if a browser has a part of another one, or does not ask for one part (Q7)', async () => {
    const { url, bytes } = await personWithArchive();
    const others: Record<string, string>[] = [
      { range: 'bytes=5-', 'if-range': '"another"' },
      { range: 'bytes=5-', 'if-range': 'Wed, 21 Oct 2099 07:28:00 GMT' },
      { range: 'bytes=x' },
      { range: 'lines=5-9' },
      { range: 'bytes=0-1,5-6' },
    ];
    for (const headers of others) {
      const { status, body } = await load(url, headers);
      expect([headers, status, body.equals(bytes)]).toEqual([headers, 200, true]);
    }
    for (const range of [`bytes=${bytes.length}-`, 'bytes=9-5']) {
      const { response, status, body } = await load(url, { range });
      expect([status, response.headers.get('content-range')]).toEqual([416, `bytes */${bytes.length}`]);
      expect(JSON.parse(String(body))).toMatchObject({ code: 'range-not-satisfiable' });
      // A browser would save the error as the file.
      expect(response.headers.get('content-disposition')).toBeNull();
    }
  });

  it('is downloaded by the owner’s token in parts, too (Q7)', async () => {
    const { ann, bytes } = await personWithArchive();
    const part = await load('/api/archive/file', { authorization: ann.token, range: 'bytes=-9' });
    expect([part.status, part.body.equals(bytes.subarray(-9))]).toEqual([206, true]);
  });

  it('opens nothing after an hour, for another account, with another key or for another archive (Q7)', async () => {
    const { ann, url } = await personWithArchive();
    const other = await personWithArchive();
    const statusOf = async (address: string) => (await load(address)).status;
    const [path, key] = url.split('?');
    const [otherPath, otherKey] = other.url.split('?');
    for (const address of [`${path}?${otherKey}`, `${otherPath}?${key}`, `${path}?key=${'A'.repeat(43)}`])
      expect([address, await statusOf(address)]).toEqual([address, 404]);
    for (const address of [`${path}`, `${path}?key=`, `${path}?key=${'A'.repeat(44)}`])
      expect([address, await statusOf(address)]).toEqual([address, 400]);

    const next = await ann.client.makeArchiveAddress();
    expect([await statusOf(url), await statusOf(next.url)]).toEqual([404, 200]);
    await clock.advance(3_599_000);
    expect(await statusOf(next.url)).toBe(200);
    await clock.advance(1_000);
    expect(await statusOf(next.url)).toBe(404);

    const last = await ann.client.makeArchiveAddress();
    expect(await statusOf(last.url)).toBe(200);
    await archiveOf(ann);
    expect(await statusOf(last.url)).toBe(404);
    const nobody = await newUser(site);
    await expect(nobody.client.makeArchiveAddress()).rejects.toMatchObject({ status: 404 });
    await expect(site.client().makeArchiveAddress()).rejects.toMatchObject({ status: 401 });
  });

  it('ends a download whose archive is deleted meanwhile, so that it does not look complete (Q7)', async () => {
    const { ann, url, bytes } = await personWithArchive();
    await withServiceStore(site, 'users', async (store) => {
      const archives = store.collection<{ _id: number; run: string }>('archives');
      const archive = await archives.findOne({ _id: ann.me.id });
      await store.collection<{ _id: string }>('archive_parts').deleteOne({ _id: `${archive?.run}:1` });
    });
    await expect(load(url)).rejects.toThrow();
    const { body } = await load(url, { range: 'bytes=0-99' });
    expect(body.equals(bytes.subarray(0, 100))).toBe(true);
  });

  it('appears in no log and in no store (Q7)', async () => {
    const { url } = await personWithArchive();
    const key = new URL(url, site.url).searchParams.get('key') ?? '';
    await load(url);
    await load(url, { range: 'bytes=99999999-' });
    await load(url.replace(/\d+/, '987654321'));
    await site.settle();
    expect(lines.join('')).toContain('/api/archive/987654321/file');
    expect(lines.join('')).not.toContain(key);
    const stored = await withServiceStore(site, 'users', (store) =>
      store.collection('archives').find().toArray(),
    );
    expect(stored.length).toBeGreaterThan(0);
    expect(JSON.stringify(stored)).not.toContain(key);
  });
});

it('is limited to one at a time, and per day', async () => {
  const ann = await newUser(network);
  expect(await ann.client.getArchive()).toEqual({ state: 'none' });
  const responses = await Promise.all([ann.client.makeArchive(), ann.client.makeArchive()]);
  expect(responses).toEqual([{ state: 'preparing' }, { state: 'preparing' }]);
  await eventually(async () => expect(await ann.client.getArchive()).toMatchObject({ state: 'ready' }));
  const again = async () => ann.client.makeArchive();
  await eventually(() => expect(again()).rejects.toMatchObject({ status: 429 }));
  expect(await ann.client.getArchive()).toMatchObject({ state: expect.stringMatching(/ready|preparing/) });
});

it('contains thousands of messages', async () => {
  const [ann, bob] = await Promise.all([newUser(network), newUser(network)]);
  await befriend(ann, bob);
  await network.settle();
  const { id: conversationId } = await ann.client.openConversation({ body: { friend: bob.me } });
  const messages = Array.from({ length: 2_000 }, (_, index) => ({
    _id: conversationId * 10_000_000 + index + 1,
    conversationId,
    sender: index % 2 ? ann.me.id : bob.me.id,
    text: `${index} ${randomUUID()}`,
    createdAt: new Date(),
    outbox: [],
  }));
  await withServiceStore(network, 'chat', (store) =>
    store.collection<(typeof messages)[number]>('messages').insertMany(messages),
  );
  const { json } = await archiveOf(ann);
  const written = json('chat/messages.json');
  expect(written).toHaveLength(2_000);
  expect(written[1_999]).toMatchObject({ text: messages[1_999]?.text });
});

it('fails if a service is unavailable, which its owner is told, and which does not count (Q13)', async () => {
  const ann = await newUser(network);
  await network.services.friends.stop();
  for (let request = 0; request < 4; request += 1) {
    expect(await ann.client.makeArchive()).toEqual({ state: 'preparing' });
    await eventually(async () => expect(await ann.client.getArchive()).toEqual({ state: 'failed' }));
    await eventually(async () =>
      expect(await ann.client.listNotifications()).toMatchObject([
        { id: 'archive-failed', kind: 'archive-failed', read: false },
      ]),
    );
  }
  await expect(ann.client.downloadArchive()).rejects.toMatchObject({ status: 404 });
});
