import { createClient, type Message } from '@wayquest/contracts';
import {
  type Network,
  newDecision,
  newUser,
  readCollections,
  startNetwork,
  type TestUser,
} from '@wayquest/testing';

let network: Network;
beforeAll(async () => {
  network = await startNetwork({ services: ['auth', 'users', 'friends', 'chat'] });
});
afterAll(() => network?.stop());

const pair = () => Promise.all([newUser(network), newUser(network)]);

async function befriend(ann: TestUser, bob: TestUser): Promise<number> {
  const { id } = await ann.client.requestFriend({ body: { friendId: bob.me.id } });
  await bob.client.acceptFriend({ params: { id } });
  return id;
}

/** Creates two friends and their conversation. */
async function friends() {
  const [ann, bob] = await pair();
  const requestId = await befriend(ann, bob);
  const { id } = await ann.client.openConversation({ body: { friend: bob.me, auth: ann.me } });
  const send = (from: TestUser, text: string, clientId?: string) =>
    from.client.sendMessage({
      body: { sender: from.me.id, text, conversationId: id, ...(clientId && { clientId }) },
    });
  const list = (user: TestUser, query = {}) =>
    user.client.listMessages({ params: { conversationId: id }, query });
  const conversationOf = async (user: TestUser) =>
    (await user.client.listConversations({ params: { userId: user.me.id } })).find(
      (conversation) => conversation.id === id,
    );
  return { ann, bob, id, requestId, send, list, conversationOf };
}

