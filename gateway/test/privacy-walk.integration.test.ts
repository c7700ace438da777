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
import { connectMongo } from '@wayquest/platform/store';
import {
  befriend,
  complete,
  eventually,
  type Network,
  newChallenge,
  newUser,
  startNetwork,
  type TestUser,
} from '@wayquest/testing';
import { strFromU8, unzipSync } from 'fflate';
import { io, type Socket } from 'socket.io-client';
import type { Call } from './calls.ts';
import { probes, type Watched } from './seen-of.ts';

/**
 * Every operation, asked by everybody whom a person may know, about people who keep different things to themselves. What
 * leaves is looked at as bytes: body, cursor, socket message. Whoever may not see a field finds it nowhere, and whoever may
 * finds it somewhere.
 */

type Field =
  | 'first name'
  | 'last name'
  | 'city'
  | 'state'
  | 'lines'
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
  /** What its tab was told, as it came. */
  told: string[];
  /** What it was answered, by operation. */
  answered: Map<string, string[]>;
}

/** Numbers that are nobody else's: an id in an answer or a cursor tells whose it is. */
const firstIds = { auth: ['account', 88_000_000], participation: ['line', 77_000_000] } as const;

/** Nine in which each two choices meet in each way. */
const choices = [0, 1, 2].flatMap((one) =>
  [0, 1, 2].map((other) => [one, other, (one + other) % 3, (one + 2 * other) % 3]),
);

const privacyOf = ([name = 0, town = 0, participation = 0, rest = 0]: number[]): Privacy => {
  const audience = (at: number): Audience => audiences[at] ?? 'me';
  return {
    ...{ name: audience(name), town: audience(town), participation: audience(participation) },
    ...{ requests: true, boards: rest !== 0, presence: rest !== 1 },
  };
};

/** Half a minute where nothing else runs. */
const buildingMs = 400_000;

let network: Network;
let people: Person[];
let viewers: Viewer[];
const sockets: Socket[] = [];
const counts = { answers: 0, messages: 0, looks: 0 };

async function seedIds(): Promise<void> {
  for (const [service, [sequence, next]] of Object.entries(firstIds)) {
    const store = await connectMongo({
      ...{ url: network.mongoUrl, logger: network.logger },
      database: `${network.databasePrefix}_${service}`,
    });
    await store
      .collection<{ _id: string; next: number }>('counters')
      .updateOne({ _id: sequence }, { $set: { next } }, { upsert: true });
    await store.close();
  }
}

async function newPerson(privacy: Privacy, index: number): Promise<Person> {
  const user = await newUser(network, `walked-${index}-9w`);
  const said = {
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
  await user.client.updateMe({ body: said });
  await user.client.updatePrivacy({ body: privacy });
  return {
    ...{ user, privacy, ownChallengeId: 0, joinedIds: [], lineIds: [], conversationId: 0 },
    ...{ firstName: said.firstName, lastName: said.lastName, city: said.city },
    needles: {
      ...{
        'first name': [said.firstName],
        'last name': [said.lastName],
        city: [said.city],
        state: [said.state],
      },
      contact: [said.streetAddress, said.zip, said.email],
      position: [`40.712345${index}7`, `-73.987654${index}3`],
      ...{ lines: [], moments: [], words: [`river ${index} words`], 'other words': [`hill ${index} words`] },
    },
  };
}

/** Joins and completes, with a position and a note; keeps what tells of it. */
async function takePart(person: Person, challengeId: number): Promise<void> {
  const { client } = person.user;
  const joined = await client.joinChallenge({ body: { challengeId } });
  const [lat, lng] = person.needles.position.map(Number);
  const position = { lat: lat ?? 0, lng: lng ?? 0, accuracy: 5, takenAt: new Date().toISOString() };
  const line = await client.updateLine({ params: { id: joined.id }, body: { completed: true, position } });
  person.joinedIds.push(challengeId);
  person.lineIds.push(line.id);
  person.needles.lines.push(String(line.id));
  const note = `note-${line.id}-9w`;
  await client.updateNote({ params: { id: line.id }, body: { note } });
  person.needles.moments.push(line.joinedAt, line.completedAt ?? '', note);
}

function openTab({ told }: Viewer, token: string): Promise<void> {
  const socket = io(network.url, {
    ...socketClientOptions,
    transports: ['websocket'],
    auth: { token },
    forceNew: true,
  });
  sockets.push(socket);
  return new Promise((resolve, reject) => {
    socket.onAny((name, data) => {
      told.push(JSON.stringify([name, data]));
      if (name === 'getUsers') resolve();
    });
    socket.once('connect_error', reject);
  });
}

const newViewer = (name: string, user: TestUser | undefined, relationTo: Viewer['relationTo']): Viewer => ({
  ...{ name, user, token: user?.token, relationTo },
  ...{ told: [], answered: new Map() },
});

/** All that an answer tells: what it is asked by is no news, the cursor in it may be. */
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

async function ask(
  { token, answered }: Viewer,
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
    answered.set(place, [...(answered.get(place) ?? []), found.bytes]);
    counts.answers++;
    next = method === 'GET' ? found.next : undefined;
  }
}

