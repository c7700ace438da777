import { newEvent } from '@wayquest/platform/bus';
import { type IsolatedService, signToken, startIsolatedService } from '@wayquest/testing';
import { createChatService } from '../src/index.ts';

let chat: IsolatedService;
beforeAll(async () => {
  chat = await startIsolatedService({
    service: 'chat',
    create: (deps) =>
      createChatService({ ...deps, messagesPerMinute: 100, friendsUrl: () => 'http://127.0.0.1:9' }),
  });
  for (const id of [1, 2]) {
    const names = { username: `person-${id}`, firstName: '', lastName: '' };
    const user = { id, ...names, city: '', state: '', avatar: `explorer-${id}.svg`, points: 0 };
    await chat.deliver(newEvent('user.profile-changed.v1', { user, version: 1 }));
  }
});
afterAll(() => chat?.stop());

const conversations = (userId: number) =>
  chat.client(signToken({ sub: String(userId) })).listConversations({ params: { userId } });

it('creates no conversation if the end of a friendship arrives before its beginning', async () => {
  const friendship = { requestId: 1, userIds: [1, 2] as [number, number] };
  await chat.deliver(newEvent('friend.removed.v1', friendship));
  await chat.deliver(newEvent('friend.accepted.v1', friendship));
  await chat.settle();
  expect(await conversations(1)).toEqual([]);
  expect(chat.published).toEqual([]);

  await chat.deliver(newEvent('friend.accepted.v1', { ...friendship, requestId: 2 }));
  await chat.settle();
  expect(await conversations(2)).toMatchObject([{ user: { id: 1 }, open: true }]);
  expect(chat.published).toMatchObject([{ name: 'conversation.created.v1' }]);
});