/** Sends a raw request; returns the status and the body. */
async function post(user: TestUser, path: string, body: unknown) {
  const response = await fetch(`${network.url}${path}`, {
    method: 'POST',
    headers: { authorization: user.token, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

describe('a conversation', () => {
  it('is created when two users become friends, with the other user nested', async () => {
    const [ann, bob] = await pair();
    await befriend(ann, bob);
    await network.settle();
    const [conversation] = await ann.client.listConversations({ params: { userId: ann.me.id } });
    expect(conversation).toEqual({
      id: expect.any(Number),
      senderId: ann.me.id,
      receiverId: bob.me.id,
      user: expect.objectContaining({ id: bob.me.id, username: bob.username }),
      open: true,
      can: { message: true },
      last: null,
      unread: 0,
      readId: null,
      otherReadId: null,
    });
    expect(await bob.client.listConversations({ params: { userId: bob.me.id } })).toMatchObject([
      { id: conversation?.id, user: { id: ann.me.id } },
    ]);
  });

  it('is one for two users, for concurrent and repeated calls, right after accepting', async () => {
    const [ann, bob] = await pair();
    await befriend(ann, bob);
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) => {
        const [me, friend] = index % 2 ? [ann, bob] : [bob, ann];
        return post(me, '/api/conversations', { friend: friend.me, auth: me.me });
      }),
    );
    expect(new Set(responses.map(({ body }) => body.id)).size).toBe(1);
    expect(responses.every(({ status }) => status === 200 || status === 201)).toBe(true);
    await network.settle();
    expect(await ann.client.listConversations({ params: { userId: ann.me.id } })).toHaveLength(1);
  });

  it('is for friends only, whatever the body says', async () => {
    const { ann, bob } = await friends();
    const cleo = await newUser(network);
    const forged = await post(cleo, '/api/conversations', { friend: bob.me, auth: ann.me });
    expect(forged).toMatchObject({ status: 403, body: { code: 'not-friends' } });
    expect(await post(cleo, '/api/conversations', { friend: { id: { $gt: 0 } } })).toMatchObject({
      status: 400,
    });
  });

  it('is listed for its members only', async () => {
    const [ann, bob] = await pair();
    await expect(ann.client.listConversations({ params: { userId: bob.me.id } })).rejects.toMatchObject({
      status: 403,
    });
    await expect(network.client().listConversations({ params: { userId: 1 } })).rejects.toMatchObject({
      status: 401,
    });
  });

  it('is read-only after the friendship ends, and open when they are friends again', async () => {
    const { ann, bob, id, requestId, send, list, conversationOf } = await friends();
    const first = await send(ann, 'before');
    await bob.client.removeFriend({ params: { id: requestId } });
    await network.settle();
    await expect(send(ann, 'after')).rejects.toMatchObject({ status: 403, problem: { code: 'not-friends' } });
    expect(await list(ann)).toEqual([first]);
    expect(await conversationOf(ann)).toMatchObject({ open: false });
    await befriend(bob, ann);
    await send(ann, 'again');
    await network.settle();
    expect(await conversationOf(bob)).toMatchObject({ id, open: true, unread: 2 });
  });
});

describe('sending', () => {
  it('returns the message, which both users can read', async () => {
    const { ann, bob, id, send, list } = await friends();
    const message = await send(ann, '  Hello\nyou  ');
    expect(message).toEqual({
      id: expect.any(Number),
      sender: ann.me.id,
      text: 'Hello\nyou',
      conversationId: id,
      createdAt: expect.any(String),
      clientId: null,
      can: { delete: true, report: false },
    });
    expect(await list(ann)).toEqual([message]);
    expect(await list(bob)).toEqual([{ ...message, can: { delete: false, report: true } }]);
  });

  it('always uses the caller as the sender', async () => {
    const { ann, bob, id } = await friends();
    for (const sender of [bob.me.id, 'nonsense', { $gt: 0 }]) {
      const { status, body } = await post(ann, '/api/messages', { sender, text: 'Hi', conversationId: id });
      expect({ status, sender: body.sender }).toEqual({ status: 201, sender: ann.me.id });
    }
  });

  it('accepts the conversation id as text', async () => {
    const { ann, id } = await friends();
    expect(await post(ann, '/api/messages', { text: 'Hi', conversationId: String(id) })).toMatchObject({
      status: 201,
      body: { conversationId: id },
    });
  });

  it('stores text unchanged', async () => {
    const { ann, send, list } = await friends();
    const texts = ['<script>alert(1)</script>', '{"$gt":""}', '你好 👩‍🚀', 'x'.repeat(2_000), '$where'];
    for (const text of texts) await send(ann, text);
    expect((await list(ann)).map(({ text }) => text)).toEqual(texts);
  });

  it.each([
    ['blank', '  \n\t ', 400],
    ['empty', '', 400],
    ['2001 characters', 'x'.repeat(2_001), 400],
    ['1 MB', 'x'.repeat(1_000_000), 400],
    ['more than a request may hold', 'x'.repeat(1_100_000), 413],
    ['no', undefined, 400],
    ['an operator for', { $ne: null }, 400],
  ])('rejects %s text', async (_, text, status) => {
    const { ann, id, list } = await friends();
    expect(await post(ann, '/api/messages', { text, conversationId: id })).toMatchObject({ status });
    expect(await list(ann)).toEqual([]);
  });

  it('is allowed for the two members only', async () => {
    const { ann, id, send, list } = await friends();
    const cleo = await newUser(network);
    await send(ann, 'private');
    await expect(list(cleo)).rejects.toMatchObject({ status: 403 });
    await expect(send(cleo, 'let me in')).rejects.toMatchObject({ status: 403 });
    // Not even for a friend of one of them.
    await befriend(ann, cleo);
    await network.settle();
    await expect(send(cleo, 'I know her')).rejects.toMatchObject({ problem: { code: 'forbidden' } });
    expect(await list(ann)).toHaveLength(1);
    await expect(
      cleo.client.markConversationRead({ params: { id }, body: { messageId: 1 } }),
    ).rejects.toMatchObject({ status: 403 });
    await expect(cleo.client.listMessages({ params: { conversationId: 999_999 } })).rejects.toMatchObject({
      status: 404,
    });
  });

  it('returns the first message for repeated and concurrent calls with the same clientId', async () => {
    const { ann, bob, id, send, list } = await friends();
    const first = await send(ann, 'Once', 'abc');
    expect(first.clientId).toBe('abc');
    await send(bob, 'between');
    expect(await send(ann, 'Once', 'abc')).toEqual(first);
    const responses = await Promise.all(
      Array.from({ length: 10 }, () =>
        post(ann, '/api/messages', { text: 'Also once', conversationId: id, clientId: 'def' }),
      ),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(9);
    // Another user may use the same clientId.
    await send(bob, 'Mine', 'abc');
    expect((await list(ann)).map(({ text }) => text)).toEqual(['Once', 'between', 'Also once', 'Mine']);
  });

  it('assigns consecutive ids in order, to two users with many tabs', async () => {
    const { ann, bob, send, list } = await friends();
    const seen: number[][] = [];
    const sending = Array.from({ length: 60 }, (_, index) => send(index % 2 ? ann : bob, `${index}`));
    const reading = Promise.all(
      Array.from({ length: 10 }, async () => {
        seen.push((await list(ann)).map(({ id }) => id));
      }),
    );
    const sent = await Promise.all(sending);
    await reading;
    const ids = (await list(ann)).map(({ id }) => id);
    expect(ids).toEqual(sent.map(({ id }) => id).sort((a, b) => a - b));
    const [first = 0] = ids;
    expect(ids).toEqual(ids.map((_, index) => first + index));
    // No concurrent read returned a message without all earlier ones.
    for (const early of seen) expect(early).toEqual(ids.slice(0, early.length));
  });
});

describe('the messages', () => {
  it('are returned newest last, with older ones before and missed ones after a cursor', async () => {
    const { ann, bob, send, list } = await friends();
    const sent: number[] = [];
    for (let n = 0; n < 9; n++) sent.push((await send(n % 2 ? ann : bob, `${n}`)).id);
    const ids = async (query: object) => (await list(ann, query)).map(({ id }) => id);
    expect(await ids({ limit: 4 })).toEqual(sent.slice(5));
    expect(await ids({ limit: 4, before: sent[5] })).toEqual(sent.slice(1, 5));
    expect(await ids({ before: sent[1] })).toEqual(sent.slice(0, 1));
    expect(await ids({ after: sent[5] })).toEqual(sent.slice(6));
    expect(await ids({ after: sent[1], limit: 3 })).toEqual(sent.slice(2, 5));
    expect(await ids({ after: sent[8] })).toEqual([]);
    // A cursor from another conversation returns none of its messages.
    expect(await ids({ after: 1 })).toEqual(sent);
    await expect(list(ann, { limit: 201 })).rejects.toMatchObject({ status: 400 });
  });
});

describe('a message that moderation hides', () => {
  const decide = async (
    { id: subjectId, sender: affectedUserId }: Message,
    decision: 'hide' | 'restore' | 'delete',
    version: number,
  ) => {
    await network.bus.publish(newDecision({ kind: 'message', subjectId, affectedUserId, decision, version }));
    await network.settle();
  };

  it('is no longer shown or archived, unlike the others, until it is restored', async () => {
    const { ann, bob, send, list } = await friends();
    const [kept, hidden] = [await send(ann, 'Hello'), await send(ann, 'An insult')];
    const archived = async () => {
      const chat = createClient({ baseUrl: network.services.chat.url(), token: () => bob.token });
      const { records } = await chat.listOwnChatData({ query: { cursor: '1' } });
      return records.map(({ kind, data }) => [kind, data.id, data.text]);
    };

    await decide(hidden, 'hide', 1);
    expect((await list(bob)).map(({ id, text }) => [id, text])).toEqual([
      [kept.id, 'Hello'],
      [hidden.id, ''],
    ]);
    expect(await archived()).toEqual([['messages', kept.id, 'Hello']]);

    await decide(hidden, 'restore', 2);
    expect((await list(bob)).map(({ text }) => text)).toEqual(['Hello', 'An insult']);
    expect(await archived()).toHaveLength(2);

    // An older decision arrives late.
    await decide(hidden, 'hide', 1);
    expect((await list(bob)).map(({ text }) => text)).toEqual(['Hello', 'An insult']);
  });

  it('is no longer stored when it is deleted', async () => {
    const { ann, send } = await friends();
    const [kept, deleted] = [await send(ann, 'Hello'), await send(ann, 'An insult')];
    await decide(deleted, 'delete', 1);
    const { messages = [] } = await readCollections(network, 'chat', ['messages']);
    const textOf = (id: number) => messages.find(({ _id }) => _id === id)?.text;
    expect([textOf(kept.id), textOf(deleted.id)]).toEqual(['Hello', '']);
  });
});

describe('reading', () => {
  it('resets the unread count, and shows the other user the read mark', async () => {
    const { ann, bob, id, send, conversationOf } = await friends();
    await send(ann, 'one');
    const second = await send(ann, 'two');
    const third = await send(ann, 'three');
    await network.settle();
    expect(await conversationOf(bob)).toMatchObject({ unread: 3, readId: null });
    expect(await conversationOf(ann)).toMatchObject({ unread: 0, otherReadId: null });
    const read = (messageId: number) =>
      bob.client.markConversationRead({ params: { id }, body: { messageId } });
    expect(await read(second.id)).toMatchObject({ unread: 1, readId: second.id });
    expect(await conversationOf(ann)).toMatchObject({ otherReadId: second.id });
    expect(await read(third.id)).toMatchObject({ unread: 0, readId: third.id });
    // It never decreases.
    expect(await read(second.id)).toMatchObject({ unread: 0, readId: third.id });
    await expect(read(third.id + 1)).rejects.toMatchObject({ status: 404 });
  });

  it('refuses the message of another conversation', async () => {
    const { bob, id, send, ann, conversationOf } = await friends();
    const elsewhere = await friends();
    await send(ann, 'one');
    const { id: messageId } = await elsewhere.send(elsewhere.ann, 'elsewhere');
    await network.settle();
    await expect(
      bob.client.markConversationRead({ params: { id }, body: { messageId } }),
    ).rejects.toMatchObject({ problem: { code: 'message-not-found' } });
    expect(await conversationOf(bob)).toMatchObject({ unread: 1, readId: null });
  });

  it('previews the newest of messages that both send at once', async () => {
    const { ann, bob, send, list, conversationOf } = await friends();
    await Promise.all(Array.from({ length: 20 }, (_, n) => send(n % 2 ? ann : bob, `message ${n}`)));
    await network.settle();
    const newest = (await list(ann)).at(-1);
    expect((await conversationOf(bob))?.last).toMatchObject({ id: newest?.id, text: newest?.text });
  });

  it('previews the newest message, also if an older one is published again later', async () => {
    const { ann, bob, send, conversationOf } = await friends();
    const { publish } = network.bus;
    let failures = 0;
    network.bus.publish = async (event, options) => {
      if (event.name === 'message.sent.v1' && failures++ === 0) throw new Error('the bus is unavailable');
      await publish(event, options);
    };
    await send(ann, 'older');
    await send(bob, 'newer');
    await network.settle();
    network.bus.publish = publish;
    expect(failures).toBe(3);
    expect((await conversationOf(ann))?.last?.text).toBe('newer');
  });

  it('shows the newest message of each conversation, truncated', async () => {
    const { ann, bob, id, send } = await friends();
    const cleo = await newUser(network);
    await befriend(ann, cleo);
    const { id: other } = await ann.client.openConversation({ body: { friend: cleo.me } });
    const list = async () => {
      await network.settle();
      return ann.client.listConversations({ params: { userId: ann.me.id } });
    };
    await send(ann, 'first');
    expect(await list()).toMatchObject([
      { id, last: { text: 'first' } },
      { id: other, last: null },
    ]);
    await cleo.client.sendMessage({ body: { text: 'second', conversationId: other } });
    expect((await list()).map((conversation) => conversation.id)).toEqual([other, id]);
    const { createdAt, ...long } = await send(bob, 'x'.repeat(2_000));
    expect((await list())[0]?.last).toEqual({
      id: long.id,
      sender: bob.me.id,
      text: 'x'.repeat(100),
      createdAt,
    });
  });

  it('previews a message of 99 letters and an emoji without half of the emoji', async () => {
    const { ann, bob, send } = await friends();
    await send(bob, `${'x'.repeat(99)}😀`);
    await network.settle();
    const [conversation] = await ann.client.listConversations({ params: { userId: ann.me.id } });
    expect(conversation?.last?.text).toBe('x'.repeat(99));
  });

  it('shows no read mark if the user turned that off', async () => {
    const { ann, bob, id, send, conversationOf } = await friends();
    const { id: messageId } = await send(ann, 'one');
    expect(await bob.client.getChatPreferences()).toEqual({
      keepDrafts: true,
      showTyping: true,
      sendReadReceipts: true,
    });
    expect(await bob.client.updateChatPreferences({ body: { sendReadReceipts: false } })).toEqual({
      keepDrafts: true,
      showTyping: true,
      sendReadReceipts: false,
    });
    await bob.client.updateChatPreferences({ body: {} });
    await bob.client.markConversationRead({ params: { id }, body: { messageId } });
    expect(await conversationOf(ann)).toMatchObject({ otherReadId: null });
    expect(await conversationOf(bob)).toMatchObject({ unread: 0, readId: messageId });
    await bob.client.updateChatPreferences({ body: { sendReadReceipts: true } });
    expect(await conversationOf(ann)).toMatchObject({ otherReadId: messageId });
  });

  it('counts at most a hundred unread messages', async () => {
    const { ann, send, bob, conversationOf } = await friends();
    for (let batch = 0; batch < 11; batch++) {
      await Promise.all(Array.from({ length: 10 }, (_, n) => send(ann, `${batch}-${n}`)));
    }
    await network.settle();
    expect(await conversationOf(bob)).toMatchObject({ unread: 100 });
  });
});
