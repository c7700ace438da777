import { CallError, type Client, type PublicUser } from '@wayquest/contracts';
import { Problem } from '@wayquest/platform/core';
import type { UserReplica } from '@wayquest/platform/replicas';
import type { Caller } from '@wayquest/platform/tokens';

/** People by the replica, and by the users service for somebody whose event has not arrived yet. */
export interface People {
  ensureUser(caller: Caller): Promise<void>;
  /** Throws `user-not-found`. */
  assertExists(id: number): Promise<void>;
  /** Whether somebody accepts friend requests. */
  acceptsRequests(id: number): Promise<boolean>;
  byIds(ids: number[]): Promise<Map<number, PublicUser>>;
}

/**
 * Creates the lookup of users in the replica, or in the users service if their event has not arrived yet.
 */
export function createPeople(replica: UserReplica, usersClient: Client): People {
  const fromUsersService = async (id: number): Promise<PublicUser> => {
    try {
      return await usersClient.getUser({ params: { id } });
    } catch (error) {
      if (error instanceof CallError && error.status === 404)
        throw new Problem('user-not-found', { cause: error });
      throw new Problem('service-unavailable', { cause: error });
    }
  };

  return {
    ensureUser: (caller: Caller): Promise<void> => replica.ensureUser(caller),

    async assertExists(id: number): Promise<void> {
      if ((await replica.byIds([id])).has(id)) return;
      await replica.addFromResponse(await fromUsersService(id));
    },

    async acceptsRequests(id: number): Promise<boolean> {
      return (await replica.privacyOf(id)).requests;
    },

    byIds: (ids: number[]): Promise<Map<number, PublicUser>> => replica.byIds(ids),
  };
}
