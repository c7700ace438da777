import type { Client, PublicUser } from '@wayquest/contracts';
import { type Caller, type FriendshipReplica, Problem, type UserReplica } from '@wayquest/platform';

/** Who may write to whom: the replicas, and for news that has not arrived yet, the friends service. */
export function createContacts(friendships: FriendshipReplica, users: UserReplica, friendsClient: Client) {
  const askFriendsService = async (caller: Caller, otherId: number) => {
    try {
      const [request] = await friendsClient.listFriendRequests(
        { query: { with: String(otherId), status: 'accepted' } },
        { token: caller.token },
      );
      return request;
    } catch (error) {
      throw new Problem('service-unavailable', { cause: error });
    }
  };

  return {
    /** Throws `not-friends`. */
    async requireFriends(caller: Caller, otherId: number): Promise<void> {
      if (await friendships.areFriends(caller.id, otherId)) return;
      const request = await askFriendsService(caller, otherId);
      if (!request) throw new Problem('not-friends');
      // Version 0, so that the events on their way still count.
      for (const user of [request.user, request.friend]) await users.keep({ user, version: 0 });
      await friendships.keepAccepted({ requestId: request.id, userIds: [request.userId, request.friendId] });
    },

    areFriends: (one: number, other: number): Promise<boolean> => friendships.areFriends(one, other),

    async friendsOf(userId: number): Promise<Set<number>> {
      return new Set(await friendships.friendsOf(userId));
    },

    byIds: (ids: number[]): Promise<Map<number, PublicUser>> => users.byIds(ids),
  };
}

export type Contacts = ReturnType<typeof createContacts>;
