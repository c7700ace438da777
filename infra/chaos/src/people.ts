import { randomUUID } from 'node:crypto';
import {
  type Challenge,
  type Client,
  createClient,
  type FriendRequest,
  type LeaderboardPage,
  type Message,
  messagesPerPage,
  type Notification,
  type Participation,
} from '@wayquest/contracts';
import jwt from 'jsonwebtoken';
import type { Cluster } from './cluster.ts';

export interface Person {
  id: number;
  token: string;
  client: Client;
}

/** Two friends and their conversation. */
export interface ConversationPair {
  conversationId: number;
  people: [Person, Person];
}

/** A person with a signed token; their profile is created from it. */
async function newPerson({ url, privateKey }: Cluster, id: number): Promise<Person> {
  const iat = Math.floor(Date.now() / 1_000);
  const claims = { sub: String(id), username: `person-${id}`, admin: false, iat, exp: iat + 86_400 };
  const token = jwt.sign({ ...claims, jti: randomUUID() }, privateKey, { algorithm: 'RS256' });
  const client = createClient({ baseUrl: url, token: () => token, timeoutMs: 15_000 });
  await client.getMe();
  return { id, token, client };
}

export async function newConversationPair(cluster: Cluster, n: number): Promise<ConversationPair> {
  const [one, other] = [await newPerson(cluster, 2 * n + 1), await newPerson(cluster, 2 * n + 2)];
  const request = await one.client.requestFriend({ body: { friendId: other.id } });
  await other.client.acceptFriend({ params: { id: request.id } });
  const { id } = await one.client.openConversation({ body: { friend: { id: other.id } } });
  return { conversationId: id, people: [one, other] };
}

/** Loads all pages of a list. */
async function pagesOf<T>(read: (after: T | undefined) => Promise<T[]>, perPage: number): Promise<T[]> {
  const all: T[] = [];
  for (;;) {
    const page = await read(all.at(-1));
    all.push(...page);
    if (page.length < perPage) return all;
  }
}

/** The query of the page after an element, in a list whose cursors are ids. */
const pageAfter = (last: { id: number } | undefined) => ({
  limit: 500,
  ...(last && { cursor: String(last.id) }),
});

/** Loads all participations of a person. */
export const participationsOf = (client: Client) =>
  pagesOf<Participation>((last) => client.listParticipations({ query: pageAfter(last) }), 500);

/** Loads all challenges that a person created or joined. */
export const challengesOf = (client: Client) =>
  pagesOf<Challenge>((last) => client.listChallenges({ query: pageAfter(last) }), 500);

/** Loads all friend requests of a person, sent and received. */
export const friendRequestsOf = (client: Client) =>
  pagesOf<FriendRequest>((last) => client.listFriendRequests({ query: pageAfter(last) }), 500);

/** Loads all notifications of a person. */
export const notificationsOf = (client: Client) =>
  pagesOf<Notification>(
    (last) =>
      client.listNotifications({ query: { limit: 100, ...(last && { cursor: `${last.at}~${last.id}` }) } }),
    100,
  );

/** Loads all pages of the leaderboard, from the top. */
export async function leaderboardOf(visitor: Client): Promise<LeaderboardPage['rows']> {
  const all: LeaderboardPage['rows'] = [];
  for (let page = 1, pages = 1; page <= pages; page++) {
    const loaded = await visitor.getLeaderboard({ query: { page: String(page) } });
    pages = loaded.pages;
    all.push(...loaded.rows);
  }
  return all;
}

/** Loads all stored messages of a conversation. */
export const messagesOf = (client: Client, conversationId: number): Promise<Message[]> =>
  pagesOf<Message>(
    (last) =>
      client.listMessages({
        params: { conversationId: String(conversationId) },
        query: { after: String(last?.id ?? 1) },
      }),
    messagesPerPage,
  );
