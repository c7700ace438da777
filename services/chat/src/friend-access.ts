import { type Client, deletedUser, type PublicUser } from '@wayquest/contracts';
import { Problem } from '@wayquest/platform/core';
import type { ErasedUsers } from '@wayquest/platform/erasure';
import type { FriendshipReplica, UserReplica } from '@wayquest/platform/replicas';
import type { Caller } from '@wayquest/platform/tokens';

/** Who may write to whom: by the replicas, and the friends service for friendships whose event has not arrived yet. */
export interface FriendAccess {
  /** Throws `not-friends`. */
  requireFriends(caller: Caller, otherId: number): Promise<void>;
  areFriends(one: number, other: number): Promise<boolean>;
  friendsOf(userId: number): Promise<Set<number>>;
  /** Includes deleted users, since their messages stay. */
  byIds(ids: number[]): Promise<Map<number, PublicUser>>;
}

/**
 * Creates the check whether two people may message each other: they must be friends, by the replica or, if the event has
 * not arrived yet, by the friends service.
 */
export function createFriendAccess({
  friendships,
  users,
  erasedUsers,
  friendsClient,
}: {
  friendships: FriendshipReplica;
  users: UserReplica;
  erasedUsers: ErasedUsers;
  friendsClient: Client;
}): FriendAccess {
  const fetchFriendship = async (caller: Caller, otherId: number) => {
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
    async requireFriends(caller: Caller, otherId: number): Promise<void> {
      if (await friendships.areFriends(caller.id, otherId)) return;
      const request = await fetchFriendship(caller, otherId);
      // `user.deleted` may not have arrived at the friends service yet.
      if (!request || (await erasedUsers.has(otherId))) throw new Problem('not-friends');
      for (const user of [request.user, request.friend]) await users.addFromResponse(user);
      await friendships.addAccepted({ requestId: request.id, userIds: [request.userId, request.friendId] });
    },

    areFriends: (one: number, other: number): Promise<boolean> => friendships.areFriends(one, other),

    async friendsOf(userId: number): Promise<Set<number>> {
      return new Set(await friendships.friendsOf(userId));
    },

    async byIds(ids: number[]): Promise<Map<number, PublicUser>> {
      const found = await users.byIds(ids);
      for (const id of await erasedUsers.among(ids.filter((each) => !found.has(each))))
        found.set(id, deletedUser(id));
      return found;
    },
  };
}
