import { CallError, type Client, type PublicUser } from '@wayquest/contracts';
import { Problem } from '@wayquest/platform/core';
import type { Caller } from '@wayquest/platform/http';
import type { UserReplica } from '@wayquest/platform/replicas';

/** Who can be asked and shown: the replica, and for somebody it has not heard of yet, the users service. */
export function createPeople(replica: UserReplica, usersClient: Client) {
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
    meet: (caller: Caller): Promise<void> => replica.meet(caller),

    /** Throws `user-not-found`. */
    async require(id: number): Promise<void> {
      if ((await replica.byIds([id])).has(id)) return;
      await replica.learn(await fromUsersService(id));
    },

    /** Whether somebody lets others ask to be friends. */
    async takesRequests(id: number): Promise<boolean> {
      return (await replica.privacyOf(id)).requests;
    },

    byIds: (ids: number[]): Promise<Map<number, PublicUser>> => replica.byIds(ids),
  };
}

export type People = ReturnType<typeof createPeople>;
