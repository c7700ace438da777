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

/** What is nobody else's, so that each byte of it in an answer is theirs. */
const said = { firstName: 'Zyxfirst9c', lastName: 'Zyxlast9c', city: 'Needlebury9c', state: 'Vexland9c' };

let network: Network;
let store: Connection;
let ann: OnlineUser;
let friend: OnlineUser;
let maker: TestUser;
let challengeId: number;
/** Who asks, by what they are to her. */
let readers: Record<'visitor' | 'stranger' | 'friend' | 'blocked' | 'admin' | 'herself', string | undefined>;
/** Everything that could tell of her, by what it is. */
let places: Record<string, string>;

beforeAll(async () => {
  network = await startNetwork();
  store = await createConnection(network.mongoUrl).asPromise();
  [ann, friend] = [await newOnlineUser(network), await newOnlineUser(network)];
  maker = await newUser(network);
  const [stranger, blocked] = [await newUser(network), await newUser(network)];
  await ann.client.updateMe({ body: said });
  await befriend(ann, friend);
  const asked = await ann.client.requestFriend({ body: { friendId: stranger.me.id } });
  await ann.client.blockUser({ body: { userId: blocked.me.id } });
  const challenge = await newChallenge(maker, { name: 'Count the herons' });
  const own = await newChallenge(ann, { name: 'Her own' });
  challengeId = challenge.id;
  await network.settle();
  await complete(ann, challenge);
  await network.settle();
  const conversation = await ann.client.openConversation({ body: { friend: { id: friend.me.id } } });
  await ann.client.sendMessage({ body: { conversationId: conversation.id, text: 'Hello' } });
  await ann.client.report({ body: { kind: 'challenge', id: challengeId, reason: 'other', words: '' } });
  const admin = { sub: String(maker.me.id), username: maker.username, admin: true };
  readers = {
    visitor: undefined,
    stranger: stranger.token,
    friend: friend.token,
    blocked: blocked.token,
    admin: network.signToken(admin),
    herself: ann.token,
  };
  const { id } = ann.me;
  const users = (query: Parameters<typeof operationUrl>[1]) => operationUrl(operations.listUsers, query);
  const board = (query: Record<string, string>) => operationUrl(operations.getLeaderboard, { query });
  places = {
    profile: operationUrl(operations.getUser, { params: { id } }),
    'all people': users({ query: {} }),
    'by ids': users({ query: { ids: String(id) } }),
    'by username': users({ query: { search: ann.username } }),
    'by first name': users({ query: { search: said.firstName } }),
    'by the beginning of the last name': users({ query: { search: said.lastName.slice(0, 5) } }),
    suggestions: users({ query: { suggested: 20 } }),
    board: board({}),
    'board around me': board({ around: 'me' }),
    'board of friends': board({ scope: 'friends' }),
    'board of the town': board({ scope: 'town' }),
    'board of the month': board({ period: 'month' }),
    'board of the town’s month': board({ scope: 'town', period: 'month' }),
    participants: operationUrl(operations.listLines, { query: { challengeId } }),
    'one participant': operationUrl(operations.listLines, { query: { challengeId, userId: id } }),
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
  expect(asked.status).toBe('pending');
});
afterAll(async () => {
  await store?.close();
  await network?.stop();
});

/** The bytes as they leave. */
const raw = async (path: string, token: string | undefined) =>
  (await fetch(network.url + path, { headers: token ? { authorization: token } : {} })).text();

/** Where each reader finds these bytes; who finds them nowhere is left out. */
async function findersOf(words: string[], tokens: Partial<typeof readers> = readers) {
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

const choose = async (body: Partial<Privacy>) => {
  const chosen = await ann.client.updatePrivacy({ body });
  await network.settle();
  return chosen;
};

/** Which stores hold these bytes. */
async function keepersOf(word: string): Promise<ServiceName[]> {
  const found = serviceNames.map(async (service) => {
    const collections = await store.useDb(`${network.databasePrefix}_${service}`).db?.collections();
    const documents = await Promise.all((collections ?? []).map((each) => each.find().toArray()));
    return JSON.stringify(documents).includes(word) ? [service] : [];
  });
  return (await Promise.all(found)).flat();
}

const namesOf = [said.firstName, said.lastName];
const townOf = [said.city, said.state];

it('shows everything to everybody by default', async () => {
  expect(await ann.client.getPrivacy()).toEqual({
    ...{ name: 'everybody', town: 'everybody', participation: 'everybody' },
    ...{ requests: true, boards: true, presence: true },
  });
  const named = await findersOf(namesOf);
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
  expect(Object.keys(await findersOf(townOf))).toEqual(expect.arrayContaining(['visitor', 'stranger']));
  expect(await keepersOf(said.lastName)).toEqual(
    expect.arrayContaining(['users', 'friends', 'chat', 'participation']),
  );
});

describe.each([
  ['name', namesOf, ['by first name', 'by the beginning of the last name']],
  ['town', townOf, ['board of the town', 'board of the town’s month']],
] as const)('a %s', (field, words, unfound) => {
  afterAll(() => choose({ [field]: 'everybody' }));

  it('that is for friends is shown to friends by the users service, and to nobody else', async () => {
    expect(await choose({ [field]: 'friends' })).toMatchObject({ [field]: 'friends' });
    const { herself, ...others } = await findersOf([...words]);
    expect(Object.keys(others)).toEqual(['friend']);
    expect(others.friend).toEqual(expect.arrayContaining(['profile', 'by ids', 'board']));
    expect(others.friend).not.toEqual(expect.arrayContaining([unfound[0]]));
    expect(herself).toContain('profile');
    for (const word of words) expect(await keepersOf(word)).toEqual(['users']);
  });

  it('that is private is shown to nobody else, in any response', async () => {
    await choose({ [field]: 'me' });
    const { herself, ...others } = await findersOf([...words]);
    expect(others).toEqual({});
    expect(herself).toContain('profile');
    for (const word of words) expect(await keepersOf(word)).toEqual(['users']);
    expect(await ann.client.getMe()).toMatchObject(said);
  });

  it('that is hidden is not found by a search, nor revealed by a count', async () => {
    // Somebody who says to live there too.
    await maker.client.updateMe({ body: { city: said.city, state: said.state } });
    await network.settle();
    const found = async (place: string) => raw(places[place] ?? '', maker.token);
    for (const place of unfound) expect(await found(place)).not.toContain(ann.username);
    if (field === 'town') expect(JSON.parse(await found('board of the town'))).toMatchObject({ total: 1 });
    await choose({ [field]: 'everybody' });
    for (const place of unfound) expect(await found(place)).toContain(ann.username);
    await maker.client.updateMe({ body: { city: '', state: '' } });
    await network.settle();
  });
});

it('hides a name that is changed later', async () => {
  await choose({ name: 'me', town: 'me' });
  await ann.client.updateMe({ body: { lastName: 'Newlast9c', city: 'Newtown9c' } });
  await network.settle();
  const { herself: _, ...others } = await findersOf(['Newlast9c', 'Newtown9c']);
  expect(others).toEqual({});
  await ann.client.updateMe({ body: said });
  await choose({ name: 'everybody', town: 'everybody' });
});

describe('participation', () => {
  const telling = ['participants', 'one participant', 'completions', 'trail book'];
  /** Who learns there of her, or of what she did. */
  const learners = async () => {
    const found = await findersOf([ann.username, 'herons']);
    const rows = Object.entries(found).map(([reader, where]) => [
      reader,
      where.filter((place) => telling.includes(place)),
    ]);
    return Object.fromEntries(rows.filter(([, where]) => where?.length));
  };
  afterAll(() => choose({ participation: 'everybody' }));

  it('is shown to everybody by default', async () => {
    expect(await learners()).toMatchObject({ stranger: telling, friend: telling, herself: telling });
  });

  it('is shown to friends only if the user says so', async () => {
    await choose({ participation: 'friends' });
    // That of the challenge is told, not who did it.
    expect(await learners()).toEqual({ friend: telling, herself: telling });
  });

  it('is shown to nobody if the user says so, including the challenge’s creator', async () => {
    await choose({ participation: 'me' });
    expect(await learners()).toEqual({ herself: telling });
    expect(await friend.client.getTrailBook({ params: { id: ann.me.id } })).toEqual({
      ...{ stamps: [], total: 0, own: 0, scenes: [], towns: 0, weeklyStreak: 0 },
      kept: true,
    });
    const quiet = await newChallenge(maker);
    await network.settle();
    await complete(ann, quiet);
    await network.settle();
    const about = async () =>
      (await maker.client.listNotifications()).filter(({ challenge }) => challenge?.id === quiet.id);
    expect(await about()).toEqual([]);
    await complete(friend, quiet);
    await network.settle();
    expect(await about()).not.toEqual([]);
    // What she earned is hers all the same, and how many take part is told.
    expect((await ann.client.getMe()).points).toBeGreaterThan(0);
    expect((await maker.client.getChallenge({ params: { id: quiet.id } })).participants).toBe(2);
  });

  it('leaves full pages, and cursors that reveal no hidden user', async () => {
    const crowded = await newChallenge(maker);
    await network.settle();
    await complete(ann, crowded);
    await complete(friend, crowded);
    const path = operationUrl(operations.listLines, { query: { challengeId: crowded.id, limit: 1 } });
    const first = await fetch(network.url + path, { headers: { authorization: maker.token } });
    expect(await first.json()).toMatchObject([{ userId: friend.me.id }]);
    const next = first.headers.get('link')?.match(/<(.*)>/)?.[1] ?? '';
    expect(await raw(next, maker.token)).toBe('[]');
    // That she takes part at all.
    for (const query of [{ userId: ann.me.id }, { ids: String(ann.me.id) }]) {
      const one = operationUrl(operations.listLines, {
        query: { challengeId: crowded.id, limit: 1, ...query },
      });
      const answer = await fetch(network.url + one, { headers: { authorization: maker.token } });
      expect([await answer.text(), answer.headers.get('link')]).toEqual(['[]', null]);
    }
  });

  it('is not revealed by gaps among other people’s completions', async () => {
    const quiet = await newChallenge(maker);
    await network.settle();
    await complete(friend, quiet);
    await complete(ann, quiet);
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
  await choose({ boards: false });
  for (const [reader, token] of Object.entries(readers))
    if (reader !== 'herself') expect([reader, await shownOn(token)]).toEqual([reader, []]);
  expect(await shownOn(readers.herself)).toContain('board');
  expect(await ranks()).toEqual(before);
  await choose({ boards: true });
  expect(await shownOn(readers.visitor)).toContain('board');
});

it('allows only requests that the user sends', async () => {
  const [other, asked] = [await newUser(network), await newUser(network)];
  await choose({ requests: false });
  await expect(other.client.requestFriend({ body: { friendId: ann.me.id } })).rejects.toMatchObject({
    status: 403,
    problem: { code: 'no-requests' },
  });
  await ann.client.requestFriend({ body: { friendId: asked.me.id } });
  expect(await asked.client.requestFriend({ body: { friendId: ann.me.id } })).toMatchObject({
    status: 'accepted',
  });
  await choose({ requests: true });
  expect(await other.client.requestFriend({ body: { friendId: ann.me.id } })).toMatchObject({
    status: 'pending',
  });
});

it('hides presence within a second, also in new tabs', async () => {
  const seen = () => friend.tab.online().includes(ann.me.id);
  await eventually(seen);
  await choose({ presence: false });
  await eventually(() => !seen());
  await eventually(() => ann.tab.online().includes(friend.me.id));
  ann.tab.socket.disconnect().connect();
  await eventually(() => ann.tab.socket.connected);
  const later = await newOnlineUser(network);
  await befriend(friend, later);
  await eventually(() => friend.tab.online().includes(later.me.id));
  expect(seen()).toBe(false);
  await choose({ presence: true });
  await eventually(seen);
});

it('names the invalid field', async () => {
  const body = JSON.stringify({ town: 'neighbours', boards: 'no' });
  const headers = { authorization: ann.token, 'content-type': 'application/json' };
  const answer = await fetch(`${network.url}/api/privacy`, { method: 'PUT', headers, body });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ errors: [{ field: 'town' }, { field: 'boards' }] });
});
