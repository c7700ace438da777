import { type ChallengeDetails, isVisibleTo, type PublicUser } from '@wayquest/contracts';
import type { Caller } from '@wayquest/platform/http';
import type { ChallengeReplica, FriendshipReplica, UserReplica } from '@wayquest/platform/replicas';
import type { StoredLine } from './line.presenter.ts';

/** A participation with the documents that a response nests in it. */
export interface NestedLine {
  line: StoredLine;
  challenge: ChallengeDetails;
  user: PublicUser;
}

/** Maximum size of one query. */
const maxSequential = 500;

/**
 * Returns a full page of the participations that a reader may see. If some are hidden, it queries further ones, twice as
 * many each time: a shorter page, or its cursor, would reveal a hidden one.
 *
 * @param pageAfter - Loads participations after the last one that was loaded, or the first ones.
 * @param limit - Size of the page.
 * @param show - Returns those of the loaded participations that the reader may see, as the response has them.
 */
export async function fullPage<T>(
  pageAfter: (last: StoredLine | undefined, size: number) => Promise<StoredLine[]>,
  limit: number,
  show: (found: StoredLine[]) => Promise<T[]>,
): Promise<T[]> {
  const shown: T[] = [];
  let last: StoredLine | undefined;
  for (let size = limit; ; size = Math.min(2 * size, maxSequential)) {
    const found = await pageAfter(last, size);
    shown.push(...(await show(found)));
    if (shown.length >= limit || found.length < size) return shown.slice(0, limit);
    last = found.at(-1);
  }
}

/** Creates the rules of who sees which participation. */
export function createVisibleLines({
  challengeReplica,
  userReplica,
  friendships,
}: {
  challengeReplica: ChallengeReplica;
  userReplica: UserReplica;
  friendships: FriendshipReplica;
}) {
  /** Loads challenges and users of participations; omits those whose challenge is being deleted. */
  const nest = async (lines: StoredLine[]) => {
    const [challenges, people] = await Promise.all([
      challengeReplica.byIds([...new Set(lines.map(({ challengeId }) => challengeId))]),
      userReplica.withPrivacy(lines.map(({ userId }) => userId)),
    ]);
    return lines.flatMap((line) => {
      const challenge = challenges.get(line.challengeId);
      const person = people.get(line.userId);
      return challenge && person ? [{ line, challenge, ...person }] : [];
    });
  };

  return {
    nest,

    /**
     * Returns the participations that a reader may see: not those of people who hide theirs, and of a hidden challenge
     * only the reader's own, except for its creator and admins. Takes one more command if somebody shows theirs to
     * friends only.
     */
    async to(caller: Caller | undefined, lines: StoredLine[]): Promise<NestedLine[]> {
      const nested = await nest(lines);
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

export type VisibleLines = ReturnType<typeof createVisibleLines>;
