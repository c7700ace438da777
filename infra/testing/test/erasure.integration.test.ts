import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient, type Event, type LogEntry, type ServiceName, serviceNames } from '@wayquest/contracts';
import { createLogger } from '@wayquest/platform/telemetry';
import {
  befriend,
  complete,
  connectTestRedis,
  eventually,
  type FakeGoogle,
  findBackingAddress,
  type Network,
  newChallenge,
  newOnlineUser,
  newPasskey,
  newPicture,
  newUser,
  recordEvents,
  startDedicated,
  startFakeGoogle,
  startNetwork,
  testPassword,
} from '@wayquest/testing';
import { strFromU8, unzipSync } from 'fflate';
import { type Binary, MongoClient } from 'mongodb';

/** Personal data that occurs nowhere else. */
const personalData = {
  firstUsername: 'quokka-before-7f3a',
  username: 'Quokka.now-7f3a',
  firstName: 'Zyxfirst7f3a',
  lastName: 'Zyxlast7f3a',
  streetAddress: '7 Xylophone Needle Lane',
  city: 'Needlebury7f3a',
  zip: 'ZQ7 9NX',
  firstEmail: 'before-7f3a@needle.example',
  email: 'now-7f3a@needle.example',
  browser: 'browser-7f3a',
  passkey: 'passkey-7f3a',
  appeal: 'appeal words of 7f3a',
  note: 'note of 7f3a',
};

/** Their Google account. */
const googlePerson = { sub: 'google-sub-7f3a', name: 'Zyxgoogle7f3a', email: 'google-7f3a@needle.example' };

/** Their position when they completed a challenge. */
const position = { lat: 40.7123456789, lng: -73.9876543211 };

const doubleOf = (value: number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
};

// Without these servers, the suite runs on the in-process bus and counts in memory.
const [bus, sharedRedis] = await Promise.all([findBackingAddress('rabbitmq'), findBackingAddress('redis')]);
/** Its own, since limits are counted: accounts of other suites have the same ids. */
let redis: string | undefined;

let google: FakeGoogle;
let network: Network;
let stopped: Promise<void> | undefined;
let store: MongoClient;
let published: Event[];
const logged: string[] = [];
const needles = new Map<string, Buffer>();
const counts = { needles: 0, places: 0, documents: 0 };

beforeAll(async () => {
  const destination = { write: (line: string) => void logged.push(line) };
  google = await startFakeGoogle();
  redis = sharedRedis && (await startDedicated('redis')).address;
  network = await startNetwork({
    logger: createLogger({ name: 'test', level: 'trace', destination }),
    auth: { deletionsEveryMs: 20, google: google.config },
    settings: { DELETION_GRACE_DAYS: '0' },
    limits: true,
    ...(bus && { bus }),
    ...(redis && { redis }),
  });
  published = recordEvents(network);
  store = await MongoClient.connect(network.mongoUrl);
});
afterAll(async () => {
  await store?.close();
  await (stopped ?? network?.stop());
  await google?.stop();
  process.stdout.write(`erasure: ${JSON.stringify(counts)}\n`);
});

const documentsOf = async (service: ServiceName): Promise<[string, Buffer][]> => {
  const collections = await store.db(`${network.databasePrefix}_${service}`).collections();
  return Promise.all(
    collections.map(async (collection): Promise<[string, Buffer]> => {
      const documents = await collection.find({}, { raw: true }).toArray();
      counts.documents += documents.length;
      const bytes = documents.map((raw) => Buffer.from(raw as unknown as Uint8Array));
      return [`${service}/${collection.collectionName}`, Buffer.concat(bytes)];
    }),
  );
};

const files = async (): Promise<Buffer> => {
  const found = await readdir(network.dataDirectory, { recursive: true, withFileTypes: true }).catch(
    () => [],
  );
  const contents = found
    .filter((each) => each.isFile())
    .map((each) => readFile(join(each.parentPath, each.name)));
  return Buffer.concat(await Promise.all(contents));
};

