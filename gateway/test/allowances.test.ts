import { type Network, newChallenge, newUser, startNetwork } from '@wayquest/testing';
import sharp from 'sharp';

let network: Network;
beforeAll(async () => {
  network = await startNetwork({
    settings: {
      CHALLENGES_PER_MINUTE: '3',
      COMPLETIONS_PER_DAY: '2',
      MESSAGES_PER_MINUTE: '3',
      PICTURES_PER_HOUR: '2',
    },
  });
});
afterAll(() => network?.stop());

const refused = (sentence: string) => ({ status: 429, message: sentence });

it('lets one person make so many challenges, and others theirs', async () => {
  const [ann, bob] = await Promise.all([newUser(network), newUser(network)]);
  for (let n = 0; n < 3; n++) await newChallenge(ann);
  await expect(newChallenge(ann)).rejects.toMatchObject(
    refused('That were 3 challenges in a minute. Please wait a moment.'),
  );
  await newChallenge(bob);
});

it('lets one person change what they made so often', async () => {
  const ann = await newUser(network);
  const { id } = await newChallenge(ann);
  const rename = (n: number) =>
    ann.client.updateChallenge({ params: { id }, body: { name: `Walk ${n}`, difficulty: 'Easy' } });
  for (let n = 0; n < 3; n++) await rename(n);
  await expect(rename(3)).rejects.toMatchObject(
    refused('That were 3 changes in a minute. Please wait a moment.'),
  );
});

it('lets one person complete so many, and counts none that was completed before', async () => {
  const [ann, bob] = await Promise.all([newUser(network), newUser(network)]);
  const lineIds: number[] = [];
  for (let n = 0; n < 3; n++) {
    const { id: challengeId } = await newChallenge(bob);
    lineIds.push((await ann.client.joinChallenge({ body: { challengeId } })).id);
  }
  const complete = (n: number) =>
    ann.client.updateLine({ params: { id: lineIds[n] ?? 0 }, body: { completed: true } });
  await complete(0);
  for (let again = 0; again < 3; again++) await complete(0);
  await complete(1);
  await expect(complete(2)).rejects.toMatchObject(
    refused('That were 2 completed challenges in a day. Please go on tomorrow.'),
  );
  const [last] = await ann.client.listLines();
  expect(last).toMatchObject({ completed: false });
});

it('lets one person write so much to one other', async () => {
  const [ann, bob] = await Promise.all([newUser(network), newUser(network)]);
  const { id } = await ann.client.requestFriend({ body: { friendId: bob.me.id } });
  await bob.client.acceptFriend({ params: { id } });
  const { id: conversationId } = await ann.client.openConversation({ body: { friend: bob.me } });
  const send = (from: typeof ann) => from.client.sendMessage({ body: { text: 'Hi', conversationId } });
  for (let n = 0; n < 3; n++) await send(ann);
  await expect(send(ann)).rejects.toMatchObject(
    refused('That were many messages at once. Please wait a moment before the next one.'),
  );
  await send(bob);
});

it('lets one person choose so many pictures', async () => {
  const ann = await newUser(network);
  const color = sharp({ create: { width: 80, height: 80, channels: 3, background: 'teal' } });
  const body = await color.png().toBuffer();
  const choose = () =>
    fetch(`${network.url}/auth/me/picture`, {
      method: 'PUT',
      headers: { authorization: ann.token, 'content-type': 'image/png' },
      body: new Uint8Array(body),
    });
  expect([(await choose()).status, (await choose()).status]).toEqual([200, 200]);
  const third = await choose();
  expect(third.status).toBe(429);
  expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(3_000);
});
