import { type ChallengeDetails, isShownTo, type PublicUser } from '@wayquest/contracts';
import type { Caller } from '@wayquest/platform/http';
import type { ChallengeReplica, FriendshipReplica, UserReplica } from '@wayquest/platform/replicas';
import type { StoredLine } from './line.presenter.ts';

/** A line with what it nests. */
export interface NestedLine {
  line: StoredLine;
  challenge: ChallengeDetails;
  user: PublicUser;
}

/** As many are looked at in one turn. */
const maxSequential = 500;

/**
 * As many lines as are asked for, of those that are shown: a page that went on behind one that is not would name it. Where
 * some are not shown it takes another turn, of twice as many.
 *
 * @param pageAfter - Loads lines after the last one that was looked at, or the first ones.
 */
export async function fullPage<T>(
  pageAfter: (last: StoredLine | undefined, most: number) => Promise<StoredLine[]>,
  limit: number,
  show: (found: StoredLine[]) => Promise<T[]>,
): Promise<T[]> {
  const shown: T[] = [];
  let last: StoredLine | undefined;
  for (let most = limit; ; most = Math.min(2 * most, maxSequential)) {
    const found = await pageAfter(last, most);
    shown.push(...(await show(found)));
    if (shown.length >= limit || found.length < most) return shown.slice(0, limit);
    last = found.at(-1);
  }
}

/** Which lines somebody sees, with what they nest. */
export function createVisibleLines({
  challengeReplica,
  userReplica,
  friendships,
}: {
  challengeReplica: ChallengeReplica;
  userReplica: UserReplica;
  friendships: FriendshipReplica;
}) {
  /** One whose challenge is being deleted is no longer shown. */
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
     * Lines as somebody sees them: none of who keeps to themselves where they take part, and of a hidden challenge, but to
     * its maker and admins, only one's own. One command more where somebody shows it to friends.
     */
    async to(caller: Caller | undefined, lines: StoredLine[]): Promise<NestedLine[]> {
      const nested = await nest(lines);
      const people = nested.map(({ user, privacy }) => ({ id: user.id, shownTo: [privacy.participation] }));
      const readerOf = await friendships.readerOf(caller?.id, people);
      const seesHidden = ({ creator }: ChallengeDetails, userId: number) =>
        !!caller && (caller.admin || caller.id === userId || caller.id === creator.id);
      return nested.filter(
        ({ challenge, user, privacy }) =>
          isShownTo(privacy.participation, readerOf(user.id)) &&
          (challenge.status !== 'hidden' || seesHidden(challenge, user.id)),
      );
    },
  };
}

export type VisibleLines = ReturnType<typeof createVisibleLines>;
