import { type Client, createClient } from '@wayquest/contracts';
import { type MultiProcessNetwork, testPassword } from '@wayquest/testing';
import type { History } from './history.ts';
import type { Randomness } from './randomness.ts';

/** Timeout of a call in milliseconds; after that its outcome is unknown. */
const callTimeoutMs = 15_000;

export interface Person {
  id: number;
  token: string;
  client: Client;
  /** Challenges that they joined and have not completed yet. */
  open: { participationId: number; challengeId: number }[];
  /** Received friend requests. */
  receivedRequests: { requestId: number; userId: number }[];
  /** Friends by request, without the first one, with whom they chat. */
  friends: { requestId: number; userId: number }[];
  /** Their first friend. */
  partnerId?: number;
  /** Challenges that nobody else knows of. */
  drafts: number[];
  /** Conversations that they know of. */
  conversations: number[];
  /** Messages that were not acknowledged yet, to be sent again with the same clientId. */
  unsent: { conversationId: number; clientId: string }[];
}

/** Signs up a person whose calls have a timeout. */
export async function newPerson(
  url: string,
  signToken: MultiProcessNetwork['signToken'],
  id: number,
): Promise<Person> {
  const token = signToken({ sub: String(id), username: `person-${id}` });
  const client = createClient({ baseUrl: url, token: () => token, timeoutMs: callTimeoutMs });
  await client.getMe();
  return {
    ...{ id, token, client, open: [], receivedRequests: [], friends: [], drafts: [] },
    ...{ conversations: [], unsent: [] },
  };
}

interface LoadDeps {
  people: Person[];
  visitor: Client;
  history: History;
  chance: Randomness;
}

