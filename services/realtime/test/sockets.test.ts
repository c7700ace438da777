import { generateKeyPairSync } from 'node:crypto';
import {
  closeTabs,
  eventually,
  monitoredStoreUrl,
  type Network,
  newChallenge,
  newUser,
  openTab,
  recordCommands,
  startNetwork,
  type TestUser,
} from '@wayquest/testing';

let network: Network;
beforeAll(async () => {
  network = await startNetwork({ mongo: monitoredStoreUrl() });
});
afterEach(closeTabs);
afterAll(() => network?.stop());

const tabOf = ({ token }: TestUser, transports?: string[]) => openTab(network.url, token, transports);

async function friends() {
  const [ann, bob] = await Promise.all([newUser(network), newUser(network)]);
  const { id: requestId } = await ann.client.requestFriend({ body: { friendId: bob.me.id } });
  await bob.client.acceptFriend({ params: { id: requestId } });
  const { id } = await ann.client.openConversation({ body: { friend: bob.me } });
  await network.settle();
  return { ann, bob, requestId, id };
}

describe('a socket', () => {
  it.each([
    ['no token', () => undefined, 'unauthenticated'],
    ['an empty token', () => '', 'unauthenticated'],
    ['something that is no text', () => ({ $gt: '' }), 'unauthenticated'],
    ['nonsense', () => 'nonsense', 'invalid-token'],
    ['an expired token', () => network.signToken({ exp: 1 }), 'invalid-token'],
    [
      'a token of another key',
      () =>
        network.signToken(
          {},
          generateKeyPairSync('rsa', { modulusLength: 2048 })
            .privateKey.export({ type: 'pkcs8', format: 'pem' })
            .toString(),
        ),
      'invalid-token',
    ],
  ])('is rejected with %s', async (_, tokenFor, code) => {
    await expect(openTab(network.url, tokenFor())).rejects.toMatchObject({ data: { code } });
    await expect(openTab(network.url, tokenFor(), ['polling'])).rejects.toMatchObject({ data: { code } });
  });

  it('is disconnected when its token is revoked; the user’s other sockets are not', async () => {
    const ann = await newUser(network);
    const { token: other } = await network
      .client()
      .login({ body: { username: ann.username, password: 'correct horse battery staple' } });
    const [first, second] = [await tabOf(ann), await openTab(network.url, other)];
    await ann.client.logout();
    await eventually(() => !first.socket.connected);
    expect(second.socket.connected).toBe(true);
    await expect(tabOf(ann)).rejects.toMatchObject({ data: { code: 'invalid-token' } });
  });

  it('is checked together with the user’s other sockets, with one query', async () => {
    const ann = await newUser(network);
    const { token: other } = await network
      .client()
      .login({ body: { username: ann.username, password: 'correct horse battery staple' } });
    const [first, second, third] = [await tabOf(ann), await tabOf(ann), await openTab(network.url, other)];
    await network.settle();
    const commands = recordCommands(`${network.databasePrefix}_realtime`);
    await network.client(other).logout();
    await eventually(() => !third.socket.connected);
    expect([first.socket.connected, second.socket.connected]).toEqual([true, true]);
    const queries = commands.filter(({ command }) => command.find === 'revocations');
    expect(queries).toHaveLength(1);
  });

  it('cannot send on behalf of another user', async () => {
    const { ann, bob } = await friends();
    const tab = await tabOf(ann);
    expect(await tab.socket.emitWithAck('addUser', ann.me.id)).toEqual({ ok: true });
    const forged = [
      await tab.socket.emitWithAck('addUser', bob.me.id),
      await tab.socket.emitWithAck('sendMessage', {
        senderId: bob.me.id,
        receiverId: ann.me.id,
        text: 'It is me, Bob',
      }),
    ];
    for (const response of forged)
      expect(response).toMatchObject({ ok: false, problem: { code: 'forbidden' } });
  });

  it('receives no presence and no events of strangers', async () => {
    const { ann } = await friends();
    const cleo = await newUser(network);
    const [annsTab, cleosTab] = [await tabOf(ann), await tabOf(cleo)];
    expect(
      await cleosTab.socket.emitWithAck('sendMessage', {
        senderId: cleo.me.id,
        receiverId: ann.me.id,
        text: 'Hi',
      }),
    ).toMatchObject({ ok: false, problem: { code: 'not-friends' } });
    expect(await cleosTab.socket.emitWithAck('typing', { receiverId: ann.me.id })).toMatchObject({
      ok: false,
      problem: { code: 'not-friends' },
    });
    expect(annsTab.received.typing).toEqual([]);
    expect(annsTab.onlineFriends()).toEqual([]);
  });

  it.each<[string, string, unknown]>([
    ['addUser', 'nonsense', 'nonsense'],
    ['addUser', 'an operator', { $gt: 0 }],
    ['sendMessage', 'nothing', null],
    ['sendMessage', 'blank text', { senderId: 1, receiverId: 2, text: '  ' }],
    ['sendMessage', '2001 characters', { senderId: 1, receiverId: 2, text: 'x'.repeat(2_001) }],
    ['typing', 'no id', { receiverId: -1 }],
  ])('responds to %s with %s by naming the error', async (name, _, data) => {
    const tab = await tabOf(await newUser(network));
    expect(await tab.emit(name, data)).toMatchObject({ ok: false, problem: { code: 'invalid-request' } });
  });

  it('is disconnected when it sends a megabyte; others are not', async () => {
    const { ann, bob } = await friends();
    const [annsTab, bobsTab] = [await tabOf(ann), await tabOf(bob)];
    const disconnected = new Promise((resolve) => annsTab.socket.once('disconnect', resolve));
    annsTab.socket.emit('sendMessage', {
      senderId: ann.me.id,
      receiverId: bob.me.id,
      text: 'x'.repeat(1_000_000),
    });
    await disconnected;
    expect(bobsTab.socket.connected).toBe(true);
  });

  it('is limited to a hundred events in ten seconds', async () => {
    const ann = await newUser(network);
    const tab = await tabOf(ann);
    const responses = await Promise.all(
      Array.from({ length: 120 }, () => tab.socket.emitWithAck('addUser', ann.me.id)),
    );
    expect(responses.filter(({ ok }) => ok)).toHaveLength(100);
    expect(responses.at(-1)).toMatchObject({ problem: { code: 'too-many-requests' } });
  });
});