/** Unpacks the archives. */
const unpackedArchives = async (): Promise<Buffer> => {
  const parts = store
    .db(`${network.databasePrefix}_users`)
    .collection<{ _id: string; data: Binary }>('archive_parts');
  const found = await parts.find().sort({ _id: 1 }).toArray();
  const runs = new Set(found.map(({ _id }) => _id.split(':')[0]));
  const files = [...runs].flatMap((run) => {
    const pieces = found.filter(({ _id }) => _id.startsWith(`${run}:`));
    return Object.values(unzipSync(Buffer.concat(pieces.map(({ data }) => data.value()))));
  });
  return Buffer.from(files.map((file) => strFromU8(file)).join('\n'));
};

/** Reads the events that services could not handle, without erasing them. */
const deadLetters = async (): Promise<Buffer> => {
  const found: string[] = [];
  const collect = async (event: Event) => {
    found.push(JSON.stringify(event));
    return false;
  };
  for (const service of serviceNames) await network.bus.eraseDeadLetters(service, collect);
  return Buffer.from(found.join('\n'));
};

/** Reads all keys and values of Redis. */
const inRedis = async (): Promise<Buffer> => {
  if (!redis) return Buffer.alloc(0);
  const client = await connectTestRedis(redis, network.logger);
  try {
    const keys = await client.keys('*');
    const values = await Promise.all(keys.map((key) => client.dumpBuffer(key)));
    return Buffer.concat([Buffer.from(keys.join('\n')), ...values.filter((value) => value !== null)]);
  } finally {
    client.disconnect();
  }
};

/** For a search that ignores case. */
const lowerCased = (bytes: Buffer): string => bytes.toString('latin1').toLowerCase();

/** Lists the personal data that occur in places, as `users/profiles: lastName`. */
function findingsIn(places: [string, Buffer][]): string[] {
  return places.flatMap(([place, bytes]) => {
    const all = lowerCased(bytes);
    return [...needles]
      .filter(([, needle]) => all.includes(lowerCased(needle)))
      .map(([name]) => `${place}: ${name}`);
  });
}

/** Lists where personal data occurs. */
async function findings(): Promise<string[]> {
  const places: [string, Buffer][] = [
    ...(await Promise.all(serviceNames.map(documentsOf))).flat(),
    ['archives', await unpackedArchives()],
    ['files', await files()],
    ['dead letters', await deadLetters()],
    ['Redis', await inRedis()],
    ['log', Buffer.from(logged.join(''))],
  ];
  counts.needles = needles.size;
  counts.places = places.length;
  return findingsIn(places);
}

/** Links a Google account, as a browser with cookies does. */
async function linkGoogle(token: string): Promise<void> {
  const cookies = new Map<string, string>();
  const send: typeof fetch = async (address, init) => {
    const headers = new Headers(init?.headers);
    headers.set('cookie', [...cookies.values()].join('; '));
    const response = await fetch(address, { ...init, headers });
    for (const cookie of response.headers.getSetCookie())
      cookies.set(cookie.split('=')[0] ?? '', cookie.split(';')[0] ?? '');
    return response;
  };
  const client = createClient({ baseUrl: network.url, token: () => token, fetch: send });
  const go = async (address: string) =>
    (await send(address, { redirect: 'manual' })).headers.get('location') ?? '';
  const { location } = await client.startGoogleLink({ body: { currentPassword: testPassword } });
  google.person = googlePerson;
  const [, code = ''] = (await go(await go(location))).split('#link=');
  await client.finishGoogleLink({ body: { code } });
}