/** Makes random calls, one at a time for each person. */
export function createLoad({ people, visitor, history: { record }, chance }: LoadDeps) {
  const challenges: { id: number; creatorId: number }[] = [];
  const usernames: string[] = [];
  let count = 0;
  let blocks = 0;
  const attempted = new Map<number, Set<number>>();

  const send = async ({ id: by, client, unsent, conversations }: Person) => {
    const unsentMessage = unsent.shift();
    const conversationId = unsentMessage?.conversationId ?? chance.one(conversations);
    if (conversationId === undefined) return;
    const clientId = unsentMessage?.clientId ?? `m${++count}`;
    const body = { conversationId, clientId, text: `Message ${clientId}` };
    const sent = await record(by, { kind: 'send', conversationId, clientId }, () =>
      client.sendMessage({ body }),
    );
    if (!sent) unsent.push({ conversationId, clientId });
  };

  const actions: ((person: Person) => Promise<unknown>)[] = [
    async ({ id: by, client, drafts }) => {
      const name = `Challenge ${++count}`;
      const body = { name, difficulty: 'Easy' as const };
      const created = await record(
        by,
        { kind: 'create a challenge', name },
        () => client.createChallenge({ body }),
        ({ id }) => ({ challengeId: id }),
      );
      if (!created) return;
      // Some are deleted again before anybody can join.
      if (created.id % 4) challenges.push({ id: created.id, creatorId: by });
      else drafts.push(created.id);
    },
    async ({ id: by, client, drafts }) => {
      const challengeId = drafts.shift();
      if (challengeId === undefined) return;
      await record(by, { kind: 'delete a challenge', challengeId }, () =>
        client.deleteChallenge({ params: { id: challengeId } }),
      );
    },
    async ({ id: by, client, open }) => {
      // Most are completed.
      const participation = count % 3 ? undefined : open.shift();
      if (!participation) return;
      const { challengeId, participationId } = participation;
      await record(by, { kind: 'leave', challengeId }, () =>
        client.leaveChallenge({ params: { id: participationId } }),
      );
    },
    async ({ id: by, client, open }) => {
      const mine = attempted.get(by) ?? new Set();
      attempted.set(by, mine);
      const challenge = chance.one(
        challenges.filter(({ id, creatorId }) => creatorId !== by && !mine.has(id)),
      );
      if (!challenge) return;
      mine.add(challenge.id);
      const body = { challengeId: challenge.id };
      const participation = await record(by, { kind: 'join', ...body }, () => client.joinChallenge({ body }));
      if (participation) open.push({ participationId: participation.id, challengeId: challenge.id });
      // As a person who tries again after a failure.
      else mine.delete(challenge.id);
    },
    async ({ id: by, client, open }) => {
      const participation = open.shift();
      if (!participation) return;
      const { challengeId, participationId } = participation;
      const done = await record(by, { kind: 'complete', challengeId }, () =>
        client.updateParticipation({ params: { id: participationId }, body: { completed: true } }),
      );
      if (!done) open.push(participation);
    },
    async ({ id: by, client }) => {
      const friend = chance.one(people.filter(({ id }) => id !== by));
      if (!friend) return;
      const body = { friendId: friend.id };
      const request = await record(by, { kind: 'request friendship', ...body }, () =>
        client.requestFriend({ body }),
      );
      if (request?.status === 'pending' && request.userId === by)
        friend.receivedRequests.push({ requestId: request.id, userId: by });
    },
    async ({ id: by, client, receivedRequests, friends }) => {
      const request = receivedRequests.shift();
      if (!request) return;
      const accepted = await record(by, { kind: 'accept', friendId: request.userId }, () =>
        client.acceptFriend({ params: { id: request.requestId } }),
      );
      if (accepted) friends.push(request);
      else receivedRequests.push(request);
    },
    async ({ id: by, client, friends }) => {
      // Most friendships remain.
      const request = count % 3 ? undefined : friends.shift();
      if (!request) return;
      await record(by, { kind: 'unfriend', friendId: request.userId }, () =>
        client.removeFriend({ params: { id: request.requestId } }),
      );
    },
    async ({ id: by, client, partnerId }) => {
      // Few, so that people remain connected.
      if (blocks * 4 >= people.length) return;
      const other = chance.one(people.filter(({ id }) => id !== by && id !== partnerId));
      if (!other) return;
      blocks += 1;
      const body = { userId: other.id };
      await record(by, { kind: 'block', ...body }, () => client.blockUser({ body }));
    },
    async ({ id: by, client }) => {
      // By one reporter only, since several would hide it; repeating it changes nothing.
      const other = people[(people.findIndex(({ id }) => id === by) + 1) % people.length];
      if (!other) return;
      const body = { kind: 'user' as const, id: other.id, reason: 'spam' as const };
      await record(by, { kind: 'report', userId: other.id }, () => client.report({ body }));
    },
    send,
    send,
    send,
    async ({ id: by, client }) => {
      const firstName = `Name ${++count}`;
      await record(by, { kind: 'change the name', firstName }, () =>
        client.updateMe({ body: { firstName } }),
      );
    },
    ({ id: by, client }) =>
      record(
        by,
        { kind: 'read points' },
        () => client.getMe(),
        ({ points }) => ({ points }),
      ),
    ({ id: by, client }) =>
      record(
        by,
        { kind: 'read participations' },
        () => client.listParticipations(),
        (participations) => ({
          participations: participations.map(({ challengeId, completed }) => ({ challengeId, completed })),
        }),
      ),
    async ({ id: by, client, conversations }) => {
      const conversationId = chance.one(conversations);
      if (conversationId === undefined) return;
      await record(
        by,
        { kind: 'read messages', conversationId },
        () => client.listMessages({ params: { conversationId } }),
        (messages) => ({ clientIds: messages.map(({ clientId }) => clientId) }),
      );
    },
    ({ id: by, client }) => record(by, { kind: 'read the leaderboard' }, () => client.getLeaderboard()),
    ({ id: by, client }) => record(by, { kind: 'read notifications' }, () => client.listNotifications()),
    ({ id: by, client }) =>
      record(by, { kind: 'search' }, () => client.listUsers({ query: { search: 'person' } })),
    async ({ id: by }) => {
      // Hashing passwords is slow by design, so few people sign up.
      if (count % 4) return;
      const username = `new-${++count}`;
      const signedUp = await record(by, { kind: 'sign up', username }, () =>
        visitor.signup({ body: { username, password: testPassword } }),
      );
      if (signedUp) usernames.push(username);
    },
    async ({ id: by }) => {
      const username = count % 4 ? undefined : chance.one(usernames);
      if (!username) return;
      await record(by, { kind: 'log in', username }, () =>
        visitor.login({ body: { username, password: testPassword } }),
      );
    },
  ];

  return async (): Promise<void> => {
    const person = chance.one(people);
    if (person) await chance.one(actions)?.(person);
  };
}
