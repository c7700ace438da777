import {
  type Audience,
  audiences,
  isVisibleTo,
  type Operation,
  type OperationName,
  operations,
  operationUrl,
  type Privacy,
  socketClientOptions,
} from '@wayquest/contracts';
import {
  befriend,
  complete,
  eventually,
  type Network,
  newChallenge,
  newUser,
  startNetwork,
  type TestUser,
  withServiceStore,
} from '@wayquest/testing';
import { strFromU8, unzipSync } from 'fflate';
import { io, type Socket } from 'socket.io-client';
import type { Call } from './calls.ts';
import { probes, type Watched } from './probes.ts';

/**
 * Every operation, called by viewers with every relation to people with different privacy settings. Searches raw bytes:
 * bodies, headers, cursors and socket messages. A viewer who may not see a field must find it nowhere, and one who may must
 * find it somewhere.
 */

type Field =
  | 'first name'
  | 'last name'
  | 'city'
  | 'state'
  | 'participations'
  | 'moments'
  | 'contact'
  | 'position'
  | 'words'
  | 'other words';
type Relation = Audience | 'blocked' | 'blocking';

interface Person extends Watched {
  privacy: Privacy;
  needles: Record<Field, string[]>;
}

interface Viewer {
  name: string;
  user: TestUser | undefined;
  token: string | undefined;
  relationTo: (person: Person) => Relation;
  /** Raw socket messages. */
  messages: string[];
  /** Raw responses by operation. */
  responses: Map<string, string[]>;
}

/** Start of ids in ranges of their own, so that an id in a response or a cursor can be recognized. */
const firstIds = [
  { service: 'auth', sequence: 'account', next: 88_000_000 },
  { service: 'participation', sequence: 'line', next: 77_000_000 },
] as const;

/** Nine combinations that contain every pair of two settings (pairwise testing). */
const choices = [0, 1, 2].flatMap((one) =>
  [0, 1, 2].map((other) => [one, other, (one + other) % 3, (one + 2 * other) % 3]),
);

const privacyOf = ([name = 0, town = 0, participation = 0, rest = 0]: number[]): Privacy => {
  const audience = (at: number): Audience => audiences[at] ?? 'me';
  return {
    ...{ name: audience(name), town: audience(town), participation: audience(participation) },
    ...{ requests: true, leaderboards: rest !== 0, presence: rest !== 1 },
  };
};

/** Timeout of the setup, which takes half a minute on an idle machine. */
const setupTimeoutMs = 400_000;

let network: Network;
let people: Person[];
let viewers: Viewer[];
const sockets: Socket[] = [];
const counts = { replies: 0, messages: 0, searches: 0 };

async function seedIds(): Promise<void> {
  for (const { service, sequence, next } of firstIds) {
    await withServiceStore(network, service, (store) =>
      store
        .collection<{ _id: string; next: number }>('counters')
        .updateOne({ _id: sequence }, { $set: { next } }, { upsert: true }),
    );
  }
}

async function newPerson(privacy: Privacy, index: number): Promise<Person> {
  const user = await newUser(network, `walked-${index}-9w`);
  const profile = {
    ...{
      firstName: `Zyxfirst${index}w`,
      lastName: `Zyxlast${index}w`,
      city: `Needlebury${index}w`,
      state: `Vexland${index}w`,
    },
    ...{
      streetAddress: `${index} Xylophone Needle Lane`,
      zip: `ZQ${index} 9NX`,
      email: `walked${index}@needle.example`,
    },
  };
  await user.client.updateMe({ body: profile });
  await user.client.updatePrivacy({ body: privacy });
  return {
    ...{ user, privacy, ownChallengeId: 0, joinedIds: [], participationIds: [], conversationId: 0 },
    ...{ firstName: profile.firstName, lastName: profile.lastName, city: profile.city },
    needles: {
      ...{
        'first name': [profile.firstName],
        'last name': [profile.lastName],
        city: [profile.city],
        state: [profile.state],
      },
      contact: [profile.streetAddress, profile.zip, profile.email],
      position: [`40.712345${index}7`, `-73.987654${index}3`],
      ...{
        participations: [],
        moments: [],
        words: [`river ${index} words`],
        'other words': [`hill ${index} words`],
      },
    },
  };
}