describe.each([[['websocket']], [['polling']]])('over %s', (transports) => {
  it('delivers a message once to every tab of both users', async () => {
    const { ann, bob, id } = await friends();
    const cleo = await newUser(network);
    const tabs = [
      await tabOf(ann, transports),
      await tabOf(ann, transports),
      await tabOf(bob, transports),
      await tabOf(bob, transports),
    ];
    const cleos = await tabOf(cleo, transports);
    const body = { sender: ann.me.id, text: 'Hello', conversationId: id, clientId: 'one' };
    // What its caller can do with it is not for everybody.
    const { can: _, ...message } = await ann.client.sendMessage({ body });
    await ann.client.sendMessage({ body });
    const { can: __, ...last } = await bob.client.sendMessage({ body: { text: 'Bye', conversationId: id } });
    const expected = [
      { ...message, senderId: ann.me.id, receiverId: bob.me.id },
      { ...last, senderId: bob.me.id, receiverId: ann.me.id },
    ];
    await eventually(() => tabs.every(({ received }) => received.getMessage.length >= 2));
    await network.settle();
    for (const { received } of tabs) {
      expect(received.getMessage.toSorted((a, b) => a.id - b.id)).toEqual(expected);
    }
    expect(cleos.received.getMessage).toEqual([]);
  });
});

