import { type Network, newChallenge, newUser, startNetwork, type TestUser } from '@wayquest/testing';
import sharp from 'sharp';

let network: Network;
beforeAll(async () => {
  network = await startNetwork({
    settings: {
      CHALLENGES_PER_MINUTE: '3',
      COMPLETIONS_PER_DAY: '2',
      MESSAGES_PER_MINUTE: '6',
      MESSAGES_UNANSWERED: '3',
      FRIEND_REQUESTS_PER_DAY: '4',
      NEW_ACCOUNT_HOURS: '24',
      NEW_ACCOUNT_WEIGHT: '2',
      PICTURES_PER_HOUR: '2',
      PHOTOS_PER_HOUR: '1',
    },
  });
});
afterAll(() => network?.stop());

/** Creates a user whose account does not count as new: their token lacks the account's age, as older tokens do. */
async function establishedUser(): Promise<TestUser> {
  const user = await newUser(network);
  const token = network.signToken({ sub: String(user.me.id), username: user.username });
  return { ...user, token, client: network.client(token) };
}

const rejection = (message: string) => ({ status: 429, message });

it('limits new challenges per account', async () => {
  const [ann, bob] = await Promise.all([establishedUser(), establishedUser()]);
  for (let n = 0; n < 3; n++) await newChallenge(ann);
  await expect(newChallenge(ann)).rejects.toMatchObject(
    rejection("You've reached the limit of 3 challenges a minute. Please wait a moment."),
  );
  await newChallenge(bob);
});

it('limits changes of challenges per account', async () => {
  const ann = await establishedUser();
  const { id } = await newChallenge(ann);
  const rename = (n: number) =>
    ann.client.updateChallenge({ params: { id }, body: { name: `Walk ${n}`, difficulty: 'Easy' } });
  for (let n = 0; n < 3; n++) await rename(n);
  await expect(rename(3)).rejects.toMatchObject(
    rejection("You've reached the limit of 3 changes a minute. Please wait a moment."),
  );
});

it('limits completions, without counting a challenge that was completed before', async () => {
  const [ann, bob] = await Promise.all([establishedUser(), establishedUser()]);
  const participationIds: number[] = [];
  for (let n = 0; n < 3; n++) {
    const { id: challengeId } = await newChallenge(bob);
    participationIds.push((await ann.client.joinChallenge({ body: { challengeId } })).id);
  }
  const complete = (n: number) =>
    ann.client.updateParticipation({ params: { id: participationIds[n] ?? 0 }, body: { completed: true } });
  await complete(0);
  for (let again = 0; again < 3; again++) await complete(0);
  await complete(1);
  await expect(complete(2)).rejects.toMatchObject(
    rejection("You've reached the limit of 2 completed challenges a day. Please try again tomorrow."),
  );
  const [last] = await ann.client.listParticipations();
  expect(last).toMatchObject({ completed: false });
});

async function conversationOf(ann: TestUser, bob: TestUser) {
  const { id } = await ann.client.requestFriend({ body: { friendId: bob.me.id } });
  await bob.client.acceptFriend({ params: { id } });
  const { id: conversationId } = await ann.client.openConversation({ body: { friend: bob.me } });
  return (from: TestUser, clientId?: string) =>
    from.client.sendMessage({ body: { text: 'Hi', conversationId, ...(clientId && { clientId }) } });
}

it('limits messages, and more strictly to a user who has not replied', async () => {
  const [ann, bob] = [await establishedUser(), await establishedUser()];
  const send = await conversationOf(ann, bob);
  const first = await send(ann, 'first');
  for (let n = 0; n < 2; n++) await send(ann);
  await expect(send(ann)).rejects.toMatchObject({
    problem: { code: 'awaiting-reply' },
    message: "They haven't replied yet. Please wait for a reply before you send more.",
  });
  // A repeated message returns the first one despite the limit.
  expect(await send(ann, 'first')).toEqual(first);
  await send(bob);
  await send(ann);
  await expect(send(ann)).rejects.toMatchObject(
    rejection("You're sending messages too quickly. Please wait a moment."),
  );
  for (let n = 0; n < 4; n++) await send(bob);
});

it('limits friend requests per day, without counting repeated ones', async () => {
  const [ann, ...others] = await Promise.all(Array.from({ length: 6 }, establishedUser));
  const request = (n: number) => ann?.client.requestFriend({ body: { friendId: others[n]?.me.id ?? 0 } });
  for (let n = 0; n < 4; n++) await request(n);
  await request(0);
  await expect(request(4)).rejects.toMatchObject(
    rejection("You've reached today's limit. Please try again tomorrow."),
  );
});

it('counts actions of a new account with a higher weight', async () => {
  const [ann, bob, cleo, dan] = await Promise.all(Array.from({ length: 4 }, () => newUser(network)));
  if (!ann || !bob || !cleo || !dan) throw new Error('a user is missing');
  await newChallenge(ann);
  await expect(newChallenge(ann)).rejects.toMatchObject(
    rejection(
      "You've reached the limit of 1 challenge a minute. Please wait a moment. New accounts have lower limits.",
    ),
  );
  const send = await conversationOf(ann, bob);
  await send(bob);
  for (let n = 0; n < 3; n++) await send(ann);
  await expect(send(ann)).rejects.toMatchObject({ problem: { code: 'too-many-requests' } });
  await ann.client.requestFriend({ body: { friendId: cleo.me.id } });
  await expect(ann.client.requestFriend({ body: { friendId: dan.me.id } })).rejects.toMatchObject({
    problem: { code: 'daily-limit-reached' },
  });
});

it('limits uploads of pictures', async () => {
  const ann = await establishedUser();
  const color = sharp({ create: { width: 80, height: 80, channels: 3, background: 'teal' } });
  const body = await color.png().toBuffer();
  const upload = () =>
    fetch(`${network.url}/auth/me/picture`, {
      method: 'PUT',
      headers: { authorization: ann.token, 'content-type': 'image/png' },
      body: new Uint8Array(body),
    });
  expect([(await upload()).status, (await upload()).status]).toEqual([200, 200]);
  const third = await upload();
  expect(third.status).toBe(429);
  expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(3_000);
});

it('limits photos of completions and changes of notes', async () => {
  const [ann, bob] = await Promise.all([establishedUser(), establishedUser()]);
  const { id: challengeId } = await newChallenge(bob);
  const { id } = await ann.client.joinChallenge({ body: { challengeId } });
  const params = { id };
  await ann.client.updateParticipation({ params, body: { completed: true } });
  const color = sharp({ create: { width: 80, height: 80, channels: 3, background: 'teal' } });
  const body = new Blob([new Uint8Array(await color.png().toBuffer())], { type: 'image/png' });
  await ann.client.updatePhoto({ params, body });
  await expect(ann.client.updatePhoto({ params, body })).rejects.toMatchObject(
    rejection("You've reached the limit of 1 photo an hour. Please try again later."),
  );
  const note = (text: string) => ann.client.updateNote({ params, body: { note: text } });
  await note('One');
  await expect(note('Two')).rejects.toMatchObject(
    rejection("You've reached the limit of 2 changes a day. Please try again tomorrow."),
  );
});
