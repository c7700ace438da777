import { eventually, type Network, newUser, startNetwork, type TestUser } from '@wayquest/testing';

let network: Network;
beforeAll(async () => {
  network = await startNetwork({ services: ['auth', 'users', 'friends', 'chat'] });
});
afterAll(() => network?.stop());

const pair = () => Promise.all([newUser(network), newUser(network)]);
const sendRequest = (from: TestUser, to: TestUser) =>
  from.client.requestFriend({ body: { friendId: to.me.id } });
const publicUser = ({
  me: { id, username, firstName, lastName, city, state, avatar, points },
}: TestUser) => ({
  id,
  username,
  firstName,
  lastName,
  city,
  state,
  avatar,
  points,
});

async function friends() {
  const [ann, bob] = await pair();
  const { id } = await sendRequest(ann, bob);
  await bob.client.acceptFriend({ params: { id } });
  return { ann, bob, id };
}

/** Sends a raw request; returns the status and the body. */
async function post(user: TestUser, body: unknown, url = network.url) {
  const response = await fetch(`${url}/api/friendrequests/`, {
    method: 'POST',
    headers: { authorization: user.token, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    body: await response.json(),
  };
}

describe('sending a request', () => {
  it('returns a pending request with both users nested, which both can read', async () => {
    const [ann, bob] = await pair();
    const request = await sendRequest(ann, bob);
    expect(request).toEqual({
      id: expect.any(Number),
      userId: ann.me.id,
      friendId: bob.me.id,
      status: 'pending',
      createdAt: expect.any(String),
      user: publicUser(ann),
      friend: publicUser(bob),
      can: { accept: false },
    });
    expect(await ann.client.listFriendRequests()).toEqual([request]);
    expect(await bob.client.listFriendRequests()).toEqual([{ ...request, can: { accept: true } }]);
  });

  it('accepts a user object as the body, and always uses the caller as the sender', async () => {
    const [ann, bob] = await pair();
    const { status, body } = await post(ann, { ...bob.me, userId: bob.me.id });
    expect(status).toBe(201);
    expect(body).toMatchObject({ userId: ann.me.id, friendId: bob.me.id });
  });

  it('returns the first request when it is repeated', async () => {
    const [ann, bob] = await pair();
    const first = await post(ann, { friendId: bob.me.id });
    const second = await post(ann, { friendId: bob.me.id });
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body).toEqual(first.body);
  });

  it('accepts the other user’s pending request', async () => {
    const [ann, bob] = await pair();
    const { id } = await sendRequest(ann, bob);
    expect(await sendRequest(bob, ann)).toMatchObject({ id, userId: ann.me.id, status: 'accepted' });
  });

  it('to oneself is refused, naming the field', async () => {
    const ann = await newUser(network);
    expect(await post(ann, { friendId: ann.me.id })).toMatchObject({
      body: { errors: [{ field: 'friendId', reason: 'cannot be yourself' }] },
    });
  });

  it.each([
    ['oneself', (me: number) => ({ friendId: me }), 400, 'invalid-request'],
    ['nobody', () => ({ friendId: 999_999_999 }), 404, 'user-not-found'],
    ['an operator', () => ({ friendId: { $gt: 0 } }), 400, 'invalid-request'],
    ['nothing', () => ({}), 400, 'invalid-request'],
  ])('rejects a request to %s', async (_, bodyFor, status, code) => {
    const ann = await newUser(network);
    const answer = await post(ann, bodyFor(ann.me.id));
    expect(answer).toMatchObject({ status, body: { code } });
    expect(await ann.client.listFriendRequests()).toEqual([]);
  });

  it('limits requests per minute', async () => {
    const [ann, bob] = await pair();
    const statuses: number[] = [];
    let retryAfter: string | null = null;
    for (let batch = 0; batch < 20; batch++) {
      // Calls the service directly, since the gateway has its own limit.
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => post(ann, { friendId: bob.me.id }, network.services.friends.url())),
      );
      statuses.push(...answers.map(({ status }) => status));
      retryAfter ??= answers.find(({ status }) => status === 429)?.retryAfter ?? null;
    }
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 200)).toHaveLength(59);
    expect(statuses.filter((status) => status === 429)).toHaveLength(940);
    expect(Number(retryAfter)).toBeGreaterThan(0);
    expect(await bob.client.listFriendRequests()).toHaveLength(1);
  });
});

describe('accepting', () => {
  it('is allowed for the receiver, and is idempotent', async () => {
    const [ann, bob] = await pair();
    const cleo = await newUser(network);
    const { id } = await sendRequest(ann, bob);
    for (const other of [ann, cleo]) {
      await expect(other.client.acceptFriend({ params: { id } })).rejects.toMatchObject({ status: 403 });
    }
    const accepted = await bob.client.acceptFriend({ params: { id } });
    expect(accepted).toMatchObject({ status: 'accepted', can: { accept: false } });
    expect(await bob.client.acceptFriend({ params: { id } })).toEqual(accepted);
    await expect(bob.client.acceptFriend({ params: { id: 999_999 } })).rejects.toMatchObject({ status: 404 });
  });

  it('adds both to each other’s friend ranking', async () => {
    const { ann, bob } = await friends();
    const ranking = (user: TestUser) => user.client.getLeaderboard({ query: { scope: 'friends' } });
    await eventually(async () => (await ranking(ann)).total === 2 && (await ranking(bob)).total === 2);
  });

  it('creates one friendship if both send and accept concurrently, for 15 pairs', async () => {
    // Six users form 15 pairs.
    const people = await Promise.all(Array.from({ length: 6 }, () => newUser(network)));
    const pairs = people.flatMap((ann, index) => people.slice(index + 1).map((bob) => [ann, bob] as const));
    for (const [ann, bob] of pairs) {
      const answers = await Promise.all([
        sendRequest(ann, bob),
        sendRequest(bob, ann),
        sendRequest(ann, bob),
        sendRequest(bob, ann),
      ]);
      const [id = 0, ...others] = new Set(answers.map((answer) => answer.id));
      expect(others).toEqual([]);
      const accepting = await Promise.allSettled(
        [ann, bob].map(({ client }) => client.acceptFriend({ params: { id } })),
      );
      expect(accepting.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await ann.client.listFriendRequests({ query: { with: bob.me.id } })).toMatchObject([
        { id, status: 'accepted' },
      ]);
    }
    await network.settle();
    for (const { client, me } of people) {
      const conversations = await client.listConversations({ params: { userId: me.id } });
      const partners = conversations.map(({ user, open }) => open && user.id).sort();
      expect(partners).toEqual(people.flatMap((other) => (other.me === me ? [] : [other.me.id])).sort());
    }
  });
});