const call = (viewer: Viewer, name: string, operation: Operation, { params = {}, query = {}, body }: Call) =>
  ask(viewer, name, operationUrl(operation, { params, query }), { method: operation.method, body });

/** What a viewer can ask of everybody, and of each. */
async function walk(viewer: Viewer, about: Person[]): Promise<void> {
  const all = Object.entries<Operation>(operations).map(([name, operation]) => ({
    name,
    operation,
    asking: probes[name as OperationName],
  }));
  // What reads comes first: what the others leave is looked at when all has been asked.
  for (const [isReading, aboutWhom] of [
    [true, about],
    [false, about],
    [true, []],
  ] as const)
    for (const { name, operation, asking } of all) {
      if ((operation.method === 'GET') !== isReading) continue;
      const calls = [
        ...aboutWhom.flatMap((person) => asking.of?.(person) ?? []),
        ...(asking.general?.(viewer.user) ?? []),
      ];
      await Promise.all(calls.map((each) => call(viewer, name, operation, each)));
    }
  const [, challengeId] = about[0]?.joinedIds ?? [];
  for (const query of [{ challengeId }, { challengeId, limit: '1' }])
    await call(viewer, 'listLines', operations.listLines, { query });
  for (const { user, ownChallengeId } of about) {
    await ask(viewer, 'page of a person', `/users/${user.me.id}`, { method: 'GET' });
    await ask(viewer, 'page of a challenge', `/challenges/${ownChallengeId}`, { method: 'GET' });
  }
}

const archive = async ({ user }: Viewer): Promise<void> => {
  await user?.client.makeArchive();
  await eventually(async () => expect(await user?.client.getArchive()).toMatchObject({ state: 'ready' }));
};

