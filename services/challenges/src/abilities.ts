import type { Challenge } from '@wayquest/contracts';
import { type BlockReplica, createMembershipReplica } from '@wayquest/platform/replicas';
import type { ServiceKit } from '@wayquest/platform/service';
import type { Caller } from '@wayquest/platform/tokens';

/** What callers can do with challenges: the rules that changes and deletions enforce, for responses. */
export interface Abilities {
  /** Whether somebody else participates in a challenge, so that its creator cannot delete it any more. */
  haveOthersJoined(challengeId: number, userId: number): Promise<boolean>;
  /**
   * Adds what the caller can do, and leaves out photos of people whom the caller blocked, or who blocked the caller; changes
   * nothing for a visitor. Takes one more command if some have a photo, and one if some are the caller's own and have a single
   * participant.
   */
  addTo(challenges: Challenge[], caller: Caller | undefined): Promise<Challenge[]>;
}

/** Creates the rules from the replicas of participations and blocks. */
export function createAbilities(
  { connection }: Pick<ServiceKit, 'connection'>,
  blocks: Pick<BlockReplica, 'hiddenFrom'>,
): Abilities {
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
      const hasPhotos = challenges.some(({ picture }) => picture);
      const hidden = hasPhotos ? await blocks.hiddenFrom(caller.id) : new Set<number>();
      return challenges.map(({ picture, ...challenge }) => {
        const isOwn = challenge.creator.id === caller.id;
        const mayDelete = caller.admin || (isOwn && !joinedByOthers.has(challenge.id));
        return {
          ...challenge,
          ...(picture && !hidden.has(picture.userId) && { picture }),
          can: { edit: isOwn, delete: mayDelete },
        };
      });
    },
  };
}
