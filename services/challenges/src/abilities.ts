import type { Challenge } from '@wayquest/contracts';
import { createMembershipReplica } from '@wayquest/platform/replicas';
import type { ServiceKit } from '@wayquest/platform/service';
import type { Caller } from '@wayquest/platform/tokens';

/** What callers can do with challenges: the rules that changes and deletions enforce, for responses. */
export interface Abilities {
  /** Whether somebody else participates in a challenge, so that its creator cannot delete it any more. */
  haveOthersJoined(challengeId: number, userId: number): Promise<boolean>;
  /**
   * Adds what the caller can do; nothing for a visitor. Takes one more command if some are the caller's own and have a single
   * participant.
   */
  addTo(challenges: Challenge[], caller: Caller | undefined): Promise<Challenge[]>;
}

/** Creates the rules from the replica of participations. */
export function createAbilities({ connection }: Pick<ServiceKit, 'connection'>): Abilities {
  const { model: Memberships } = createMembershipReplica(connection);
  const othersIn = (challengeIds: number[], userId: number) => ({
    challengeId: { $in: challengeIds },
    left: false,
    userId: { $ne: userId },
  });

  return {
    async haveOthersJoined(challengeId, userId) {
      return (await Memberships.exists(othersIn([challengeId], userId))) !== null;
    },

    async addTo(challenges, caller) {
      if (!caller) return challenges;
      const own = challenges.filter(({ creator }) => creator.id === caller.id);
      // The creator may be the single participant.
      const unclear = own.filter(({ participants }) => participants === 1).map(({ id }) => id);
      const joinedByOthers = new Set([
        ...own.filter(({ participants }) => participants > 1).map(({ id }) => id),
        ...(unclear.length && !caller.admin
          ? await Memberships.distinct('challengeId', othersIn(unclear, caller.id))
          : []),
      ]);
      return challenges.map((challenge) => {
        const isOwn = challenge.creator.id === caller.id;
        const mayDelete = caller.admin || (isOwn && !joinedByOthers.has(challenge.id));
        return { ...challenge, can: { edit: isOwn, delete: mayDelete } };
      });
    },
  };
}
