import { localDate, type Notification, operations, operationUrl } from '@wayquest/contracts';
import {
  eventually,
  type Network,
  newChallenge,
  newDecision,
  newEvent,
  newOnlineUser,
  newUser,
  startNetwork,
  type TestUser,
  withServiceStore,
} from '@wayquest/testing';

let network: Network;
beforeAll(async () => {
  const others = ['friends', 'notifications', 'moderation', 'realtime'] as const;
  network = await startNetwork({
    services: ['auth', 'users', 'challenges', 'participation', ...others],
    notifications: { remindersEveryMs: 200, pushDelayMs: 3_600_000 },
  });
});
afterAll(() => network?.stop());

const notificationsOf = async ({ client }: TestUser): Promise<Notification[]> => {
  await network.settle();
  return client.listNotifications();
};

/** The notifications without their times and ids. */
const inShort = (notifications: Notification[]) =>
  notifications.map(({ kind, people, count, read, change }) => ({
    kind,
    people: people.map(({ username }) => username),
    count,
    read,
    ...(change && { change }),
  }));

const join = ({ client }: TestUser, challengeId: number) => client.joinChallenge({ body: { challengeId } });

const complete = async (person: TestUser, challengeId: number) => {
  const { id } = await join(person, challengeId);
  await person.client.updateParticipation({ params: { id }, body: { completed: true } });
};

const requestFriend = async (sender: TestUser, receiver: TestUser) =>
  (await sender.client.requestFriend({ body: { friendId: receiver.me.id } })).id;

const dayFromNow = (days: number) => new Date(Date.now() + days * 24 * 3_600_000).toISOString().slice(0, 10);

it('notifies of a friend request until it is answered, and its sender that it was accepted', async () => {
  const [ann, bob] = [await newUser(network), await newUser(network)];
  const id = await requestFriend(ann, bob);
  expect(inShort(await notificationsOf(bob))).toEqual([
    { kind: 'friend-requested', people: [ann.username], count: 1, read: false },
  ]);
  expect(await notificationsOf(ann)).toEqual([]);

  await bob.client.acceptFriend({ params: { id } });
  expect(await notificationsOf(bob)).toEqual([]);
  expect(inShort(await notificationsOf(ann))).toEqual([
    { kind: 'friend-accepted', people: [bob.username], count: 1, read: false },
  ]);

  await bob.client.removeFriend({ params: { id } });
  expect(await notificationsOf(ann)).toEqual([]);
});

it('notifies a creator of joins and completions, one notification per challenge, and not of their own', async () => {
  const [maker, ann, bob, cem, dina] = (await Promise.all(
    Array.from({ length: 5 }, () => newUser(network)),
  )) as [TestUser, TestUser, TestUser, TestUser, TestUser];
  const { id, name } = await newChallenge(maker);
  await join(maker, id);
  for (const person of [ann, bob, cem]) {
    await join(person, id);
    await network.settle();
  }
  await complete(dina, id);
  const notifications = await notificationsOf(maker);
  expect(inShort(notifications)).toEqual([
    { kind: 'challenge-completed', people: [dina.username], count: 1, read: false },
    {
      kind: 'challenge-joined',
      people: [dina.username, cem.username, bob.username],
      count: 4,
      read: false,
    },
  ]);
  expect(notifications.map(({ challenge }) => challenge)).toEqual([
    { id, name, endDate: null },
    { id, name, endDate: null },
  ]);
  expect(await maker.client.countUnreadNotifications()).toEqual({ unread: 2 });

  const [completed] = notifications;
  expect(await maker.client.markNotificationsRead({ body: { id: completed?.id ?? '' } })).toEqual({
    unread: 1,
  });
  const eve = await newUser(network);
  await complete(eve, id);
  // A read notification is replaced by a new one, an unread one is extended.
  expect(inShort(await notificationsOf(maker))).toMatchObject([
    { kind: 'challenge-completed', people: [eve.username], count: 1, read: false },
    { kind: 'challenge-joined', count: 5 },
  ]);
});

