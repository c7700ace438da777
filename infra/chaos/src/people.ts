import { randomUUID } from 'node:crypto';
import { type Client, createClient, type Message, messagesPerPage } from '@wayquest/contracts';
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

/** Loads all participations of a person. */
export const participationsOf = (client: Client) =>
  pagesOf<Awaited<ReturnType<Client['listParticipations']>>[number]>(
    (last) => client.listParticipations({ query: { limit: 500, ...(last && { cursor: String(last.id) }) } }),
    500,
  );

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