describe('live events', () => {
  it('are delivered: requests, conversations, read marks, typing, points', async () => {
    const [ann, bob] = await Promise.all([newUser(network), newUser(network)]);
    const [annsTab, bobsTab] = [await tabOf(ann), await tabOf(bob)];
    const both = [ann.me.id, bob.me.id];

    const { id: requestId } = await ann.client.requestFriend({ body: { friendId: bob.me.id } });
    await eventually(() => bobsTab.received.friendRequest.length === 1);
    await bob.client.acceptFriend({ params: { id: requestId } });
    await eventually(() => annsTab.received.friendRequest.length === 2);
    expect(annsTab.received.friendRequest).toEqual([
      { requestId, userIds: both, status: 'pending' },
      { requestId, userIds: both, status: 'accepted' },
    ]);
    await eventually(() => [annsTab, bobsTab].every(({ received }) => received.conversation.length === 1));
    const [conversation] = bobsTab.received.conversation;
    const id = conversation?.conversationId ?? 0;
    expect(conversation).toEqual({ conversationId: id, senderId: ann.me.id, receiverId: bob.me.id });

    expect(await annsTab.socket.emitWithAck('typing', { receiverId: bob.me.id })).toEqual({ ok: true });
    await eventually(() => bobsTab.received.typing.length === 1);
    expect(bobsTab.received.typing).toEqual([{ senderId: ann.me.id }]);

    const message = await ann.client.sendMessage({ body: { text: 'Hi', conversationId: id } });
    await bob.client.markConversationRead({ params: { id }, body: { messageId: message.id } });
    await eventually(() => annsTab.received.read.length === 1 && bobsTab.received.read.length === 1);
    expect(annsTab.received.read).toEqual([{ conversationId: id, userId: bob.me.id, messageId: message.id }]);

    // To both: it may be shown in another tab of its sender (53, finding 18).
    await ann.client.deleteMessage({ params: { conversationId: id, id: message.id } });
    await eventually(() => [annsTab, bobsTab].every(({ received }) => received.messageDeleted.length === 1));
    expect(bobsTab.received.messageDeleted).toEqual([{ conversationId: id, messageId: message.id }]);

    await bob.client.updateChatPreferences({ body: { sendReadReceipts: false } });
    const second = await ann.client.sendMessage({ body: { text: 'Still there?', conversationId: id } });
    await bob.client.markConversationRead({ params: { id }, body: { messageId: second.id } });
    await eventually(() => bobsTab.received.read.length === 2);

    const challenge = await newChallenge(ann, { points: 20 });
    const participation = await bob.client.joinChallenge({ body: { challengeId: challenge.id } });
    await bob.client.updateParticipation({ params: { id: participation.id }, body: { completed: true } });
    await eventually(() => bobsTab.received.points.length === 1);
    expect(bobsTab.received.points).toEqual([
      { challengeId: challenge.id, awarded: 20, points: 20, pointsVersion: 1 },
    ]);
    expect(annsTab.received.points).toEqual([]);

    await bob.client.removeFriend({ params: { id: requestId } });
    await eventually(() => annsTab.received.friendRequest.length === 3);
    expect(annsTab.received.friendRequest.at(-1)).toMatchObject({ status: 'removed' });
    expect(await annsTab.socket.emitWithAck('typing', { receiverId: bob.me.id })).toMatchObject({
      ok: false,
    });
    // Bob has turned off read marks.
    expect(annsTab.received.read).toHaveLength(1);
  });
});

describe('the leaderboard', () => {
  it('notifies its viewers, and only them, less often than points change', async () => {
    const [ann, bob, cleo] = await Promise.all([newUser(network), newUser(network), newUser(network)]);
    const [watching, unsubscribed, other] = await Promise.all([tabOf(ann), tabOf(ann), tabOf(cleo)]);
    for (const tab of [watching, unsubscribed])
      expect(await tab.socket.emitWithAck('watchLeaderboard', true)).toEqual({ ok: true });
    expect(await unsubscribed.socket.emitWithAck('watchLeaderboard', false)).toEqual({ ok: true });

    const bobsTab = await tabOf(bob);
    const participations = [];
    for (let n = 0; n < 5; n += 1) {
      const { id: challengeId } = await newChallenge(ann);
      participations.push(await bob.client.joinChallenge({ body: { challengeId } }));
    }
    await Promise.all(
      participations.map(({ id }) =>
        bob.client.updateParticipation({ params: { id }, body: { completed: true } }),
      ),
    );
    await eventually(() => bobsTab.received.points.length === 5 && watching.received.leaderboard.length > 0);
    expect(watching.received.leaderboard.length).toBeLessThan(5);
    for (const tab of [unsubscribed, other, bobsTab]) expect(tab.received.leaderboard).toEqual([]);
  });

  it('accepts only true and false as a subscription', async () => {
    const tab = await tabOf(await newUser(network));
    expect(await tab.socket.emitWithAck('watchLeaderboard', 'user:1')).toMatchObject({
      ok: false,
      problem: { code: 'invalid-request' },
    });
  });
});

