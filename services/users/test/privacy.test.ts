import { operations, operationUrl, type Privacy, type ServiceName, serviceNames } from '@wayquest/contracts';
import {
  befriend,
  complete,
  eventually,
  type Network,
  newChallenge,
  newOnlineUser,
  newUser,
  type OnlineUser,
  startNetwork,
  type TestUser,
} from '@wayquest/testing';
import { type Connection, createConnection } from 'mongoose';

/** Personal data that occurs nowhere else, so that it can be searched for in responses. */
const personalData = {
  firstName: 'Zyxfirst9c',
  lastName: 'Zyxlast9c',
  city: 'Needlebury9c',
  state: 'Vexland9c',
};

let network: Network;
let store: Connection;
let ann: OnlineUser;
let friend: OnlineUser;
let maker: TestUser;
let challengeId: number;
/** Tokens of readers, by their relation to Ann. */
let readers: Record<'visitor' | 'stranger' | 'friend' | 'blocked' | 'admin' | 'self', string | undefined>;
/** Paths of all responses that could contain data of Ann, by name. */
let places: Record<string, string>;

beforeAll(async () => {
  network = await startNetwork();
  store = await createConnection(network.mongoUrl).asPromise();
  [ann, friend] = [await newOnlineUser(network), await newOnlineUser(network)];
  maker = await newUser(network);
  const [stranger, blocked] = [await newUser(network), await newUser(network)];
  await ann.client.updateMe({ body: personalData });
  await befriend(ann, friend);
  const request = await ann.client.requestFriend({ body: { friendId: stranger.me.id } });
  await ann.client.blockUser({ body: { userId: blocked.me.id } });
  const challenge = await newChallenge(maker, { name: 'Count the herons' });
  const own = await newChallenge(ann, { name: 'Her own' });
  challengeId = challenge.id;
  await network.settle();
  await complete(ann, challenge);
  await network.settle();
  const conversation = await ann.client.openConversation({ body: { friend: { id: friend.me.id } } });
  await ann.client.sendMessage({ body: { conversationId: conversation.id, text: 'Hello' } });
  await ann.client.report({ body: { kind: 'challenge', id: challengeId, reason: 'other', comment: '' } });
  const admin = { sub: String(maker.me.id), username: maker.username, admin: true };
  readers = {
    visitor: undefined,
    stranger: stranger.token,
    friend: friend.token,
    blocked: blocked.token,
    admin: network.signToken(admin),
    self: ann.token,
  };
  const { id } = ann.me;
  const users = (query: Parameters<typeof operationUrl>[1]) => operationUrl(operations.listUsers, query);
  const board = (query: Record<string, string>) => operationUrl(operations.getLeaderboard, { query });
  places = {
    profile: operationUrl(operations.getUser, { params: { id } }),
    'all people': users({ query: {} }),
    'by ids': users({ query: { ids: String(id) } }),
    'by username': users({ query: { search: ann.username } }),
    'by first name': users({ query: { search: personalData.firstName } }),
    'by the beginning of the last name': users({ query: { search: personalData.lastName.slice(0, 5) } }),
    suggestions: users({ query: { suggested: 20 } }),
    board: board({}),
    'board around me': board({ around: 'me' }),
    'board of friends': board({ scope: 'friends' }),
    'board of the town': board({ scope: 'town' }),
    'board of the month': board({ period: 'month' }),
    'board of the town’s month': board({ scope: 'town', period: 'month' }),
    participants: operationUrl(operations.listParticipations, { query: { challengeId } }),
    'one participant': operationUrl(operations.listParticipations, { query: { challengeId, userId: id } }),
    completions: operationUrl(operations.listCompletions, { query: { ids: String(id) } }),
    'trail book': operationUrl(operations.getTrailBook, { params: { id } }),
    'her challenge': operationUrl(operations.getChallenge, { params: { id: own.id } }),
    challenges: operationUrl(operations.listChallenges, { query: { scope: 'all' } }),
    'friend requests': operationUrl(operations.listFriendRequests, { query: {} }),
    conversations: operationUrl(operations.listConversations, { params: { userId: friend.me.id } }),
    notifications: operationUrl(operations.listNotifications, { query: {} }),
    reports: operationUrl(operations.listCases, { query: {} }),
    'page of her': `/users/${id}`,
  };
  expect(request.status).toBe('pending');
});
afterAll(async () => {
  await store?.close();
  await network?.stop();
});

