import { type Client, type Message, messagesPerPage } from '@wayquest/contracts';

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
