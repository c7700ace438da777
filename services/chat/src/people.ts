import type { Client, PublicUser } from '@wayquest/contracts';
import { type Caller, Problem } from '@wayquest/platform/http';
import type { FriendshipReplica, UserReplica } from '@wayquest/platform/replicas';

/** Who may write to whom: the replicas, and for news that has not arrived yet, the friends service. */
export function createPeople({
  friendships,
  users,
  friendsClient,
}: {
  friendships: FriendshipReplica;
  users: UserReplica;
  friendsClient: Client;
}) {
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
      for (const user of [request.user, request.friend]) await users.learn(user);
      await friendships.learnAccepted({ requestId: request.id, userIds: [request.userId, request.friendId] });
    },

    areFriends: (one: number, other: number): Promise<boolean> => friendships.areFriends(one, other),

    async friendsOf(userId: number): Promise<Set<number>> {
      return new Set(await friendships.friendsOf(userId));
    },

    byIds: (ids: number[]): Promise<Map<number, PublicUser>> => users.byIds(ids),
  };
}

export type People = ReturnType<typeof createPeople>;
