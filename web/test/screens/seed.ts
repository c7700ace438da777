import type { Client } from '@wayquest/contracts';
import { type Network, newChallenge, newEvent, newUser, type TestUser } from '@wayquest/testing';
import sharp from 'sharp';

/** 30 letters without a space: the longest possible username. */
export const longName = 'Wolfeschlegelsteinhausenberger';
const longPlace = 'Llanfairpwllgwyngyllgogerychwy';

/** The amounts of data of each size. */
const sizes = {
  large: { users: 200, challenges: 200, friends: 65, requesters: 5, messages: 1_000 },
  /** A second page of the longest lists; takes a tenth of the time. */
  small: { users: 30, challenges: 26, friends: 18, requesters: 3, messages: 55 },
};
export type SeedSize = keyof typeof sizes;

/** The seeded users, challenges and conversations that screens show. */
export interface SeedData {
  /** A user with much data and long names. */
  regular: TestUser;
  friend: TestUser;
  stranger: TestUser;
  /** A user whose privacy settings hide everything. */
  privateUser: TestUser;
  /** A user who sent the regular user a friend request. */
  requester: TestUser;
  /** A user whom the regular user sent a friend request. */
  requested: TestUser;
  challenge: Record<
    | 'popular'
    | 'joined'
    | 'completed'
    | 'checkedIn'
    | 'upcoming'
    | 'ended'
    | 'minimal'
    | 'own'
    | 'withHiddenParticipants',
    number
  >;
  conversation: Record<'long' | 'empty' | 'unfriended', number>;
}

const localDate = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

const locationNames = [
  'Kissena Park',
  'Queens Museum',
  'Cinemart Cinemas',
  'Unisphere',
  'Resorts Night Club',
  'Flushing Library',
  'Nan Xiang Restaurant',
];

/** Runs an action for each item, with limited concurrency. */
async function forEach<T>(items: T[], action: (item: T, index: number) => Promise<unknown>, concurrency = 8) {
  const queue = [...items.entries()];
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) await action(next[1], next[0]);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

async function createUsers(network: Network, count: number): Promise<TestUser[]> {
  const users: TestUser[] = [];
  await forEach(numbers(count), async (index) => {
    const long = index % 10 === 0;
    const number = String(index).padStart(3, '0');
    const user = await newUser(network, long ? longName.slice(0, 27) + number : `walker-${number}`);
    users[index] = user;
    const profile = long
      ? { firstName: longName, lastName: longName, city: longPlace, state: 'NY' }
      : { firstName: 'Robin', lastName: `Walker ${number}`, city: 'Flushing', state: 'NY' };
    if (index % 3 === 0) await user.client.updateMe({ body: profile });
  });
  return users;
}