it('deleting an account removes all personal data from stores, archives, files, the bus, Redis and logs, also if older events arrive later (51.4)', async () => {
  const person = await newOnlineUser(network, personalData.firstUsername);
  const friend = await newOnlineUser(network);
  const [blocked, requested, requester, stranger] = await Promise.all(
    Array.from({ length: 4 }, () => newUser(network)),
  );
  if (!blocked || !requested || !requester || !stranger) throw new Error('a user is missing');
  const { client, me } = person;

  // Their account and profile, with earlier values.
  const confirm = async (email: string) => {
    await client.updateMe({ body: { email } });
    const [mail] = await eventually(async () => {
      const mails = await network.mailsTo(email);
      expect(mails).toHaveLength(1);
      return mails;
    });
    await client.confirmEmail({ body: { token: mail?.token ?? '' } });
  };
  await confirm(personalData.firstEmail);
  await confirm(personalData.email);
  const {
    firstEmail: _,
    firstUsername: __,
    browser,
    passkey,
    appeal,
    note,
    email: ___,
    ...profile
  } = personalData;
  await client.updateMe({ body: { ...profile, state: 'NY' } });
  await client.updatePicture({ body: newPicture(0x77) });
  const first = await fetch(`${network.url}/public/profile-pics/${(await client.getMe()).avatar}`);
  await client.updatePicture({ body: newPicture(0x88) });
  const { avatar } = await client.getMe();
  await linkGoogle(person.token);
  const served = await fetch(`${network.url}/public/profile-pics/${avatar}`);
  expect(served.status).toBe(200);
  await newPasskey(person, passkey);
  await client.forgotPassword({ body: { email: personalData.email } });

  // Their activity.
  const [theirs, own, deleted] = [
    await newChallenge(friend, { points: 40 }),
    await newChallenge(person),
    await newChallenge(person),
  ];
  await network.settle();
  const joined = await client.joinChallenge({ body: { challengeId: theirs.id } });
  await client.updateParticipation({
    params: { id: joined.id },
    body: { completed: true, position: { ...position, accuracy: 5, secondsAgo: 0 } },
  });
  const params = { id: joined.id };
  await client.updateNote({ params, body: { note } });
  const photoOf = async ({ photo }: LogEntry) =>
    Buffer.from(await (await client.getPhoto({ params: { ...params, photo: photo ?? '' } })).arrayBuffer());
  const firstPhoto = await photoOf(await client.updatePhoto({ params, body: newPicture(0x55) }));
  const photo = await photoOf(await client.updatePhoto({ params, body: newPicture(0x66) }));
  // Enough completions that their points need a review.
  for (const challenge of await Promise.all([1, 2, 3, 4].map(() => newChallenge(friend, { points: 100 })))) {
    await network.settle();
    await complete(person, challenge);
  }
  await client.awardPoints({ body: { challengeId: theirs.id } });
  await complete(friend, own);
  await friend.client.joinChallenge({ body: { challengeId: deleted.id } });
  const admin = network.client(
    network.signToken({ sub: String(stranger.me.id), username: stranger.username, admin: true }),
  );
  await admin.deleteChallenge({ params: { id: deleted.id } });
  await befriend(person, friend);
  await client.requestFriend({ body: { friendId: requested.me.id } });
  await requester.client.requestFriend({ body: { friendId: me.id } });
  await client.blockUser({ body: { userId: blocked.me.id } });
  await stranger.client.blockUser({ body: { userId: me.id } });
  await network.settle();
  const conversation = await client.openConversation({ body: { friend: friend.me } });
  await client.sendMessage({ body: { conversationId: conversation.id, text: 'See you at the river' } });
  const reply = await friend.client.sendMessage({
    body: { conversationId: conversation.id, text: 'At noon' },
  });
  await client.markConversationRead({ params: { id: conversation.id }, body: { messageId: reply.id } });
  await friend.client.report({
    body: { kind: 'user', id: me.id, reason: 'other', comment: personalData.lastName },
  });
  await client.report({
    body: { kind: 'challenge', id: theirs.id, reason: 'other', comment: personalData.city },
  });
  await friend.client.report({ body: { kind: 'completion', id: joined.id, reason: 'other', comment: '' } });
  const [message] = await friend.client.listMessages({ params: { conversationId: conversation.id } });
  await friend.client.report({
    body: {
      ...{ kind: 'message', id: message?.id ?? 0, conversationId: conversation.id },
      ...{ reason: 'other', comment: personalData.firstName },
    },
  });
  await client.updateChatPreferences({ body: { showTyping: false } });
  await client.updateNotificationPreferences({ body: { 'challenge-joined': false } });
  await client.showTrailMap({ params: { id: me.id }, body: { visibility: 'friends' } });
  await network.settle();

  // A suspension, an appeal, and its end.
  const suspending = { params: { id: `user-${me.id}` } };
  await admin.decide({ ...suspending, body: { action: 'suspend', days: 1 } });
  await eventually(() => expect(client.getMe()).rejects.toMatchObject({ problem: { code: 'suspended' } }));
  const login = { username: personalData.username, password: testPassword };
  await network.client().appealSuspension({ body: { ...login, comment: appeal } });
  await network.settle();
  expect((await admin.getCase(suspending)).appeal).toMatchObject({ comment: appeal });
  await admin.decide({ ...suspending, body: { action: 'restore' } });
  const { token } = await eventually(() => network.client().login({ body: login }));
  const back = network.client(token);
  // Earlier push subscriptions ended with their sessions.
  await back.subscribeToPush({
    body: {
      endpoint: `https://fcm.googleapis.com/fcm/send/${browser}`,
      keys: { p256dh: 'B'.repeat(87), auth: 'a'.repeat(22) },
    },
  });
  expect((await admin.listFlaggedAwards()).map(({ userId }) => userId)).toContain(me.id);

  for (const [name, text] of Object.entries(personalData)) needles.set(name, Buffer.from(text));
  needles.set('picture', Buffer.from(await served.arrayBuffer()));
  needles.set('first picture', Buffer.from(await first.arrayBuffer()));
  needles.set('photo', photo);
  needles.set('first photo', firstPhoto);
  for (const [name, text] of Object.entries(googlePerson)) needles.set(`google ${name}`, Buffer.from(text));
  for (const [name, value] of Object.entries(position)) {
    needles.set(`${name} stored`, doubleOf(value));
    needles.set(`${name} text`, Buffer.from(String(value)));
  }
  // Their own archive, and one of a friend that names them.
  for (const each of [back, friend.client]) {
    await each.makeArchive();
    await eventually(async () => expect(await each.getArchive()).toMatchObject({ state: 'ready' }), {
      withinMs: 60_000,
    });
  }
  // Events about them that could not be handled.
  const profileEvent = published.findLast(
    ({ name, data }) => name === 'user.profile-changed.v1' && 'user' in data && data.user.id === me.id,
  );
  if (!profileEvent) throw new Error('their profile was not published');
  for (const service of ['friends', 'moderation'] as const)
    await network.bus.storeFailed(service, profileEvent, 'dead');
  const before = await findings();
  const holders = ['auth', 'users', 'challenges', 'participation', 'friends', 'chat', 'notifications'];
  const expectedFindings = [
    ...[...holders, 'moderation', 'archives'].map((place) => `${place}: username`),
    ...['participation: note', 'participation: photo', 'moderation: note', 'archives: note'],
    ...['users: picture', 'users: streetAddress', 'users: city', 'archives: city', 'files: firstEmail'],
    ...['moderation: city', 'moderation: firstName', 'moderation: lastName', 'moderation: appeal'],
    ...['auth: email', 'auth: passkey', 'auth: google sub', 'notifications: browser'],
    'dead letters: username',
  ];
  const found = before.map((finding) => finding.replace(/\/[^:]*/, ''));
  expect(expectedFindings.filter((each) => !found.includes(each))).toEqual([]);
  // A replaced picture is deleted, and positions are not stored.
  for (const name of ['first picture', 'first photo', 'lat stored', 'lat text', 'lng stored', 'lng text'])
    expect(before.filter((finding) => finding.endsWith(`: ${name}`))).toEqual([]);
  const board = await friend.client.getLeaderboard();
  expect((await friend.client.getChallenge({ params: { id: theirs.id } })).participants).toBe(1);

  const parts = store.db(`${network.databasePrefix}_users`).collection('archive_parts');
  expect(await parts.countDocuments()).toBe(2);

  for (const service of ['chat', 'participation'] as const)
    await network.bus.storeFailed(service, profileEvent, 'delayed');
  await back.deleteAccount({ body: { currentPassword: testPassword } });
  await eventually(() =>
    expect(published).toContainEqual(expect.objectContaining({ name: 'user.deleted.v1' })),
  );
  await network.settle();
  expect(await findings()).toEqual([]);

  expect(await parts.countDocuments()).toBe(0);
  // The friend's archive is deleted, too, and can be created again.
  expect(await friend.client.getArchive()).toEqual({ state: 'none' });

  // All earlier events arrive again, in reverse order.
  const history = published.filter(({ name }) => name !== 'user.deleted.v1' && name !== 'token.revoked.v1');
  await Promise.all(history.toReversed().map((event) => network.bus.publish(event)));
  await network.settle();
  await eventually(async () => expect(await findings()).toEqual([]), { withinMs: 20_000, everyMs: 500 });

  // Conversations and challenges of others remain, without the name.
  const nobody = { id: me.id, username: 'Deleted user' };
  expect(await friend.client.listConversations({ params: { userId: friend.me.id } })).toMatchObject([
    { id: conversation.id, open: false, user: { ...nobody, firstName: '', city: '', points: 0 } },
  ]);
  expect(await friend.client.listMessages({ params: { conversationId: conversation.id } })).toMatchObject([
    { sender: me.id, text: 'See you at the river' },
    { sender: friend.me.id, text: 'At noon' },
  ]);
  await expect(
    friend.client.sendMessage({ body: { conversationId: conversation.id, text: 'Still there?' } }),
  ).rejects.toMatchObject({ problem: { code: 'not-friends' } });
  expect(await friend.client.getChallenge({ params: { id: own.id } })).toMatchObject({
    creator: nobody,
    participants: 1,
  });
  const [participation] = await friend.client.listParticipations();
  expect(participation).toMatchObject({ challenge: { creator: nobody } });
  expect((await friend.client.getChallenge({ params: { id: theirs.id } })).participants).toBe(0);
  expect(await friend.client.listParticipations({ query: { challengeId: String(theirs.id) } })).toEqual([]);
  expect(await friend.client.listFriendRequests()).toEqual([]);
  expect(await requested.client.listFriendRequests()).toEqual([]);
  expect(await stranger.client.listBlocks()).toEqual([]);
  const notified = await friend.client.listNotifications();
  expect(notified.length).toBeGreaterThan(0);
  expect(notified.filter(({ kind, people }) => kind.startsWith('friend-') || people.length)).toEqual([]);
  await expect(friend.client.getUser({ params: { id: me.id } })).rejects.toMatchObject({ status: 404 });
  await expect(friend.client.requestFriend({ body: { friendId: me.id } })).rejects.toMatchObject({
    status: 404,
  });
  expect((await fetch(`${network.url}/public/profile-pics/${avatar}`)).status).toBe(404);
  const left = await friend.client.getLeaderboard();
  expect(left.total).toBe(board.total - 1);
  expect(left.rows.map(({ id }) => id)).not.toContain(me.id);
  expect(person.tab.socket.connected).toBe(false);

  // Nor does the bus hold any of it back: waiting, delayed, dead-lettered or unacknowledged.
  stopped = network.stop();
  await stopped;
  expect(findingsIn([['the bus', Buffer.from(network.bus.remaining().join('\n'))]])).toEqual([]);
});