it('notifies of thanks for a completion, one notification per challenge and once a day for each person (53)', async () => {
  const [maker, ann, bob, cem] = (await Promise.all(Array.from({ length: 4 }, () => newUser(network)))) as [
    TestUser,
    TestUser,
    TestUser,
    TestUser,
  ];
  const { id, name } = await newChallenge(maker);
  await complete(ann, id);
  const [entry] = await ann.client.listParticipations();
  const params = { id: entry?.id ?? 0 };
  for (const { client } of [bob, cem, bob]) {
    await client.thank({ params });
    await network.settle();
    await client.withdrawThanks({ params });
  }
  const notifications = await notificationsOf(ann);
  expect(inShort(notifications)).toEqual([
    { kind: 'completion-thanked', people: [cem.username, bob.username], count: 2, read: false },
  ]);
  expect(notifications).toMatchObject([{ challenge: { id, name } }]);
  await ann.client.updateNotificationPreferences({ body: { 'completion-thanked': false } });
  await maker.client.thank({ params });
  expect(inShort(await notificationsOf(ann))).toMatchObject([{ count: 2 }]);
});

it('notifies once a day of a user who joins and leaves repeatedly', async () => {
  const [maker, pest] = [await newUser(network), await newUser(network)];
  const { id } = await newChallenge(maker);
  await join(pest, id);
  const [first] = await notificationsOf(maker);
  await maker.client.markNotificationsRead({ body: { until: first?.at ?? '' } });
  for (let times = 0; times < 3; times++) {
    const participation = await join(pest, id);
    await pest.client.leaveChallenge({ params: { id: participation.id } });
  }
  expect(inShort(await notificationsOf(maker))).toMatchObject([
    { kind: 'challenge-joined', count: 1, read: true },
  ]);
});

it('notifies participants when a challenge is changed, closed or deleted', async () => {
  const [maker, ann, left] = [await newUser(network), await newUser(network), await newUser(network)];
  const challenge = await newChallenge(maker, { startDate: dayFromNow(-9), endDate: dayFromNow(9) });
  const { id, name, difficulty, startDate, endDate } = challenge;
  await join(ann, id);
  await join(maker, id);
  const participation = await join(left, id);
  await left.client.leaveChallenge({ params: { id: participation.id } });
  await network.settle();
  const change = (changes: object) =>
    maker.client.updateChallenge({
      params: { id },
      body: { name, difficulty, startDate, endDate, ...changes },
    });

  await change({});
  expect(await notificationsOf(ann)).toEqual([]);
  await change({ name: 'Another name' });
  expect(inShort(await notificationsOf(ann))).toEqual([
    { kind: 'challenge-changed', people: [], count: 0, read: false, change: 'edited' },
  ]);
  await change({ name: 'Another name', endDate: dayFromNow(-2) });
  const [closed, ...others] = await notificationsOf(ann);
  expect(others).toEqual([]);
  expect(closed).toMatchObject({ change: 'closed', challenge: { id, name: 'Another name' } });

  const admin = network.client(network.signToken({ sub: '900001', admin: true }));
  await admin.deleteChallenge({ params: { id } });
  expect(inShort(await notificationsOf(ann))).toMatchObject([
    { kind: 'challenge-changed', change: 'deleted' },
  ]);
  expect(await notificationsOf(left)).toEqual([]);
  // The creator is not notified of their own changes, or of joins of a deleted challenge.
  expect(await notificationsOf(maker)).toEqual([]);
});