async function createChallenges(creator: TestUser, count: number): Promise<number[]> {
  const ids: number[] = [];
  await forEach(numbers(count), async (index) => {
    const long = index % 20 === 19;
    const dates = index % 4 === 0 ? { startDate: localDate(-20), endDate: localDate(10 + (index % 9)) } : {};
    const { id } = await newChallenge(creator, {
      name: long ? longName : `Walk number ${index} along the water`,
      description: `Go there, and look for what ${long ? longName.repeat(3) : 'has changed'} since the last time.`,
      difficulty: (['Easy', 'Medium', 'Hard'] as const)[index % 3] ?? 'Easy',
      locationName: long ? longPlace : (locationNames[index % locationNames.length] ?? ''),
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

/** Makes two users friends; returns the id of their friendship. */
async function befriend(sender: TestUser, recipient: TestUser) {
  const { id } = await sender.client.requestFriend({ body: { friendId: recipient.me.id } });
  await recipient.client.acceptFriend({ params: { id } });
  return id;
}

async function join(client: Client, challengeId: number, completed: boolean): Promise<number> {
  const { id } = await client.joinChallenge({ body: { challengeId } });
  if (completed) await client.updateParticipation({ params: { id }, body: { completed } });
  return id;
}

/** Renders a JPEG of hills under a sky. */
const renderPhoto = (width: number, height: number) =>
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

/** Adds a note and a photo to a completed participation; the format of the photo depends on the index. */
async function addLogEntry(client: Client, id: number, index: number) {
  await client.updateNote({ params: { id }, body: { note: notes[index % notes.length] ?? '' } });
  const [width, height] = index % 2 ? [600, 1_100] : [1_280, 800];
  const photo = await renderPhoto(width ?? 0, height ?? 0);
  await client.updatePhoto({
    params: { id },
    body: new Blob([Uint8Array.from(photo)], { type: 'image/jpeg' }),
  });
}

const texts = [
  'Have you been to the park today?',
  'Yes! The cherry trees are out.',
  `See https://example.com/${'a-long-way-'.repeat(8)}home for the way.`,
  longName.repeat(2),
  'Two lines:\nthe second one.',
];

/** Sends messages one after the other: concurrent ones would conflict in the conversation. */
async function exchangeMessages(
  sender: TestUser,
  recipient: TestUser,
  conversationId: number,
  count: number,
) {
  for (const index of numbers(count)) {
    const { client } = index % 3 ? sender : recipient;
    const text = texts[index % texts.length] ?? '';
    await client.sendMessage({ body: { conversationId, sender: 0, text } });
  }
}

/** Returns the item at an index; throws if there is none. */
function at<T>(items: T[], index: number): T {
  const item = items[index];
  if (item === undefined) throw new Error(`no item at index ${index}`);
  return item;
}

/** Fills an empty network with a realistic amount of data, by public calls only. */
export async function seedNetwork(network: Network, size: SeedSize = 'large'): Promise<SeedData> {
  const amounts = sizes[size];
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
  const users = await createUsers(network, amounts.users);
  const creator = at(users, 1);
  const challengeIds = await createChallenges(creator, amounts.challenges);
  const base = { city: 'Flushing', state: 'NY', locationName: 'Bowne Park' };
  const upcoming = await newChallenge(creator, {
    ...base,
    name: 'Greet the first snow',
    startDate: localDate(20),
    endDate: localDate(40),
    position: { lat: 40.771, lng: -73.807 },
  });
  const ended = await newChallenge(creator, { ...base, name: 'Hear the last bell', endDate: localDate(-20) });
  const minimal = await newChallenge(creator, { name: 'Go out' });
  const popular = at(challengeIds, amounts.challenges - 1);
  const chosen = challengeIds.slice(-20);
  const own = await newChallenge(regular, { ...base, name: longName, description: longName.repeat(3) });

  const friends = users.slice(0, amounts.friends);
  await forEach(friends, (friend) => befriend(friend, regular));
  const requesters = users.slice(amounts.friends, amounts.friends + amounts.requesters);
  await forEach(requesters, ({ client }) => client.requestFriend({ body: { friendId: regular.me.id } }));
  // Users who are neither friends nor have sent a request.
  const others = users.slice(amounts.friends + amounts.requesters);
  const requested = at(others, 0);
  await regular.client.requestFriend({ body: { friendId: requested.me.id } });
  const friend = at(friends, 10);
  const open = ({ me }: TestUser) => regular.client.openConversation({ body: { friend: { id: me.id } } });
  const long = await open(friend);
  const empty = await open(at(friends, 11));
  const formerFriend = at(others, 1);
  const friendship = await befriend(formerFriend, regular);
  const unfriended = await open(formerFriend);
  await regular.client.removeFriend({ params: { id: friendship } });

  const privateUser = at(others, 3);
  await privateUser.client.updatePrivacy({ body: { name: 'me', town: 'me', participation: 'me' } });
  const withHiddenParticipants = await newChallenge(privateUser, { ...base, name: 'Hear nothing at all' });

  const atOldOak = { position: { lat: 40.772, lng: -73.808 } };
  const checkedIn = await newChallenge(creator, {
    ...base,
    ...atOldOak,
    name: 'Touch the old oak',
    checkInRequired: true,
  });
  const checkIn = async ({ client }: TestUser) => {
    const { id } = await client.joinChallenge({ body: { challengeId: checkedIn.id } });
    const position = { ...atOldOak.position, accuracy: 9, secondsAgo: 0 };
    await client.updateParticipation({ params: { id }, body: { completed: true, position } });
  };

  const participate = async () => {
    const participationIds: number[] = [];
    await forEach(users, async ({ client }, index) => {
      participationIds[index] = await join(client, popular, index % 2 === 1);
    });
    for (const index of [0, 1, 2, 3]) {
      const last = users.length - 1 - 2 * index;
      await addLogEntry(at(users, last).client, at(participationIds, last), index);
    }
    await join(privateUser.client, withHiddenParticipants.id, true);
    await checkIn(friend);
    await join(regular.client, checkedIn.id, false);
    for (const index of numbers(12)) {
      const id = await join(regular.client, at(chosen, index), index < 6);
      if (index === 0) await addLogEntry(regular.client, id, 1);
    }
  };
  const report = async ({ client }: TestUser) => {
    const comment = longName.repeat(12);
    await client.report({ body: { kind: 'challenge', id: own.id, reason: 'privacy', comment } });
    await client.report({ body: { kind: 'user', id: regular.me.id, reason: 'abuse', comment } });
  };
  await Promise.all([
    exchangeMessages(friend, regular, long.id, amounts.messages),
    participate(),
    report(at(others, 2)),
  ]);
  // Some completions of the regular user are implausible, so that they are queued for review.
  const completions = await regular.client.listParticipations({ query: { completed: 'true' } });
  for (const [index, flagReason] of (['travel', 'pace'] as const).entries()) {
    const {
      id: participationId,
      challengeId,
      userId,
      points,
      completedAt,
      challenge,
    } = at(completions, index);
    const participation = { participationId, challengeId, userId, points, creatorId: challenge.creator.id };
    await network.bus.publish(
      newEvent('challenge.completed.v1', {
        ...participation,
        flagReason,
        completedAt: completedAt ?? '',
        challenge: { name: challenge.name, createdAt: challenge.createdAt },
      }),
    );
  }
  await network.settle();
  return {
    regular,
    friend,
    stranger: at(others, 4),
    privateUser,
    requester: at(requesters, 0),
    requested,
    challenge: {
      popular,
      joined: at(chosen, 10),
      completed: at(chosen, 0),
      checkedIn: checkedIn.id,
      upcoming: upcoming.id,
      ended: ended.id,
      minimal: minimal.id,
      own: own.id,
      withHiddenParticipants: withHiddenParticipants.id,
    },
    conversation: { long: long.id, empty: empty.id, unfriended: unfriended.id },
  };
}