/** Returns a response without parsing it, which could drop fields. */
const raw = async (path: string, token: string | undefined) =>
  (await fetch(network.url + path, { headers: token ? { authorization: token } : {} })).text();

/** Returns, for each reader who finds one of these texts, in which responses. */
async function placesByReader(words: string[], tokens: Partial<typeof readers> = readers) {
  const rows = await Promise.all(
    Object.entries(tokens).map(async ([reader, token]) => {
      const found = Object.entries(places).map(async ([place, path]) => {
        const bytes = await raw(path, token);
        return words.some((word) => bytes.includes(word)) ? [place] : [];
      });
      return [reader, (await Promise.all(found)).flat()] as const;
    }),
  );
  return Object.fromEntries(rows.filter(([, found]) => found.length > 0));
}

const setPrivacy = async (body: Partial<Privacy>) => {
  const chosen = await ann.client.updatePrivacy({ body });
  await network.settle();
  return chosen;
};

/** Returns the services that store this text. */
async function servicesThatStore(word: string): Promise<ServiceName[]> {
  const found = serviceNames.map(async (service) => {
    const collections = await store.useDb(`${network.databasePrefix}_${service}`).db?.collections();
    const documents = await Promise.all((collections ?? []).map((each) => each.find().toArray()));
    return JSON.stringify(documents).includes(word) ? [service] : [];
  });
  return (await Promise.all(found)).flat();
}

const namesOf = [personalData.firstName, personalData.lastName];
const townOf = [personalData.city, personalData.state];

it('shows everything to everybody by default', async () => {
  expect(await ann.client.getPrivacy()).toEqual({
    ...{ name: 'everybody', town: 'everybody', participation: 'everybody' },
    ...{ requests: true, leaderboards: true, presence: true },
  });
  const named = await placesByReader(namesOf);
  expect(named.visitor).toEqual(
    expect.arrayContaining([
      'profile',
      'by ids',
      'by first name',
      'by the beginning of the last name',
      'board',
    ]),
  );
  expect(named.stranger).toEqual(
    expect.arrayContaining([
      'profile',
      'board of the month',
      'participants',
      'completions',
      'friend requests',
    ]),
  );
  expect(named.friend).toEqual(expect.arrayContaining(['conversations', 'board of friends']));
  expect(Object.keys(await placesByReader(townOf))).toEqual(expect.arrayContaining(['visitor', 'stranger']));
  expect(await servicesThatStore(personalData.lastName)).toEqual(
    expect.arrayContaining(['users', 'friends', 'chat', 'participation']),
  );
});

describe.each([
  ['name', namesOf, ['by first name', 'by the beginning of the last name']],
  ['town', townOf, ['board of the town', 'board of the town’s month']],
] as const)('a %s', (field, words, unfound) => {
  afterAll(() => setPrivacy({ [field]: 'everybody' }));

  it('for friends is shown only to friends, and stored only by the users service', async () => {
    expect(await setPrivacy({ [field]: 'friends' })).toMatchObject({ [field]: 'friends' });
    const { self, ...others } = await placesByReader([...words]);
    expect(Object.keys(others)).toEqual(['friend']);
    expect(others.friend).toEqual(expect.arrayContaining(['profile', 'by ids', 'board']));
    expect(others.friend).not.toEqual(expect.arrayContaining([unfound[0]]));
    expect(self).toContain('profile');
    for (const word of words) expect(await servicesThatStore(word)).toEqual(['users']);
  });

  it('that is private is in no response to others, and stored only by the users service', async () => {
    await setPrivacy({ [field]: 'me' });
    const { self, ...others } = await placesByReader([...words]);
    expect(others).toEqual({});
    expect(self).toContain('profile');
    for (const word of words) expect(await servicesThatStore(word)).toEqual(['users']);
    expect(await ann.client.getMe()).toMatchObject(personalData);
  });

  it('that is private is not found by a search, nor revealed by a count', async () => {
    // Another user in the same town.
    await maker.client.updateMe({ body: { city: personalData.city, state: personalData.state } });
    await network.settle();
    const found = async (place: string) => raw(places[place] ?? '', maker.token);
    for (const place of unfound) expect(await found(place)).not.toContain(ann.username);
    if (field === 'town') expect(JSON.parse(await found('board of the town'))).toMatchObject({ total: 1 });
    await setPrivacy({ [field]: 'everybody' });
    for (const place of unfound) expect(await found(place)).toContain(ann.username);
    await maker.client.updateMe({ body: { city: '', state: '' } });
    await network.settle();
  });
});

