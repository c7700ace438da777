import type { Client } from '@wayquest/contracts';
import {
  expectSameResponses,
  type Network,
  newChallenge,
  newUser,
  recordEvents,
  startNetwork,
} from '@wayquest/testing';
import { createNotificationsService } from '../src/index.ts';

let network: Network;
beforeAll(async () => {
  network = await startNetwork({
    services: ['auth', 'users', 'challenges', 'participation', 'friends', 'notifications'],
  });
});
afterAll(() => network?.stop());

/** A user's notifications without what depends on the order of events: the time, and the order of people. */
const notificationsOf = async (client: Client) => {
  const notifications = await client.listNotifications();
  return notifications
    .map(({ at: _, people, ...rest }) => ({
      ...rest,
      people: people.map(({ username }) => username).sort(),
    }))
    .sort((one, other) => one.id.localeCompare(other.id));
};

it('creates the same notifications in whatever order its events arrive', async () => {
  const history = recordEvents(network);
  const [maker, ann, bob] = [await newUser(network), await newUser(network), await newUser(network)];
  const challenge = await newChallenge(maker);
  const participation = await ann.client.joinChallenge({ body: challenge });
  await bob.client.joinChallenge({ body: challenge });
  await ann.client.leaveChallenge({ params: { id: participation.id } });
  const again = await ann.client.joinChallenge({ body: challenge });
  await ann.client.updateParticipation({ params: { id: again.id }, body: { completed: true } });
  const deleted = await newChallenge(maker);
  await bob.client.joinChallenge({ body: deleted });
  const admin = network.client(network.signToken({ sub: '900001', admin: true }));
  await network.settle();
  await admin.deleteChallenge({ params: { id: deleted.id } });
  // One request is accepted, one is canceled, one is pending.
  const accepted = await maker.client.requestFriend({ body: { friendId: ann.me.id } });
  await ann.client.acceptFriend({ params: { id: accepted.id } });
  const canceled = await bob.client.requestFriend({ body: { friendId: ann.me.id } });
  await bob.client.removeFriend({ params: { id: canceled.id } });
  await bob.client.requestFriend({ body: { friendId: maker.me.id } });
  await network.settle();

  const responses = await expectSameResponses({
    service: 'notifications',
    create: (deps) =>
      createNotificationsService({
        ...deps,
        challengesUrl: () => network.services.challenges.url(),
        push: { services: [], contact: 'mailto:nobody@wayquest.example' },
      }),
    history,
    readResponses: async ({ client }) => ({
      makers: await notificationsOf(client(maker.token)),
      anns: await notificationsOf(client(ann.token)),
    }),
  });
  expect(responses.makers.map(({ kind, people }) => [kind, people])).toEqual([
    ['challenge-completed', [ann.username]],
    ['challenge-joined', [ann.username, bob.username].sort()],
    ['friend-accepted', [ann.username]],
    ['friend-requested', [bob.username]],
  ]);
  expect(responses.anns).toEqual([]);
});