describe('removing', () => {
  it('declines, cancels and unfriends, for the two users only', async () => {
    for (const who of ['ann', 'bob'] as const) {
      const { id, ...people } = await friends();
      const cleo = await newUser(network);
      await expect(cleo.client.removeFriend({ params: { id } })).rejects.toMatchObject({ status: 403 });
      await people[who].client.removeFriend({ params: { id } });
      expect(await people.ann.client.listFriendRequests()).toEqual([]);
      expect(await people.bob.client.listFriendRequests()).toEqual([]);
      await expect(people[who].client.removeFriend({ params: { id } })).rejects.toMatchObject({
        status: 404,
      });
    }
  });

  it('rejects further requests of a declined user for a while, but not of the other user', async () => {
    const [ann, bob] = await pair();
    const { id } = await sendRequest(ann, bob);
    await bob.client.removeFriend({ params: { id } });
    await expect(sendRequest(ann, bob)).rejects.toMatchObject({
      status: 429,
      message: 'You recently sent this person a friend request. Please try again later.',
    });
    expect(await bob.client.listFriendRequests()).toEqual([]);
    expect(await sendRequest(bob, ann)).toMatchObject({ userId: bob.me.id, status: 'pending' });
    // A request to a user whose request is pending accepts it.
    expect(await sendRequest(ann, bob)).toMatchObject({ userId: bob.me.id, status: 'accepted' });
  });

  it('limits sending, canceling and sending again to the same user', async () => {
    const [ann, bob] = await pair();
    for (let n = 0; n < 5; n++) {
      const { id } = await sendRequest(ann, bob);
      await ann.client.removeFriend({ params: { id } });
    }
    await expect(sendRequest(ann, bob)).rejects.toMatchObject({ status: 429 });
    const cleo = await newUser(network);
    expect(await sendRequest(ann, cleo)).toMatchObject({ status: 'pending' });
  });

  it('allows a new request afterwards', async () => {
    const { ann, bob, id } = await friends();
    await bob.client.removeFriend({ params: { id } });
    const again = await sendRequest(bob, ann);
    expect(again).toMatchObject({ userId: bob.me.id, status: 'pending' });
    expect(again.id).not.toBe(id);
  });

  it('never restores a request that is removed while it is accepted', async () => {
    for (let round = 0; round < 8; round++) {
      const [ann, bob] = await pair();
      const { id } = await sendRequest(ann, bob);
      await Promise.allSettled([
        ann.client.removeFriend({ params: { id } }),
        bob.client.acceptFriend({ params: { id } }),
      ]);
      expect(await bob.client.listFriendRequests()).toEqual([]);
    }
  });
});

describe('the list', () => {
  it('contains the user’s own requests, by status, by user and in pages', async () => {
    const { ann, bob, id } = await friends();
    const [cleo, dan] = await pair();
    const toCleo = await sendRequest(ann, cleo);
    const fromDan = await sendRequest(dan, ann);
    const list = async (query: Parameters<typeof ann.client.listFriendRequests>[0]) =>
      (await ann.client.listFriendRequests(query)).map((request) => request.id).sort((a, b) => b - a);
    expect(await list({})).toEqual([fromDan.id, toCleo.id, id]);
    expect(await list({ query: { status: 'pending' } })).toEqual([fromDan.id, toCleo.id]);
    expect(await list({ query: { status: 'accepted' } })).toEqual([id]);
    expect(await list({ query: { with: bob.me.id } })).toEqual([id]);
    expect(await list({ query: { limit: 2 } })).toEqual([fromDan.id, toCleo.id]);
    expect(await list({ query: { limit: 2, cursor: toCleo.id } })).toEqual([id]);
    await expect(network.client().listFriendRequests()).rejects.toMatchObject({ status: 401 });
  });

  it('shows current names and points', async () => {
    const { ann, bob } = await friends();
    await bob.client.updateMe({ body: { firstName: 'Roberta', city: 'Queens' } });
    await network.settle();
    expect(await ann.client.listFriendRequests()).toMatchObject([
      { friend: { firstName: 'Roberta', city: 'Queens' } },
    ]);
  });
});

it('suggestions contain no friends and no users with a pending request', async () => {
  const { ann, bob } = await friends();
  const [cleo, dan] = await pair();
  await sendRequest(ann, cleo);
  await sendRequest(dan, ann);
  await network.settle();
  const excluded = new Set([ann, bob, cleo, dan].map(({ me }) => me.id));
  for (let round = 0; round < 10; round++) {
    const suggested = await ann.client.listUsers({ query: { suggested: 20 } });
    expect(suggested.filter(({ id }) => excluded.has(id))).toEqual([]);
  }
});