/** Joins and completes a challenge with a position and a note; stores what would reveal it. */
async function takePart(person: Person, challengeId: number): Promise<void> {
  const { client } = person.user;
  const joined = await client.joinChallenge({ body: { challengeId } });
  const [lat, lng] = person.needles.position.map(Number);
  const position = { lat: lat ?? 0, lng: lng ?? 0, accuracy: 5, secondsAgo: 0 };
  const participation = await client.updateParticipation({
    params: { id: joined.id },
    body: { completed: true, position },
  });
  person.joinedIds.push(challengeId);
  person.participationIds.push(participation.id);
  person.needles.participations.push(String(participation.id));
  const note = `note-${participation.id}-9w`;
  await client.updateNote({ params: { id: participation.id }, body: { note } });
  person.needles.moments.push(participation.joinedAt, participation.completedAt ?? '', note);
}

function openTab({ messages }: Viewer, token: string): Promise<void> {
  const socket = io(network.url, {
    ...socketClientOptions,
    transports: ['websocket'],
    auth: { token },
    forceNew: true,
  });
  sockets.push(socket);
  return new Promise((resolve, reject) => {
    socket.onAny((name, data) => {
      messages.push(JSON.stringify([name, data]));
      if (name === 'getUsers') resolve();
    });
    socket.once('connect_error', reject);
  });
}

const newViewer = (name: string, user: TestUser | undefined, relationTo: Viewer['relationTo']): Viewer => ({
  ...{ name, user, token: user?.token, relationTo },
  ...{ messages: [], responses: new Map() },
});

/** Returns everything in a response: the body, the headers, and the cursor of the Link header without the requested URL. */
async function bytesOf(response: Response): Promise<{ bytes: string; next: string | undefined }> {
  const next = response.headers.get('link')?.match(/<(.*)>/)?.[1];
  const cursor = next && new URL(next, network.url).searchParams.get('cursor');
  const headers = [...response.headers].filter(([name]) => name !== 'link').flat();
  const body = new Uint8Array(await response.arrayBuffer());
  const isZip = response.headers.get('content-type') === 'application/zip';
  const files = isZip ? Object.values(unzipSync(body)) : [body];
  return { bytes: [cursor ?? '', ...headers, ...files.map((file) => strFromU8(file))].join('\n'), next };
}

const maxPages = 40;

