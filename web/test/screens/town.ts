import type { Client } from '@wayquest/contracts';
import { type Network, newChallenge, newEvent, newUser, type TestUser } from '@wayquest/testing';
import sharp from 'sharp';

/** Thirty letters without a space: as long as a username may be. */
export const longName = 'Wolfeschlegelsteinhausenberger';
const longPlace = 'Llanfairpwllgwyngyllgogerychwy';

/** How much of everything a full town holds. */
const sizes = {
  large: { people: 200, challenges: 200, friends: 60, asking: 5, messages: 1_000 },
  /** More than any page shows at once, and filled in a third of the time. */
  small: { people: 100, challenges: 120, friends: 60, asking: 5, messages: 150 },
};
export type TownSize = keyof typeof sizes;

/** What the screens of a full town are of. */
export interface FullTown {
  /** Who has much of everything, and whose names are long. */
  regular: TestUser;
  friend: TestUser;
  stranger: TestUser;
  /** Who shows nobody anything. */
  hermit: TestUser;
  /** Who asked the regular to be friends. */
  asking: TestUser;
  /** Whom the regular asked. */
  invited: TestUser;
  challenge: Record<
    'crowded' | 'joined' | 'completed' | 'checkedIn' | 'upcoming' | 'ended' | 'bare' | 'own' | 'unseen',
    number
  >;
  conversation: Record<'long' | 'silent' | 'parted', number>;
}

const localDate = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

const scenes = [
  'Kissena Park',
  'Queens Museum',
  'Cinemart Cinemas',
  'Unisphere',
  'Resorts Night Club',
  'Flushing Library',
  'Nan Xiang Restaurant',
];

/** Does the same for each, some at a time. */
async function forEach<T>(items: T[], act: (item: T, index: number) => Promise<unknown>, atOnce = 8) {
  const waiting = [...items.entries()];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await act(next[1], next[0]);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

async function makePeople(network: Network, count: number): Promise<TestUser[]> {
  const people: TestUser[] = [];
  await forEach(numbers(count), async (index) => {
    const long = index % 10 === 0;
    const number = String(index).padStart(3, '0');
    const user = await newUser(network, long ? longName.slice(0, 27) + number : `walker-${number}`);
    people[index] = user;
    const profile = long
      ? { firstName: longName, lastName: longName, city: longPlace, state: 'NY' }
      : { firstName: 'Robin', lastName: `Walker ${number}`, city: 'Flushing', state: 'NY' };
    if (index % 3 === 0) await user.client.updateMe({ body: profile });
  });
  return people;
}

async function makeChallenges(maker: TestUser, count: number): Promise<number[]> {
  const ids: number[] = [];
  await forEach(numbers(count), async (index) => {
    const long = index % 20 === 19;
    const dates = index % 4 === 0 ? { startDate: localDate(-20), endDate: localDate(10 + (index % 9)) } : {};
    const { id } = await newChallenge(maker, {
      name: long ? longName : `Walk number ${index} along the water`,
      description: `Go there, and look for what ${long ? longName.repeat(3) : 'has changed'} since the last time.`,
      difficulty: (['Easy', 'Medium', 'Hard'] as const)[index % 3] ?? 'Easy',
      locationName: long ? longPlace : (scenes[index % scenes.length] ?? ''),
      streetAddress: `${index + 1} Main Street`,
      city: long ? longPlace : 'Flushing',
      state: 'NY',
      position: { lat: 40.7 + (index % 20) * 0.006, lng: -73.9 + Math.floor(index / 20) * 0.016 },
      ...dates,
    });
    ids[index] = id;
  });
  return ids;
}

/** Gives the id of their friendship. */
async function befriend(one: TestUser, other: TestUser) {
  const { id } = await one.client.requestFriend({ body: { friendId: other.me.id } });
  await other.client.acceptFriend({ params: { id } });
  return id;
}

async function takePart(client: Client, challengeId: number, completed: boolean): Promise<number> {
  const { id } = await client.joinChallenge({ body: { challengeId } });
  if (completed) await client.updateLine({ params: { id }, body: { completed } });
  return id;
}

/** Hills before a sky. */
const hills = (width: number, height: number) =>
  sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 300" width="${width}" height="${height}"
      preserveAspectRatio="xMidYMid slice"><path fill="#f3c998" d="M0 0h400v300H0z"/>
      <circle cx="290" cy="110" r="34" fill="#fff3dc"/><path fill="#8fae8b" d="M0 200q110-90 210-20t190-30v150H0z"/>
      <path fill="#55775a" d="M0 250q140-70 250-10t150-20v80H0z"/></svg>`),
  )
    .jpeg()
    .toBuffer();

const notes = [
  'Five bridges, and a heron under the last one.',
  `Short.\n${longName.repeat(2)}`,
  'Go early: the gate in the north is closed after six, and the light is best before that. '.repeat(3).trim(),
];

/** A note, and a photo of its own shape, of what somebody completed. */
async function addEntry(client: Client, id: number, index: number) {
  await client.updateNote({ params: { id }, body: { note: notes[index % notes.length] ?? '' } });
  const [width, height] = index % 2 ? [600, 1_100] : [1_280, 800];
  const photo = await hills(width ?? 0, height ?? 0);
  await client.updatePhoto({
    params: { id },
    body: new Blob([Uint8Array.from(photo)], { type: 'image/jpeg' }),
  });
}

const words = [
  'Have you been to the park today?',
  'Yes! The cherry trees are out.',
  `See https://example.com/${'a-long-way-'.repeat(8)}home for the way.`,
  longName.repeat(2),
  'Two lines:\nthe second one.',
];