it('tells participants of a change unless they opted out, once more if they have read it, and by one push message otherwise', async () => {
  const [maker, ann, optedOut] = [await newUser(network), await newUser(network), await newUser(network)];
  const { id, difficulty } = await newChallenge(maker);
  await optedOut.client.updateNotificationPreferences({ body: { 'challenge-changed': false } });
  for (const person of [ann, optedOut]) await join(person, id);
  await network.settle();
  const rename = async (name: string) => {
    await maker.client.updateChallenge({ params: { id }, body: { name, difficulty } });
    await network.settle();
  };
  const changes = async () =>
    (await notificationsOf(ann)).map(({ challenge, read }) => [challenge?.name, read]);
  const pushDueAt = () =>
    withServiceStore(network, 'notifications', async (store) => {
      const filter = { userId: ann.me.id, kind: 'challenge-changed' };
      const found = await store.collection<{ pushDueAt?: Date }>('notifications').findOne(filter);
      return found?.pushDueAt?.getTime();
    });

  await rename('Another name');
  expect(await changes()).toEqual([['Another name', false]]);
  const firstDueAt = await pushDueAt();
  expect(firstDueAt).toBeGreaterThan(0);
  await rename('A third name');
  expect(await changes()).toEqual([['A third name', false]]);
  expect(await pushDueAt()).toBe(firstDueAt);
  await ann.client.markNotificationsRead({ body: { until: new Date().toISOString() } });
  expect([await changes(), await pushDueAt()]).toEqual([[['A third name', true]], undefined]);
  await rename('A fourth name');
  expect(await changes()).toEqual([['A fourth name', false]]);
  expect(await pushDueAt()).toBeGreaterThan(firstDueAt ?? Number.NaN);
  expect(await notificationsOf(optedOut)).toEqual([]);
});

it('has one key for push messages, and refuses browsers of push services that are not allowed', async () => {
  const { client } = await newUser(network);
  const { key } = await client.getPushKey();
  expect(key).toMatch(/^[\w-]{87}$/);
  expect(await client.getPushKey()).toEqual({ key });
  const keys = { p256dh: key, auth: 'AAAAAAAAAAAAAAAAAAAAAA' };
  const body = { endpoint: 'https://push.elsewhere.example/one', keys, language: 'en' as const };
  await expect(client.subscribeToPush({ body })).rejects.toMatchObject({
    problem: { errors: [{ field: 'endpoint', reason: 'must be the address of an allowed push service' }] },
  });
});

/** A place at sea where it is noon or one o'clock, since reminders are sent by day. */
const whereItIsNoon = () => ({ lat: -60, lng: 15 * Math.min(11, 13 - new Date().getUTCHours()) });

it('reminds participants once that a challenge ends today, and again if its end date changes', async () => {
  const [maker, ann, done] = [await newUser(network), await newUser(network), await newUser(network)];
  const { id, name, difficulty, timeZone } = await newChallenge(maker, {
    position: whereItIsNoon(),
    endDate: dayFromNow(6),
  });
  await join(ann, id);
  await complete(done, id);
  await network.settle();
  const endOn = async (endDate: string) => {
    await maker.client.updateChallenge({ params: { id }, body: { name, difficulty, endDate } });
    await network.settle();
  };
  const endings = async () =>
    (await notificationsOf(ann)).filter(({ kind }) => kind === 'challenge-ending').map(({ read }) => read);

  const today = localDate(timeZone, new Date());
  await endOn(today);
  await eventually(async () => expect(await endings()).toEqual([false]));
  expect(await notificationsOf(done)).toEqual([]);
  await ann.client.markNotificationsRead({ body: { until: new Date().toISOString() } });

  await endOn(dayFromNow(6));
  expect(await endings()).toEqual([true]);
  await endOn(today);
  await eventually(async () => expect(await endings()).toEqual([false]));
});

it('forgets when a deleted challenge ends, but not when others do', async () => {
  const maker = await newUser(network);
  const [kept, deleted] = [
    await newChallenge(maker, { endDate: dayFromNow(6) }),
    await newChallenge(maker, { endDate: dayFromNow(6) }),
  ];
  await network.settle();
  const withReminder = () =>
    withServiceStore(network, 'notifications', async (store) => {
      const all = await store.collection<{ _id: number }>('expiry_reminders').find().toArray();
      return all.map(({ _id }) => _id);
    });
  const before = await withReminder();
  expect(before).toEqual(expect.arrayContaining([kept.id, deleted.id]));
  await maker.client.deleteChallenge({ params: { id: deleted.id } });
  await network.settle();
  expect(await withReminder()).toEqual(before.filter((id) => id !== deleted.id));
});

