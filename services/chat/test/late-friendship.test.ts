import { newEvent } from '@wayquest/platform/bus';
import {
  type IsolatedService,
  type Network,
  newUser,
  signToken,
  startIsolatedService,
  startNetwork,
} from '@wayquest/testing';
import { createChatService } from '../src/index.ts';

let network: Network;
let chat: IsolatedService;
beforeAll(async () => {
  network = await startNetwork({ services: ['auth', 'users', 'friends'] });
  chat = await startIsolatedService({
    service: 'chat',
    create: (deps) =>
      createChatService({
        ...deps,
        messagesPerMinute: 100,
        friendsUrl: () => network.services.friends.url(),
      }),
  });
  for (const id of [9_001, 9_002]) {
    const names = { username: `person-${id}`, firstName: '', lastName: '' };
    const user = { id, ...names, city: '', state: '', avatar: `explorer-${id}.svg`, points: 0 };
    await chat.deliver(newEvent('user.profile-changed.v1', { user, version: 1 }));
  }
});
afterAll(async () => {
  await chat?.stop();
  await network?.stop();
});

const conversations = (userId: number) =>
  chat.client(signToken({ sub: String(userId) })).listConversations({ params: { userId } });

it('creates no conversation if the end of a friendship arrives before its beginning', async () => {
  const friendship = { requestId: 9_001, userIds: [9_001, 9_002] as [number, number] };
  await chat.deliver(newEvent('friend.removed.v1', friendship));
  await chat.deliver(newEvent('friend.accepted.v1', friendship));
  await chat.settle();
  expect(await conversations(9_001)).toEqual([]);
  expect(chat.published).toEqual([]);

  await chat.deliver(newEvent('friend.accepted.v1', { ...friendship, requestId: 9_002 }));
  await chat.settle();
  expect(await conversations(9_002)).toMatchObject([{ user: { id: 9_001 }, open: true }]);
  expect(chat.published).toMatchObject([{ name: 'conversation.created.v1' }]);
});

it('creates a conversation of new friends on request if their friendship’s event has not arrived', async () => {
  const [ann, bob] = [await newUser(network), await newUser(network)];
  const { id } = await ann.client.requestFriend({ body: { friendId: bob.me.id } });
  await bob.client.acceptFriend({ params: { id } });
  const open = () =>
    fetch(`${chat.url}/api/conversations`, {
      method: 'POST',
      headers: { authorization: ann.token, 'content-type': 'application/json' },
      body: JSON.stringify({ friend: bob.me }),
    });
  expect((await open()).status).toBe(201);
  expect((await open()).status).toBe(200);
});