describe('a challenge', () => {
  it('that is deleted is reported to the tabs that watch it only', async () => {
    const [ann, bob] = await Promise.all([newUser(network), newUser(network)]);
    const [shown, other] = [await newChallenge(ann), await newChallenge(ann)];
    const watching = await tabOf(ann);
    const [unsubscribed, moved, unrelated] = [await tabOf(ann), await tabOf(bob), await tabOf(bob)];
    for (const tab of [watching, unsubscribed, moved])
      expect(await tab.socket.emitWithAck('watchChallenge', shown.id)).toEqual({ ok: true });
    expect(await unsubscribed.socket.emitWithAck('watchChallenge', null)).toEqual({ ok: true });
    expect(await moved.socket.emitWithAck('watchChallenge', other.id)).toEqual({ ok: true });

    const admin = network.client(network.signToken({ sub: '900001', username: 'warden', admin: true }));
    await admin.deleteChallenge({ params: { id: shown.id } });
    await eventually(() =>
      expect(watching.received.challenge).toEqual([{ challengeId: shown.id, deleted: true }]),
    );
    for (const tab of [unsubscribed, moved, unrelated]) expect(tab.received.challenge).toEqual([]);
  });

  it('is the last one that a tab asked for, however quickly it asks again (code 2)', async () => {
    const ann = await newUser(network);
    const [left, shown] = [await newChallenge(ann), await newChallenge(ann)];
    const tab = await tabOf(ann);
    const responses = [left, shown, left, shown].map(({ id }) =>
      tab.socket.emitWithAck('watchChallenge', id),
    );
    expect(await Promise.all(responses)).toEqual(Array(4).fill({ ok: true }));

    const admin = network.client(network.signToken({ sub: '900001', username: 'warden', admin: true }));
    for (const { id } of [left, shown]) await admin.deleteChallenge({ params: { id } });
    await eventually(() => tab.received.challenge.some(({ challengeId }) => challengeId === shown.id));
    await network.settle();
    expect(tab.received.challenge).toEqual([{ challengeId: shown.id, deleted: true }]);
  });

  it('accepts only an id as a subscription', async () => {
    const tab = await tabOf(await newUser(network));
    expect(await tab.emit('watchChallenge', 'user:1')).toMatchObject({
      ok: false,
      problem: { code: 'invalid-request' },
    });
  });
});

describe('presence', () => {
  it('is sent to friends, counts tabs, and follows friendships', async () => {
    const { ann, bob, requestId } = await friends();
    const cleo = await newUser(network);
    const [annsTab] = [await tabOf(ann), await tabOf(cleo)];
    expect(annsTab.onlineFriends()).toEqual([]);

    const [first, second] = [await tabOf(bob), await tabOf(bob)];
    await eventually(() => annsTab.onlineFriends().includes(bob.me.id));
    await eventually(
      () => first.onlineFriends().includes(ann.me.id) && second.onlineFriends().includes(ann.me.id),
    );
    expect(annsTab.onlineFriends()).toEqual([bob.me.id]);

    const before = annsTab.received.getUsers.length;
    first.socket.disconnect();
    await annsTab.socket.emitWithAck('addUser', ann.me.id);
    expect(annsTab.received.getUsers.slice(before)).toEqual([[{ userId: bob.me.id }]]);
    second.socket.disconnect();
    await eventually(() => annsTab.onlineFriends().length === 0);

    await tabOf(bob);
    await eventually(() => annsTab.onlineFriends().includes(bob.me.id));
    await ann.client.removeFriend({ params: { id: requestId } });
    await eventually(() => annsTab.onlineFriends().length === 0);
  });
});
