import { type ChallengeDetails, isVisibleTo, type PublicUser } from '@wayquest/contracts';
import type {
  BlockReplica,
  ChallengeReplica,
  FriendshipReplica,
  UserReplica,
} from '@wayquest/platform/replicas';
import type { Caller } from '@wayquest/platform/tokens';
import type { StoredParticipation } from './participation.model.ts';

/** A participation with the documents that a response nests in it. */
export interface NestedParticipation {
  participation: StoredParticipation;
  challenge: ChallengeDetails;
  user: PublicUser;
}

/** Maximum size of one query. */
const maxQuerySize = 500;

/**
 * Returns a full page of the participations that a reader may see. If some are hidden, it queries further ones, twice as
 * many each time: a shorter page, or its cursor, would reveal a hidden one.
 *
 * @param loadAfter - Loads participations after the last one that was loaded, or the first ones.
 * @param limit - Size of the page.
 * @param filterVisible - Returns those of the loaded participations that the reader may see, as the response has them.
 */
export async function filterFullPage<T>(
  loadAfter: (last: StoredParticipation | undefined, size: number) => Promise<StoredParticipation[]>,
  limit: number,
  filterVisible: (found: StoredParticipation[]) => Promise<T[]>,
): Promise<T[]> {
  const shown: T[] = [];
  let last: StoredParticipation | undefined;
  for (let size = limit; ; size = Math.min(2 * size, maxQuerySize)) {
    const found = await loadAfter(last, size);
    shown.push(...(await filterVisible(found)));
    if (shown.length >= limit || found.length < size) return shown.slice(0, limit);
    last = found.at(-1);
  }
}

/** The rules of who sees which participation. */
export interface VisibleParticipations {
  /**
   * Loads challenges and users of participations; omits those whose challenge is being deleted, and pictures of challenges by
   * people whom the reader blocked, or who blocked the reader. Takes one more command if there are pictures.
   */
  nest(readerId: number | undefined, participations: StoredParticipation[]): Promise<NestedParticipation[]>;
  /**
   * Returns the participations that a reader may see: not those of people who hide their participations, and of
   * a hidden challenge only the reader's own, except for its creator and admins. Takes one more command if somebody
   * shares participations with friends only.
   */
  visibleTo(
    reader: Caller | undefined,
    participations: StoredParticipation[],
  ): Promise<NestedParticipation[]>;
}

/** Creates the rules from replicas. */
export function createVisibleParticipations({
  challengeReplica,
  userReplica,
  friendships,
  blocks,
}: {
  challengeReplica: ChallengeReplica;
  userReplica: UserReplica;
  friendships: FriendshipReplica;
  blocks: BlockReplica;
}): VisibleParticipations {
  const nest = async (readerId: number | undefined, participations: StoredParticipation[]) => {
    const ids = [...new Set(participations.map(({ challengeId }) => challengeId))];
    const challenges = await challengeReplica.byIds(ids);
    const creators = [...challenges.values()].map(({ creator }) => creator.id);
    const people = await userReplica.withPrivacy([
      ...participations.map(({ userId }) => userId),
      ...creators,
    ]);
    const hasPhotos = [...challenges.values()].some(({ picture }) => picture);
    const hidden = hasPhotos ? await blocks.hiddenFrom(readerId) : new Set<number>();
    return participations.flatMap((participation) => {
      const challenge = challenges.get(participation.challengeId);
      const person = people.get(participation.userId);
      if (!challenge || !person) return [];
      // Their current name; until their own event arrives, or without an account, the one in the challenge's event.
      const { username = challenge.creator.username } = people.get(challenge.creator.id)?.user ?? {};
      const { picture, ...others } = challenge;
      const named = {
        ...others,
        ...(picture && !hidden.has(picture.userId) && { picture }),
        creator: { ...challenge.creator, username },
      };
      return [{ participation, challenge: named, ...person }];
    });
  };

  return {
    nest,

    async visibleTo(
      caller: Caller | undefined,
      participations: StoredParticipation[],
    ): Promise<NestedParticipation[]> {
      const nested = await nest(caller?.id, participations);
      const people = nested.map(({ user, privacy }) => ({
        id: user.id,
        visibility: [privacy.participation],
      }));
      const readerOf = await friendships.readerOf(caller?.id, people);
      const seesHidden = ({ creator }: ChallengeDetails, userId: number) =>
        !!caller && (caller.admin || caller.id === userId || caller.id === creator.id);
      return nested.filter(
        ({ challenge, user, privacy }) =>
          isVisibleTo(privacy.participation, readerOf(user.id)) &&
          (challenge.status !== 'hidden' || seesHidden(challenge, user.id)),
      );
    },
  };
}
