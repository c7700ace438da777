import { type Client, type Message, messagesPerPage } from '@wayquest/contracts';

/** All that an answer with pages holds. */
async function pagesOf<T>(read: (after: T | undefined) => Promise<T[]>, perPage: number): Promise<T[]> {
  const all: T[] = [];
  for (;;) {
    const page = await read(all.at(-1));
    all.push(...page);
    if (page.length < perPage) return all;
  }
}

/** All that somebody takes part in. */
export const linesOf = (client: Client) =>
  pagesOf<Awaited<ReturnType<Client['listLines']>>[number]>(
    (last) => client.listLines({ query: { limit: 500, ...(last && { cursor: String(last.id) }) } }),
    500,
  );

/** All of a conversation, as the store has it. */
export const messagesOf = (client: Client, conversationId: number): Promise<Message[]> =>
  pagesOf<Message>(
    (last) =>
      client.listMessages({
        params: { conversationId: String(conversationId) },
        query: { after: String(last?.id ?? 1) },
      }),
    messagesPerPage,
  );