beforeAll(async () => {
  network = await startNetwork();
  await seedIds();
  // In this order on the boards, where the last of ten is one who left them.
  people = [];
  for (const [index, choice] of choices.entries()) people.push(await newPerson(privacyOf(choice), index));
  const [stranger, friend, confidant, blocked, blocking, admin] = await Promise.all(
    ['stranger', 'friend', 'confidant', 'blocked', 'blocking', 'warden'].map((name) =>
      newUser(network, `${name}-9w`),
    ),
  );
  if (!stranger || !friend || !confidant || !blocked || !blocking || !admin)
    throw new Error('somebody is missing');
  for (const { user } of people) {
    await befriend(user, friend);
    await befriend(user, confidant);
    await user.client.blockUser({ body: { userId: blocked.me.id } });
    await blocking.client.blockUser({ body: { userId: user.me.id } });
  }
  await network.settle();
  const as = (relation: Relation) => () => relation;
  viewers = [
    newViewer('a visitor', undefined, as('everybody')),
    newViewer('a stranger', stranger, as('everybody')),
    newViewer('a friend', friend, as('friends')),
    newViewer('a blocked one', blocked, as('blocked')),
    newViewer('who blocked them', blocking, as('blocking')),
    newViewer('an admin', admin, as('everybody')),
    ...people.map((person) =>
      newViewer('themselves', person.user, (other) => (other === person ? 'me' : 'everybody')),
    ),
  ];
  for (const viewer of viewers)
    if (viewer.name === 'an admin')
      viewer.token = network.signToken({ sub: String(admin.me.id), username: admin.username, admin: true });
  for (const viewer of viewers) if (viewer.token) await openTab(viewer, viewer.token);

  await complete(friend, await newChallenge(stranger, { points: 100 }));
  // The stranger makes what all take part in, and is told of it.
  const shared = await newChallenge(stranger);
  const alone = await Promise.all(people.map(() => newChallenge(stranger)));
  const theirs = await Promise.all(
    people.map(({ user }) => newChallenge(user, { name: `own of ${user.username}` })),
  );
  await network.settle();
  for (const [index, person] of people.entries()) {
    person.ownChallengeId = theirs[index]?.id ?? 0;
    await takePart(person, alone[index]?.id ?? 0);
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
  for (const { told, answered } of viewers) {
    answered.set('socket', [...told]);
    counts.messages += told.length;
  }
}, buildingMs);
afterAll(async () => {
  for (const socket of sockets) socket.disconnect();
  await network?.stop();
  const places = new Set(viewers?.flatMap(({ answered }) => [...answered.keys()]));
  const by = `${fields.length} fields × ${people?.length} people × ${viewers?.length} viewers × ${places.size} places`;
  process.stdout.write(`the privacy walk: ${by}: ${JSON.stringify(counts)}\n`);
});

/** Where a block leaves what everybody may see: who blocked finds there whom, and can lift it. */
const whereWhoBlocksLooks = ['getUser', 'listBlocks'];

const audienceOf: Record<
  Exclude<Field, 'words' | 'other words'>,
  (privacy: Privacy) => Audience | 'nobody'
> = {
  'first name': ({ name }) => name,
  'last name': ({ name }) => name,
  city: ({ town }) => town,
  state: ({ town }) => town,
  lines: ({ participation }) => participation,
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
  // By which somebody's days could be followed.
  if (field === 'moments' && name === 'a visitor') return false;
  const visibility = audienceOf[field](privacy);
  if (visibility === 'nobody' || relation === 'blocked') return false;
  if (relation !== 'blocking') return isVisibleTo(visibility, relation);
  return (
    visibility === 'everybody' &&
    field !== 'lines' &&
    field !== 'moments' &&
    whereWhoBlocksLooks.includes(place)
  );
}

/** Where a viewer finds something of a person; a look is one for a needle in what one place told one viewer. */
const placesOf = ({ answered }: Viewer, needles: string[]): string[] =>
  [...answered].flatMap(([place, bytes]) => {
    counts.looks += needles.length;
    return bytes.some((each) => needles.some((needle) => each.includes(needle))) ? [place] : [];
  });

const eachOther = () =>
  viewers.flatMap((viewer) =>
    people.map((person) => ({ viewer, person, relation: viewer.relationTo(person) })),
  );
const saying = (viewer: Viewer, { privacy }: Person, what: string) =>
  `${what}, to ${viewer.name}, of ${JSON.stringify(privacy)}`;
const fields = [
  'first name',
  'last name',
  'city',
  'state',
  'lines',
  'moments',
  'contact',
  'position',
  'words',
  'other words',
] as const;

it.each(fields)('shows %s to nobody who may not see it', (field) => {
  const seen = eachOther().flatMap(({ viewer, person, relation }) =>
    placesOf(viewer, person.needles[field])
      .filter((place) => !maySee(field, person, viewer, relation, place))
      .map((place) => saying(viewer, person, `${place} shows ${field}`)),
  );
  expect(seen).toEqual([]);
});

it.each(fields.filter((field) => field !== 'position'))('shows %s to whom it is shown', (field) => {
  const hidden = eachOther().flatMap(({ viewer, person, relation }) => {
    const may = ['getUser', 'elsewhere'].some((place) => maySee(field, person, viewer, relation, place));
    // A person is not asked about the others.
    const isAsked = relation === 'me' || viewer.name !== 'themselves';
    return may && isAsked && !placesOf(viewer, person.needles[field]).length
      ? [saying(viewer, person, `no ${field}`)]
      : [];
  });
  expect(hidden).toEqual([]);
});

it('never names two people to each other once one has blocked the other', () => {
  // Who made a challenge is said with it, whoever that is.
  const everywhere = [
    'listChallenges',
    'viewChallenges',
    'listChallengeClusters',
    'getChallenge',
    'page of a person',
    'page of a challenge',
  ];
  const ofOwn = ['listBlocks', 'getUser', 'listOwnFriendsData', 'downloadArchive', 'getProfilePicture'];
  // The id that they said themselves.
  const saidBack = ['report', 'listOwnModerationData'];
  const seen = eachOther().flatMap(({ viewer, person, relation }) => {
    if (relation !== 'blocked' && relation !== 'blocking') return [];
    const allowed = [...everywhere, ...(relation === 'blocking' ? ofOwn : [])];
    const named = placesOf(viewer, [person.user.username]);
    const numbered = placesOf(viewer, [String(person.user.me.id)]).filter(
      (place) => !saidBack.includes(place),
    );
    return [...new Set([...named, ...numbered])]
      .filter((place) => !allowed.includes(place))
      .map((place) => saying(viewer, person, `${place} names them`));
  });
  expect(seen).toEqual([]);
});

it('shows nobody on leaderboards who left them, nor in cursors', () => {
  const seen = eachOther().flatMap(({ viewer, person, relation }) => {
    const isOn = person.privacy.boards && relation !== 'blocked' && relation !== 'blocking';
    if (viewer.name === 'themselves' || isOn) return [];
    const board = {
      ...viewer,
      answered: new Map([['getLeaderboard', viewer.answered.get('getLeaderboard') ?? []]]),
    };
    return placesOf(board, [String(person.user.me.id), person.user.username]).map((place) =>
      saying(viewer, person, place),
    );
  });
  expect(seen).toEqual([]);
});

it('shows presence to friends only, and only of people who show it', () => {
  for (const { name, told } of viewers.filter((viewer) => viewer.name !== 'themselves')) {
    const lists = told.filter((message) => message.startsWith('["getUsers"'));
    const seen = people.filter(({ user }) => lists.some((list) => list.includes(String(user.me.id))));
    const isFriend = name === 'a friend';
    expect([name, seen]).toEqual([name, people.filter(({ privacy }) => isFriend && privacy.presence)]);
  }
});

describe('a person who hides what they showed before', () => {
  const shown = { name: 'everybody', town: 'everybody', participation: 'everybody' } as const;
  const kept = { name: 'me', town: 'me', participation: 'me' } as const;
  let person: Person;
  let stranger: Viewer;
  let needles: string[];
  const choose = async (chosen: Partial<Privacy>) => {
    await person.user.client.updatePrivacy({ body: chosen });
    await network.settle();
  };
  /** What the stranger was given: addresses of pages, and where they went on. */
  let given: string[];

  beforeAll(async () => {
    const [somebody, asking] = [people[0], viewers.find(({ name }) => name === 'a stranger')];
    if (!somebody || !asking) throw new Error('somebody is missing');
    [person, stranger] = [somebody, asking];
    const { 'first name': first, 'last name': last, city, state, lines } = person.needles;
    needles = [...first, ...last, ...city, ...state, ...lines];
    await choose(shown);
    const { id } = person.user.me;
    const ofChallenges = person.joinedIds.map((challengeId) => ({ challengeId }));
    given = [
      ...ofChallenges.map((query) => operationUrl(operations.listLines, { query: { ...query, limit: 1 } })),
      ...ofChallenges.map((query) => operationUrl(operations.listLines, { query: { ...query, userId: id } })),
      operationUrl(operations.listCompletions, { query: { ids: String(id) } }),
      operationUrl(operations.getTrailBook, { params: { id }, query: { limit: 1 } }),
      operationUrl(operations.getUser, { params: { id } }),
      operationUrl(operations.listUsers, { query: { search: person.firstName } }),
      operationUrl(operations.listUsers, { query: { ids: String(id), limit: 1 } }),
    ];
    for (const path of given) {
      const answer = await fetch(network.url + path, { headers: { authorization: stranger.token ?? '' } });
      const { next } = await bytesOf(answer);
      if (next && !given.includes(next) && given.length < maxPages) given.push(next);
    }
  });

  /** Of what was given, what still tells of the person. */
  const telling = async () => {
    const found = given.map(async (path) => {
      const answer = await fetch(network.url + path, { headers: { authorization: stranger.token ?? '' } });
      const { bytes } = await bytesOf(answer);
      return needles.some((needle) => bytes.includes(needle)) ? [path] : [];
    });
    return (await Promise.all(found)).flat();
  };

  it('is not revealed by earlier cursors and URLs, each time that they hide it', async () => {
    const before = await telling();
    expect(before.length).toBeGreaterThan(5);
    await choose(kept);
    expect(await telling()).toEqual([]);
    await choose(shown);
    expect(await telling()).toEqual(before);
    await choose(kept);
    expect(await telling()).toEqual([]);
  });

  it('is not revealed by other people’s archives', async () => {
    await archive(stranger);
    const file = await stranger.user?.client.downloadArchive();
    const files = unzipSync(new Uint8Array((await file?.arrayBuffer()) ?? []));
    // They reported the person when all of it was shown.
    expect(Object.keys(files)).toContain('moderation/reports.json');
    const all = Object.values(files).map((each) => strFromU8(each));
    expect(needles.filter((needle) => all.some((text) => text.includes(needle)))).toEqual([]);
  });
});
