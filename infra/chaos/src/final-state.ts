import { type Client, serviceNames } from '@wayquest/contracts';
import { deadLettersOnRabbitMq } from '@wayquest/platform/bus';
import { type MultiProcessNetwork, testPassword } from '@wayquest/testing';
import type { FinalState } from './check.ts';
import type { Call } from './history.ts';
import type { Person } from './load.ts';
import { messagesOf, participationsOf } from './pages.ts';
import type { Tab } from './tab.ts';

/** A tab that is open all the time. */
export interface OpenTab {
  personId: number;
  tab: Tab;
}

/** Reads the final state of everybody. */
export async function readFinalState(
  network: MultiProcessNetwork,
  {
    people,
    visitor,
    calls,
    tabs,
    amqpUrl,
  }: { people: Person[]; visitor: Client; calls: Call[]; tabs: OpenTab[]; amqpUrl: string },
): Promise<FinalState> {
  const messages = new Map<number, FinalState['messages'][number]['all']>();
  const all = await Promise.all(
    people.map(async ({ id, client }) => {
      const me = await client.getMe();
      const requests = await client.listFriendRequests({ query: { status: 'accepted' } });
      const conversations = await client.listConversations({ params: { userId: String(id) } });
      for (const one of conversations) messages.set(one.id, await messagesOf(client, one.id));
      return {
        ...{ id, points: me.points, firstName: me.firstName, participations: await participationsOf(client) },
        blocked: (await client.listBlocks()).map((blocked) => blocked.id),
        friends: requests.map(({ user, friend }) => (user.id === id ? friend : user)),
        conversations: conversations.map(({ id: conversation, user }) => ({
          id: conversation,
          otherId: user.id,
        })),
      };
    }),
  );
  const challenges: FinalState['challenges'] = [];
  for (const { deed } of calls)
    if (deed.what === 'make a challenge' && deed.challengeId)
      await visitor.getChallenge({ params: { id: String(deed.challengeId) } }).then(
        (challenge) => challenges.push(challenge),
        () => {},
      );
  const accounts: string[] = [];
  for (const { deed, outcome } of calls)
    if (deed.what === 'sign up' && outcome === 'ok') {
      const body = { username: deed.username, password: testPassword };
      await visitor.login({ body }).then(
        () => accounts.push(deed.username),
        () => {},
      );
    }
  const reports: FinalState['reports'] = [];
  const admin = network.client(network.signToken({ admin: true }));
  for (const { id: userId } of people)
    await admin.getCase({ params: { id: `user-${userId}` } }).then(
      ({ filed }) => reports.push(...filed.flatMap(({ by }) => (by ? [{ by: by.id, userId }] : []))),
      () => {},
    );
  const dead = deadLettersOnRabbitMq({ url: amqpUrl, prefix: network.installation });
  let deadLetters = 0;
  for (const service of serviceNames) deadLetters += (await dead.list(service)).length;
  return {
    ...{ people: all, challenges, accounts, reports, deadLetters },
    messages: [...messages].map(([conversationId, of]) => ({ conversationId, all: of })),
    tabs: tabs.map(({ personId, tab: { conversationId, held } }) => ({
      ...{ personId, conversationId, held: [...held.keys()] },
    })),
  };
}