it('does not notify of a hidden challenge or its changes, and reminds of its end once it is shown again', async () => {
  const [maker, ann] = [await newUser(network), await newUser(network)];
  const position = whereItIsNoon();
  const { id, difficulty, timeZone } = await newChallenge(maker, { position, endDate: dayFromNow(6) });
  const today = localDate(timeZone, new Date());
  const other = await newChallenge(maker, { position, endDate: dayFromNow(6) });
  for (const challengeId of [id, other.id]) await join(ann, challengeId);
  await network.settle();
  const decide = async (version: number, decision: 'hide' | 'restore') => {
    const about = { kind: 'challenge', subjectId: id, affectedUserId: maker.me.id } as const;
    await network.bus.publish(newDecision({ ...about, version, decision }));
    await network.settle();
  };
  const endOn = (challengeId: number, name: string) =>
    maker.client.updateChallenge({
      params: { id: challengeId },
      body: { name, difficulty, endDate: today },
    });
  const kinds = async () => (await notificationsOf(ann)).map(({ kind, challenge }) => [kind, challenge?.id]);

  await decide(1, 'hide');
  await endOn(id, 'Words that nobody is to read');
  await endOn(other.id, other.name);
  await network.settle();
  // One run of the reminders checks both challenges.
  await eventually(async () => expect(await kinds()).toContainEqual(['challenge-ending', other.id]));
  expect((await kinds()).filter(([, about]) => about === id)).toEqual([]);
  expect(JSON.stringify(await notificationsOf(ann))).not.toContain('Words that nobody');

  await decide(2, 'restore');
  await eventually(async () => expect(await kinds()).toContainEqual(['challenge-ending', id]));
  expect(await kinds()).not.toContainEqual(['challenge-changed', id]);
});

it('names the template of a suggested challenge, so that its name can be shown in the reader’s language (53)', async () => {
  const [maker, ann] = [await newUser(network), await newUser(network)];
  const { participants: _, can, ...challenge } = await newChallenge(maker, { name: 'Find a statue in Oslo' });
  const template = { key: 'statue', place: 'Oslo' };
  await join(ann, challenge.id);
  await network.settle();
  await network.bus.publish(
    newEvent('challenge.updated.v1', {
      challenge: { ...challenge, difficulty: 'Hard', template },
      version: 100,
    }),
  );
  const edited = { change: 'edited', challenge: { id: challenge.id, template } };
  // An event may be delivered once more, after a pause.
  await eventually(async () => expect(await notificationsOf(ann)).toMatchObject([edited]));
  await network.settle();
  const about = { userId: ann.me.id, challengeId: challenge.id, title: challenge.name };
  await network.bus.publish(
    newEvent('points.decided.v1', { ...about, points: 10, decision: 'revoke', by: null, reason: 'Too fast' }),
  );
  await eventually(async () =>
    expect(await notificationsOf(ann)).toMatchObject([
      { change: 'points-revoked', reason: 'Too fast', challenge: { id: challenge.id, template } },
      edited,
    ]),
  );
});

it('signals all tabs of a user when there is a notification, and when it was read in one of them', async () => {
  const [maker, ann] = [await newOnlineUser(network), await newUser(network)];
  const { id } = await newChallenge(maker);
  await join(ann, id);
  await eventually(() => expect(maker.tab.received.notifications).toHaveLength(1));
  const [notifications] = await notificationsOf(maker);
  await maker.client.markNotificationsRead({ body: { until: notifications?.at ?? '' } });
  await eventually(() => expect(maker.tab.received.notifications).toHaveLength(2));
});