/** One message after the other: those sent at once would race for their places in the conversation. */
async function talk(one: TestUser, other: TestUser, conversationId: number, count: number) {
  for (const index of numbers(count)) {
    const { client } = index % 3 ? one : other;
    const text = words[index % words.length] ?? '';
    await client.sendMessage({ body: { conversationId, sender: 0, text } });
  }
}

/** A person, or a thing of theirs, that has to be there. */
function at<T>(items: T[], index: number): T {
  const item = items[index];
  if (item === undefined) throw new Error(`there is no number ${index}`);
  return item;
}

/** Fills an empty network with as much as people will meet one day, all by the calls that everyone makes. */
export async function fillTown(network: Network, size: TownSize = 'large'): Promise<FullTown> {
  const many = sizes[size];
  const regular = await newUser(network, longName);
  await regular.client.updateMe({
    body: {
      firstName: longName,
      lastName: longName,
      streetAddress: `1 ${longPlace}`,
      city: longPlace,
      state: 'NY',
      zip: '11355',
      email: `${longName}@${longPlace}.example`,
    },
  });
  const people = await makePeople(network, many.people);
  const maker = at(people, 1);
  const made = await makeChallenges(maker, many.challenges);
  const base = { city: 'Flushing', state: 'NY', locationName: 'Bowne Park' };
  const upcoming = await newChallenge(maker, {
    ...base,
    name: 'Greet the first snow',
    startDate: localDate(20),
    endDate: localDate(40),
    position: { lat: 40.771, lng: -73.807 },
  });
  const ended = await newChallenge(maker, { ...base, name: 'Hear the last bell', endDate: localDate(-20) });
  const bare = await newChallenge(maker, { name: 'Go out' });
  const crowded = at(made, many.challenges - 1);
  const own = await newChallenge(regular, { ...base, name: longName, description: longName.repeat(3) });

  const friends = people.slice(0, many.friends);
  await forEach(friends, (friend) => befriend(friend, regular));
  const asking = people.slice(many.friends, many.friends + many.asking);
  await forEach(asking, ({ client }) => client.requestFriend({ body: { friendId: regular.me.id } }));
  const invited = at(people, 80);
  await regular.client.requestFriend({ body: { friendId: invited.me.id } });
  const friend = at(friends, 10);
  const open = ({ me }: TestUser) => regular.client.openConversation({ body: { friend: { id: me.id } } });
  const long = await open(friend);
  const silent = await open(at(friends, 11));
  const former = at(people, 81);
  const friendship = await befriend(former, regular);
  const parted = await open(former);
  await regular.client.removeFriend({ params: { id: friendship } });

  const hermit = at(people, 84);
  await hermit.client.updatePrivacy({ body: { name: 'me', town: 'me', participation: 'me' } });
  const unseen = await newChallenge(hermit, { ...base, name: 'Hear nothing at all' });

  const there = { position: { lat: 40.772, lng: -73.808 } };
  const checkedIn = await newChallenge(maker, {
    ...base,
    ...there,
    name: 'Touch the old oak',
    checkInAsked: true,
  });
  const checkIn = async ({ client }: TestUser) => {
    const { id } = await client.joinChallenge({ body: { challengeId: checkedIn.id } });
    const position = { ...there.position, accuracy: 9, takenAt: new Date().toISOString() };
    await client.updateLine({ params: { id }, body: { completed: true, position } });
  };

  const crowd = async () => {
    const lines: number[] = [];
    await forEach(people, async ({ client }, index) => {
      lines[index] = await takePart(client, crowded, index % 2 === 1);
    });
    for (const index of [0, 1, 2, 3]) {
      const last = people.length - 1 - 2 * index;
      await addEntry(at(people, last).client, at(lines, last), index);
    }
    await takePart(hermit.client, unseen.id, true);
    await checkIn(friend);
    await takePart(regular.client, checkedIn.id, false);
    for (const index of numbers(12)) {
      const id = await takePart(regular.client, at(made, 100 + index), index < 6);
      if (index === 0) await addEntry(regular.client, id, 1);
    }
  };
  const report = async ({ client }: TestUser) => {
    const words = longName.repeat(12);
    await client.report({ body: { kind: 'challenge', id: own.id, reason: 'privacy', words } });
    await client.report({ body: { kind: 'user', id: regular.me.id, reason: 'abuse', words } });
  };
  await Promise.all([talk(friend, regular, long.id, many.messages), crowd(), report(at(people, 82))]);
  // Some of what the regular completed is hard to believe.
  const done = await regular.client.listLines({ query: { completed: 'true' } });
  for (const [index, doubt] of (['travel', 'pace'] as const).entries()) {
    const { id: lineId, challengeId, userId, points, completedAt, challenge } = at(done, index);
    const line = { lineId, challengeId, userId, points, creatorId: challenge.creator.id };
    await network.bus.publish(
      newEvent('challenge.completed.v1', {
        ...line,
        doubt,
        completedAt: completedAt ?? '',
        challenge: { name: challenge.name, createdAt: challenge.createdAt },
      }),
    );
  }
  await network.settle();
  return {
    regular,
    friend,
    stranger: at(people, 90),
    hermit,
    asking: at(asking, 0),
    invited,
    challenge: {
      crowded,
      joined: at(made, 110),
      completed: at(made, 100),
      checkedIn: checkedIn.id,
      upcoming: upcoming.id,
      ended: ended.id,
      bare: bare.id,
      own: own.id,
      unseen: unseen.id,
    },
    conversation: { long: long.id, silent: silent.id, parted: parted.id },
  };
}
