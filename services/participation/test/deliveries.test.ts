import { newEvent } from '@wayquest/platform/bus';
import {
  expectSameResponses,
  type Network,
  newChallenge,
  newUser,
  readCollections,
  recordEvents,
  startNetwork,
} from '@wayquest/testing';
import { unlimited } from './unlimited.ts';

let network: Network;
beforeAll(async () => {
  network = await startNetwork();
});
afterAll(() => network?.stop());

it('shows the same participations in whatever order its events arrive', async () => {
  const history = recordEvents(network);
  const [ann, bob] = [await newUser(network), await newUser(network)];
  const place = { locationName: 'Queens Museum', city: 'Corona', state: 'NY' };
  const challenges = [await newChallenge(ann, place), await newChallenge(ann, { points: 40 })];
  const deleted = await newChallenge(ann);
  for (const challenge of [...challenges, deleted]) {
    for (const { client } of [ann, bob]) await client.joinChallenge({ body: challenge });
  }
  await network.settle();
  const stored = await readCollections(network, 'participation', ['participations']);

  const admin = network.client(network.signToken({ sub: '900001', admin: true }));
  await admin.deleteChallenge({ params: { id: deleted.id } });
  await ann.client.updateMe({ body: { username: `${ann.username}-two` } });
  for (const city of ['Hoboken', 'Queens', 'Newark']) await bob.client.updateMe({ body: { city } });
  for (const { me } of [ann, bob]) {
    for (const id of [7_000_001, 7_000_002]) {
      const participation = { participationId: id, challengeId: id, userId: me.id };
      const completed = {
        ...participation,
        points: 9,
        creatorId: 999_999,
        completedAt: new Date().toISOString(),
      };
      await network.bus.publish(newEvent('challenge.completed.v1', completed));
    }
  }
  await network.settle();

  const responsesOf = async (clientOf: Network['client']) => ({
    anns: await clientOf(network.signToken({ sub: String(ann.me.id) })).listParticipations(),
    ofChallenges: await Promise.all(
      [...challenges, deleted].map(({ id }) => clientOf().listParticipations({ query: { challengeId: id } })),
    ),
  });
  const responses = await expectSameResponses({
    service: 'participation',
    create: unlimited(() => network.services.challenges.url()),
    stored,
    history,
    readResponses: ({ client }) => responsesOf(client),
  });
  expect(responses).toEqual(await responsesOf(network.client));
  expect(responses.ofChallenges.map(({ length }) => length)).toEqual([2, 2, 0]);
  expect(responses.ofChallenges[0]).toMatchObject([
    { challenge: { position: { lat: 40.7459 } }, user: { username: `${ann.username}-two`, points: 18 } },
    { challenge: { position: { lat: 40.7459 } }, user: { city: 'Newark', points: 18 } },
  ]);
});

it('hides the same users in whatever order the events of blocks arrive', async () => {
  const [ann, bob, cid] = [await newUser(network), await newUser(network), await newUser(network)];
  const { id: challengeId } = await newChallenge(ann);
  for (const { client } of [ann, bob, cid]) await client.joinChallenge({ body: { challengeId } });
  await network.settle();
  const stored = await readCollections(network, 'participation', ['participations', 'users', 'challenges']);
  const history = recordEvents(network);
  for (const userId of [bob.me.id, cid.me.id]) await ann.client.blockUser({ body: { userId } });
  await ann.client.unblockUser({ params: { userId: bob.me.id } });
  await network.settle();
  const responses = await expectSameResponses({
    service: 'participation',
    create: unlimited(() => network.services.challenges.url()),
    stored,
    history,
    readResponses: ({ client }) => client(ann.token).listParticipations({ query: { challengeId } }),
  });
  expect(responses.map(({ userId }) => userId)).toEqual([ann.me.id, bob.me.id]);
});