it('hides a name that is changed later', async () => {
  await setPrivacy({ name: 'me', town: 'me' });
  await ann.client.updateMe({ body: { lastName: 'Newlast9c', city: 'Newtown9c' } });
  await network.settle();
  const { self: _, ...others } = await placesByReader(['Newlast9c', 'Newtown9c']);
  expect(others).toEqual({});
  await ann.client.updateMe({ body: personalData });
  await setPrivacy({ name: 'everybody', town: 'everybody' });
});

describe('participation', () => {
  const participationPlaces = ['participants', 'one participant', 'completions', 'trail book'];
  /** Returns who finds Ann or her challenge there. */
  const readersOfParticipation = async () => {
    const found = await placesByReader([ann.username, 'herons']);
    const rows = Object.entries(found).map(([reader, where]) => [
      reader,
      where.filter((place) => participationPlaces.includes(place)),
    ]);
    return Object.fromEntries(rows.filter(([, where]) => where?.length));
  };
  afterAll(() => setPrivacy({ participation: 'everybody' }));

  it('is shown to everybody by default', async () => {
    expect(await readersOfParticipation()).toMatchObject({
      stranger: participationPlaces,
      friend: participationPlaces,
      self: participationPlaces,
    });
  });

  it('is shown only to friends if the user chooses that', async () => {
    await setPrivacy({ participation: 'friends' });
    // The challenge is visible to others, but not who completed it.
    expect(await readersOfParticipation()).toEqual({
      friend: participationPlaces,
      self: participationPlaces,
    });
  });

  it('is shown to nobody if the user chooses that, not even to the challenge’s creator', async () => {
    await setPrivacy({ participation: 'me' });
    expect(await readersOfParticipation()).toEqual({ self: participationPlaces });
    expect(await friend.client.getTrailBook({ params: { id: ann.me.id } })).toEqual({
      ...{ stamps: [], total: 0, own: 0, placeCategories: [], towns: 0, weeklyStreak: 0 },
      hidden: true,
    });
    const challenge = await newChallenge(maker);
    await network.settle();
    await complete(ann, challenge);
    await network.settle();
    const notificationsOfIt = async () =>
      (await maker.client.listNotifications()).filter(
        (notification) => notification.challenge?.id === challenge.id,
      );
    expect(await notificationsOfIt()).toEqual([]);
    await complete(friend, challenge);
    await network.settle();
    expect(await notificationsOfIt()).not.toEqual([]);
    // Her points and the number of participants still count.
    expect((await ann.client.getMe()).points).toBeGreaterThan(0);
    expect((await maker.client.getChallenge({ params: { id: challenge.id } })).participants).toBe(2);
  });

  it('that is hidden leaves full pages, and cursors that do not reveal the user', async () => {
    const crowded = await newChallenge(maker);
    await network.settle();
    await complete(ann, crowded);
    await complete(friend, crowded);
    const path = operationUrl(operations.listParticipations, {
      query: { challengeId: crowded.id, limit: 1 },
    });
    const first = await fetch(network.url + path, { headers: { authorization: maker.token } });
    expect(await first.json()).toMatchObject([{ userId: friend.me.id }]);
    const next = first.headers.get('link')?.match(/<(.*)>/)?.[1] ?? '';
    expect(await raw(next, maker.token)).toBe('[]');
    // A filter by her id reveals nothing, either.
    for (const query of [{ userId: ann.me.id }, { ids: String(ann.me.id) }]) {
      const one = operationUrl(operations.listParticipations, {
        query: { challengeId: crowded.id, limit: 1, ...query },
      });
      const response = await fetch(network.url + one, { headers: { authorization: maker.token } });
      expect([await response.text(), response.headers.get('link')]).toEqual(['[]', null]);
    }
  });

  it('that is hidden leaves no gaps among other users’ completions', async () => {
    const challenge = await newChallenge(maker);
    await network.settle();
    await complete(friend, challenge);
    await complete(ann, challenge);
    const ids = `${ann.me.id},${friend.me.id}`;
    expect(await maker.client.listCompletions({ query: { ids, limit: 1 } })).toMatchObject([
      { userId: friend.me.id },
    ]);
  });
});