it('respects preferences and blocks', async () => {
  const [maker, ann, bob] = [await newUser(network), await newUser(network), await newUser(network)];
  const { id } = await newChallenge(maker);
  expect(await maker.client.updateNotificationPreferences({ body: { 'challenge-joined': false } })).toEqual({
    ...(await bob.client.getNotificationPreferences()),
    'challenge-joined': false,
  });
  await complete(ann, id);
  await complete(bob, id);
  expect(inShort(await notificationsOf(maker))).toMatchObject([{ kind: 'challenge-completed', count: 2 }]);

  await bob.client.blockUser({ body: { userId: maker.me.id } });
  await network.settle();
  const read = async (path: string) =>
    (await fetch(network.url + path, { headers: { authorization: maker.token } })).text();
  const bytes = await read(operationUrl(operations.listNotifications, { query: {} }));
  expect(bytes).toContain(ann.username);
  expect(bytes).not.toContain(bob.username);

  const other = await newChallenge(maker);
  await complete(bob, other.id);
  await requestFriend(bob, maker).catch(() => {});
  expect(await notificationsOf(maker)).toHaveLength(1);
  await maker.client.updateNotificationPreferences({ body: { 'challenge-joined': true } });
  await join(ann, other.id);
  expect(await notificationsOf(maker)).toHaveLength(2);
});

it('no longer names a user whose account was deleted', async () => {
  const [maker, ann, bob] = [await newUser(network), await newUser(network), await newUser(network)];
  const { id } = await newChallenge(maker);
  await join(ann, id);
  await join(bob, id);
  expect(inShort(await notificationsOf(maker))).toMatchObject([{ kind: 'challenge-joined', count: 2 }]);
  await network.bus.publish(newEvent('user.deleted.v1', { id: bob.me.id }));
  expect(inShort(await notificationsOf(maker))).toMatchObject([
    { kind: 'challenge-joined', people: [ann.username], count: 1 },
  ]);
});

it('does not notify people who blocked a challenge’s creator, or whom its creator blocked', async () => {
  const [maker, ann, blocking, blocked] = [
    await newUser(network),
    await newUser(network),
    await newUser(network),
    await newUser(network),
  ];
  const { id, name, difficulty, timeZone } = await newChallenge(maker, { position: whereItIsNoon() });
  for (const person of [ann, blocking, blocked]) await join(person, id);
  await blocking.client.blockUser({ body: { userId: maker.me.id } });
  await maker.client.blockUser({ body: { userId: blocked.me.id } });
  await network.settle();
  const endDate = localDate(timeZone, new Date());
  await maker.client.updateChallenge({ params: { id }, body: { name: `${name}!`, difficulty, endDate } });
  await eventually(async () =>
    expect((await notificationsOf(ann)).map(({ kind }) => kind).sort()).toEqual([
      'challenge-changed',
      'challenge-ending',
    ]),
  );
  expect([await notificationsOf(blocking), await notificationsOf(blocked)]).toEqual([[], []]);
});

it('removes the notification of an archive that was deleted', async () => {
  const ann = await newUser(network);
  const until = new Date(Date.now() - 1).toISOString();
  await network.bus.publish(newEvent('archive.ready.v1', { userId: ann.me.id, until }));
  expect(await notificationsOf(ann)).toEqual([]);
});

it('returns pages of one’s own notifications only', async () => {
  const [maker, ann] = [await newUser(network), await newUser(network)];
  for (let times = 0; times < 5; times++) await join(ann, (await newChallenge(maker)).id);
  const all = await notificationsOf(maker);
  expect(all).toHaveLength(5);
  const ids: string[] = [];
  let path = operationUrl(operations.listNotifications, { query: { limit: 2 } });
  for (let pages = 0; path && pages < 4; pages++) {
    const response = await fetch(network.url + path, { headers: { authorization: maker.token } });
    ids.push(...(await response.json()).map(({ id }: Notification) => id));
    path = /<(.+?)>/.exec(response.headers.get('link') ?? '')?.[1] ?? '';
  }
  expect(ids).toEqual(all.map(({ id }) => id));
  expect(await notificationsOf(ann)).toEqual([]);
  // Ids of other users' notifications have no effect.
  await ann.client.markNotificationsRead({ body: { id: ids[0] ?? '' } });
  await ann.client.markNotificationsRead({ body: { until: new Date().toISOString() } });
  expect(await maker.client.countUnreadNotifications()).toEqual({ unread: 5 });
});
