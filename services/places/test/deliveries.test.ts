import {
  expectSameResponses,
  type Network,
  newChallenge,
  newUser,
  recordEvents,
  startNetwork,
} from '@wayquest/testing';
import { createPlacesService } from '../src/index.ts';

let network: Network;
beforeAll(async () => {
  network = await startNetwork({
    services: ['auth', 'users', 'challenges', 'places'],
    places: { preload: true },
  });
});
afterAll(() => network?.stop());

it('publishes the position of each challenge once, in whatever order its events arrive', async () => {
  const history = recordEvents(network);
  const ann = await newUser(network);
  const museum = await newChallenge(ann, { locationName: 'Queens Museum', city: 'Corona', state: 'NY' });
  const same = await newChallenge(ann, { locationName: 'Queens Museum', zip: '11368' });
  await newChallenge(ann, { locationName: 'My garden', city: 'Flushing', state: 'NY' });
  await newChallenge(ann, { position: { lat: 40.5, lng: -73.9 } });
  await ann.client.updateMe({ body: { username: `${ann.username}-two` } });
  await network.settle();

  const inOrder = await expectSameResponses({
    service: 'places',
    create: createPlacesService,
    history,
    readResponses: async ({ published }) =>
      published
        .flatMap(({ name, data }) => (name === 'challenge.located.v1' ? [data] : []))
        .sort((a, b) => a.challengeId - b.challengeId),
  });
  const position = { lat: 40.7459, lng: -73.8467 };
  expect(inOrder).toEqual([museum, same].map(({ id }) => ({ challengeId: id, position })));
});