it('hides a user from others’ leaderboards, in which others keep their ranks', async () => {
  const boards = Object.keys(places).filter((place) => place.startsWith('board'));
  const shownOn = async (token: string | undefined) => {
    const found = boards.map(async (place) => {
      const bytes = await raw(places[place] ?? '', token);
      return bytes.includes(ann.username) ? [place] : [];
    });
    return (await Promise.all(found)).flat();
  };
  expect(await shownOn(readers.friend)).toContain('board of friends');
  const ranks = async () => {
    const { rows } = await friend.client.getLeaderboard({ query: {} });
    return rows.filter(({ id }) => id !== ann.me.id).map(({ id, rank }) => [id, rank]);
  };
  const before = await ranks();
  await setPrivacy({ leaderboards: false });
  for (const [reader, token] of Object.entries(readers))
    if (reader !== 'self') expect([reader, await shownOn(token)]).toEqual([reader, []]);
  expect(await shownOn(readers.self)).toContain('board');
  expect(await ranks()).toEqual(before);
  await setPrivacy({ leaderboards: true });
  expect(await shownOn(readers.visitor)).toContain('board');
});

it('rejects friend requests to a user who turned them off, except replies to their own', async () => {
  const [other, requested] = [await newUser(network), await newUser(network)];
  await setPrivacy({ requests: false });
  await expect(other.client.requestFriend({ body: { friendId: ann.me.id } })).rejects.toMatchObject({
    status: 403,
    problem: { code: 'friend-requests-disabled' },
  });
  const params = { id: ann.me.id };
  const offered = async () => [
    (await other.client.getUser({ params })).can,
    (await other.client.listUsers({ query: { ids: String(ann.me.id) } }))[0]?.can,
    (await ann.client.getUser({ params })).can,
    (await network.client().getUser({ params })).can,
  ];
  const suggestedIds = async () =>
    (await other.client.listUsers({ query: { suggested: 20 } })).map((user) => user.id);
  expect(await offered()).toEqual([{ befriend: false }, { befriend: false }, { befriend: false }, undefined]);
  expect(await suggestedIds()).not.toContain(ann.me.id);
  await ann.client.requestFriend({ body: { friendId: requested.me.id } });
  expect(await requested.client.requestFriend({ body: { friendId: ann.me.id } })).toMatchObject({
    status: 'accepted',
  });
  await setPrivacy({ requests: true });
  expect(await offered()).toEqual([{ befriend: true }, { befriend: true }, { befriend: false }, undefined]);
  expect(await suggestedIds()).toContain(ann.me.id);
  expect(await other.client.requestFriend({ body: { friendId: ann.me.id } })).toMatchObject({
    status: 'pending',
  });
});

it('hides presence immediately, also in new tabs', async () => {
  const isShownOnline = () => friend.tab.onlineFriends().includes(ann.me.id);
  await eventually(isShownOnline);
  await setPrivacy({ presence: false });
  await eventually(() => !isShownOnline());
  await eventually(() => ann.tab.onlineFriends().includes(friend.me.id));
  ann.tab.socket.disconnect().connect();
  await eventually(() => ann.tab.socket.connected);
  const later = await newOnlineUser(network);
  await befriend(friend, later);
  await eventually(() => friend.tab.onlineFriends().includes(later.me.id));
  expect(isShownOnline()).toBe(false);
  await setPrivacy({ presence: true });
  await eventually(isShownOnline);
});

it('rejects invalid settings and names each field', async () => {
  const body = JSON.stringify({ town: 'neighbors', leaderboards: 'no' });
  const headers = { authorization: ann.token, 'content-type': 'application/json' };
  const answer = await fetch(`${network.url}/api/privacy`, { method: 'PUT', headers, body });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ errors: [{ field: 'town' }, { field: 'leaderboards' }] });
});