async function request(
  { token, responses }: Viewer,
  place: string,
  path: string,
  { method, body }: { method: string; body?: unknown },
) {
  let next: string | undefined = path;
  for (let page = 0; next && page < maxPages; page++) {
    const response: Response = await fetch(network.url + next, {
      ...{ method, redirect: 'manual' },
      headers: {
        ...(token && { authorization: token }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    expect(response.status).toBeLessThan(500);
    const found = await bytesOf(response);
    responses.set(place, [...(responses.get(place) ?? []), found.bytes]);
    counts.replies++;
    next = method === 'GET' ? found.next : undefined;
  }
}

const call = (viewer: Viewer, name: string, operation: Operation, { params = {}, query = {}, body }: Call) =>
  request(viewer, name, operationUrl(operation, { params, query }), { method: operation.method, body });

/** Makes all calls of a viewer about people. */
async function walk(viewer: Viewer, about: Person[]): Promise<void> {
  const all = Object.entries<Operation>(operations).map(([name, operation]) => ({
    name,
    operation,
    probe: probes[name as OperationName],
  }));
  // Reads first, then the other calls, then reads again for what those have changed.
  for (const [isRead, subjects] of [
    [true, about],
    [false, about],
    [true, []],
  ] as const)
    for (const { name, operation, probe } of all) {
      if ((operation.method === 'GET') !== isRead) continue;
      const calls = [
        ...subjects.flatMap((person) => probe.of?.(person) ?? []),
        ...(probe.general?.(viewer.user) ?? []),
      ];
      await Promise.all(calls.map((each) => call(viewer, name, operation, each)));
    }
  const [, challengeId] = about[0]?.joinedIds ?? [];
  for (const query of [{ challengeId }, { challengeId, limit: '1' }])
    await call(viewer, 'listParticipations', operations.listParticipations, { query });
  for (const { user, ownChallengeId } of about) {
    await request(viewer, 'page of a person', `/users/${user.me.id}`, { method: 'GET' });
    await request(viewer, 'page of a challenge', `/challenges/${ownChallengeId}`, { method: 'GET' });
  }
}

const archive = async ({ user }: Viewer): Promise<void> => {
  await user?.client.makeArchive();
  await eventually(async () => expect(await user?.client.getArchive()).toMatchObject({ state: 'ready' }));
};

beforeAll(async () => {
  network = await startNetwork();
  await seedIds();
  // The order on leaderboards, where the last of ten has opted out.
  people = [];
  for (const [index, choice] of choices.entries()) people.push(await newPerson(privacyOf(choice), index));
  const [stranger, friend, confidant, blocked, blocking, admin] = await Promise.all(
    ['stranger', 'friend', 'confidant', 'blocked', 'blocking', 'warden'].map((name) =>
      newUser(network, `${name}-9w`),
    ),
  );
  if (!stranger || !friend || !confidant || !blocked || !blocking || !admin)
    throw new Error('a user is missing');
  for (const { user } of people) {
    await befriend(user, friend);
    await befriend(user, confidant);
    await user.client.blockUser({ body: { userId: blocked.me.id } });
    await blocking.client.blockUser({ body: { userId: user.me.id } });
  }
  await network.settle();
  const withRelation = (relation: Relation) => () => relation;
  viewers = [
    newViewer('a visitor', undefined, withRelation('everybody')),
    newViewer('a stranger', stranger, withRelation('everybody')),
    newViewer('a friend', friend, withRelation('friends')),
    newViewer('a blocked user', blocked, withRelation('blocked')),
    newViewer('a blocking user', blocking, withRelation('blocking')),
    newViewer('an admin', admin, withRelation('everybody')),
    ...people.map((person) =>
      newViewer('themselves', person.user, (other) => (other === person ? 'me' : 'everybody')),
    ),
  ];
  for (const viewer of viewers)
    if (viewer.name === 'an admin')
      viewer.token = network.signToken({ sub: String(admin.me.id), username: admin.username, admin: true });
  for (const viewer of viewers) if (viewer.token) await openTab(viewer, viewer.token);

  await complete(friend, await newChallenge(stranger, { points: 100 }));
  // The stranger creates the challenges in which people participate, and is notified of that.
  const shared = await newChallenge(stranger);
  const individual = await Promise.all(people.map(() => newChallenge(stranger)));
  const ownChallenges = await Promise.all(
    people.map(({ user }) => newChallenge(user, { name: `own of ${user.username}` })),
  );
  await network.settle();
  for (const [index, person] of people.entries()) {
    person.ownChallengeId = ownChallenges[index]?.id ?? 0;
    await takePart(person, individual[index]?.id ?? 0);
    await takePart(person, shared.id);
    for (const [other, text] of [
      [confidant, person.needles['other words']],
      [friend, person.needles.words],
    ] as const) {
      const { id } = await person.user.client.openConversation({ body: { friend: { id: other.me.id } } });
      await person.user.client.sendMessage({ body: { conversationId: id, text: text[0] ?? '' } });
      person.conversationId = id;
    }
  }
  await network.settle();
  await Promise.all(
    viewers.filter(({ user }) => user && !people.some((person) => person.user === user)).map(archive),
  );
  for (const viewer of viewers) {
    const self = people.filter(({ user }) => user === viewer.user);
    await walk(viewer, self.length ? self : people);
  }
  await network.settle();
  for (const { messages, responses } of viewers) {
    responses.set('socket', [...messages]);
    counts.messages += messages.length;
  }
}, setupTimeoutMs);
afterAll(async () => {
  for (const socket of sockets) socket.disconnect();
  await network?.stop();
  const places = new Set(viewers?.flatMap(({ responses }) => [...responses.keys()]));
  const by = `${fields.length} fields × ${people?.length} people × ${viewers?.length} viewers × ${places.size} places`;
  process.stdout.write(`the privacy walk: ${by}: ${JSON.stringify(counts)}\n`);
});

/** Operations with which a blocking user can find the blocked one, to lift the block. */
const visibleToBlocking = ['getUser', 'listBlocks'];

const audienceOf: Record<
  Exclude<Field, 'words' | 'other words'>,
  (privacy: Privacy) => Audience | 'nobody'
> = {
  'first name': ({ name }) => name,
  'last name': ({ name }) => name,
  city: ({ town }) => town,
  state: ({ town }) => town,
  participations: ({ participation }) => participation,
  moments: ({ participation }) => participation,
  contact: () => 'me',
  position: () => 'nobody',
};

function maySee(
  field: Field,
  { privacy }: Person,
  { name }: Viewer,
  relation: Relation,
  place: string,
): boolean {
  if (field === 'words') return name === 'themselves' ? relation === 'me' : name === 'a friend';
  if (field === 'other words') return relation === 'me';
  // Visitors could follow a person's days with these.
  if (field === 'moments' && name === 'a visitor') return false;
  const visibility = audienceOf[field](privacy);
  if (visibility === 'nobody' || relation === 'blocked') return false;
  if (relation !== 'blocking') return isVisibleTo(visibility, relation);
  return (
    visibility === 'everybody' &&
    field !== 'participations' &&
    field !== 'moments' &&
    visibleToBlocking.includes(place)
  );
}

/** Returns the operations whose responses to a viewer contain one of the texts. */
const placesOf = ({ responses }: Viewer, needles: string[]): string[] =>
  [...responses].flatMap(([place, bytes]) => {
    counts.searches += needles.length;
    return bytes.some((each) => needles.some((needle) => each.includes(needle))) ? [place] : [];
  });

const allPairs = () =>
  viewers.flatMap((viewer) =>
    people.map((person) => ({ viewer, person, relation: viewer.relationTo(person) })),
  );
const describePair = (viewer: Viewer, { privacy }: Person, finding: string) =>
  `${finding}, to ${viewer.name}, of ${JSON.stringify(privacy)}`;
const fields = [
  'first name',
  'last name',
  'city',
  'state',
  'participations',
  'moments',
  'contact',
  'position',
  'words',
  'other words',
] as const;

it.each(fields)('shows %s to no viewer without access', (field) => {
  const seen = allPairs().flatMap(({ viewer, person, relation }) =>
    placesOf(viewer, person.needles[field])
      .filter((place) => !maySee(field, person, viewer, relation, place))
      .map((place) => describePair(viewer, person, `${place} shows ${field}`)),
  );
  expect(seen).toEqual([]);
});

it.each(fields.filter((field) => field !== 'position'))('shows %s to every viewer with access', (field) => {
  const hidden = allPairs().flatMap(({ viewer, person, relation }) => {
    const may = ['getUser', 'elsewhere'].some((place) => maySee(field, person, viewer, relation, place));
    // People themselves make no calls about others.
    const isQueried = relation === 'me' || viewer.name !== 'themselves';
    return may && isQueried && !placesOf(viewer, person.needles[field]).length
      ? [describePair(viewer, person, `no ${field}`)]
      : [];
  });
  expect(hidden).toEqual([]);
});

it('never names two people to each other once one has blocked the other', () => {
  // A challenge always names its creator.
  const alwaysAllowed = [
    'listChallenges',
    'viewChallenges',
    'listChallengeClusters',
    'getChallenge',
    'page of a person',
    'page of a challenge',
  ];
  const allowedForBlocking = ['listBlocks', 'getUser', 'downloadArchive', 'getProfilePicture'];
  // These return the id that the viewer sent.
  const echoed = ['report'];
  const seen = allPairs().flatMap(({ viewer, person, relation }) => {
    if (relation !== 'blocked' && relation !== 'blocking') return [];
    const allowed = [...alwaysAllowed, ...(relation === 'blocking' ? allowedForBlocking : [])];
    const named = placesOf(viewer, [person.user.username]);
    const numbered = placesOf(viewer, [String(person.user.me.id)]).filter((place) => !echoed.includes(place));
    return [...new Set([...named, ...numbered])]
      .filter((place) => !allowed.includes(place))
      .map((place) => describePair(viewer, person, `${place} names them`));
  });
  expect(seen).toEqual([]);
});

it('shows no one on leaderboards or in cursors who has opted out of them', () => {
  const seen = allPairs().flatMap(({ viewer, person, relation }) => {
    const isOn = person.privacy.leaderboards && relation !== 'blocked' && relation !== 'blocking';
    if (viewer.name === 'themselves' || isOn) return [];
    const board = {
      ...viewer,
      responses: new Map([['getLeaderboard', viewer.responses.get('getLeaderboard') ?? []]]),
    };
    return placesOf(board, [String(person.user.me.id), person.user.username]).map((place) =>
      describePair(viewer, person, place),
    );
  });
  expect(seen).toEqual([]);
});

it('shows presence only to friends, and only of people who share it', () => {
  for (const { name, messages } of viewers.filter((viewer) => viewer.name !== 'themselves')) {
    const lists = messages.filter((message) => message.startsWith('["getUsers"'));
    const seen = people.filter(({ user }) => lists.some((list) => list.includes(String(user.me.id))));
    const isFriend = name === 'a friend';
    expect([name, seen]).toEqual([name, people.filter(({ privacy }) => isFriend && privacy.presence)]);
  }
});

describe('a person who hides data that was visible before', () => {
  const shown = { name: 'everybody', town: 'everybody', participation: 'everybody' } as const;
  const hidden = { name: 'me', town: 'me', participation: 'me' } as const;
  let person: Person;
  let stranger: Viewer;
  let needles: string[];
  const setPrivacy = async (chosen: Partial<Privacy>) => {
    await person.user.client.updatePrivacy({ body: chosen });
    await network.settle();
  };
  /** Paths that the stranger requested before, including next pages. */
  let paths: string[];

  beforeAll(async () => {
    const [firstPerson, viewer] = [people[0], viewers.find(({ name }) => name === 'a stranger')];
    if (!firstPerson || !viewer) throw new Error('a user is missing');
    [person, stranger] = [firstPerson, viewer];
    const { 'first name': first, 'last name': last, city, state, participations } = person.needles;
    needles = [...first, ...last, ...city, ...state, ...participations];
    await setPrivacy(shown);
    const { id } = person.user.me;
    const ofChallenges = person.joinedIds.map((challengeId) => ({ challengeId }));
    paths = [
      ...ofChallenges.map((query) =>
        operationUrl(operations.listParticipations, { query: { ...query, limit: 1 } }),
      ),
      ...ofChallenges.map((query) =>
        operationUrl(operations.listParticipations, { query: { ...query, userId: id } }),
      ),
      operationUrl(operations.listCompletions, { query: { ids: String(id) } }),
      operationUrl(operations.getTrailBook, { params: { id }, query: { limit: 1 } }),
      operationUrl(operations.getUser, { params: { id } }),
      operationUrl(operations.listUsers, { query: { search: person.firstName } }),
      operationUrl(operations.listUsers, { query: { ids: String(id), limit: 1 } }),
    ];
    for (const path of paths) {
      const reply = await fetch(network.url + path, { headers: { authorization: stranger.token ?? '' } });
      const { next } = await bytesOf(reply);
      if (next && !paths.includes(next) && paths.length < maxPages) paths.push(next);
    }
  });

  /** Returns the paths whose responses still contain data of the person. */
  const revealingPaths = async () => {
    const found = paths.map(async (path) => {
      const reply = await fetch(network.url + path, { headers: { authorization: stranger.token ?? '' } });
      const { bytes } = await bytesOf(reply);
      return needles.some((needle) => bytes.includes(needle)) ? [path] : [];
    });
    return (await Promise.all(found)).flat();
  };

  it('is not revealed by earlier URLs and cursors, also when the data is shown and hidden again', async () => {
    const before = await revealingPaths();
    expect(before.length).toBeGreaterThan(5);
    await setPrivacy(hidden);
    expect(await revealingPaths()).toEqual([]);
    await setPrivacy(shown);
    expect(await revealingPaths()).toEqual(before);
    await setPrivacy(hidden);
    expect(await revealingPaths()).toEqual([]);
  });

  it('is not revealed by archives of other users', async () => {
    await archive(stranger);
    const file = await stranger.user?.client.downloadArchive();
    const files = unzipSync(new Uint8Array((await file?.arrayBuffer()) ?? []));
    // The stranger reported the person while the data was visible.
    expect(Object.keys(files)).toContain('moderation/reports.json');
    const all = Object.values(files).map((each) => strFromU8(each));
    expect(needles.filter((needle) => all.some((text) => text.includes(needle)))).toEqual([]);
  });
});
