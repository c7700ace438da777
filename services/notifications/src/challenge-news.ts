import {
  type ChallengeDetails,
  dayIn,
  deletedUsername,
  type Event,
  maxRecipientsPerEvent,
  type Notification,
} from '@wayquest/contracts';
import type { Clock } from '@wayquest/platform/process';
import {
  type BlockReplica,
  type ChallengeReplica,
  type FriendshipReplica,
  type MembershipReplica,
  showsParticipation,
  type UserReplica,
} from '@wayquest/platform/replicas';
import type { Endings } from './expiry-reminders.ts';
import type { Notifications, Turn } from './notifications.ts';

/** What people planned by: that its place was found on the map, or its maker's name, is no news to them. */
const telling = ['name', 'description', 'difficulty', 'points', 'startDate', 'endDate'] as const;

const hasEnded = ({ timeZone, endDate }: ChallengeDetails, now: Date): boolean =>
  !!endDate && endDate < dayIn(timeZone, now);

const changeOf = (before: ChallengeDetails, after: ChallengeDetails, now: Date): Notification['change'] => {
  // What waits for an admin's look is nobody's news, least of all words that were put into it since.
  if (after.status === 'hidden' || telling.every((field) => before[field] === after[field])) return null;
  return hasEnded(after, now) && !hasEnded(before, now) ? 'closed' : 'edited';
};

const shownOf = ({ id, name, endDate }: ChallengeDetails) => ({ id, name, endDate });

/** Later than any version. */
const deleted = Number.MAX_SAFE_INTEGER;

/**
 * Tells those who take part what becomes of a challenge, but whom its maker blocked or was blocked by, and its maker who
 * takes part.
 */
export function createChallengeNews({
  clock,
  challenges,
  memberships,
  users,
  friendships,
  blocks,
  notifications,
  endings,
}: {
  clock: Clock;
  challenges: ChallengeReplica;
  memberships: MembershipReplica;
  users: UserReplica;
  friendships: FriendshipReplica;
  blocks: BlockReplica;
  notifications: Notifications;
  endings: Endings;
}) {
  const tellMembers = async (
    challenge: ChallengeDetails,
    news: Omit<Turn, 'challenge'>,
    cause: Pick<Event, 'id' | 'occurredAt'>,
  ): Promise<void> => {
    const takingPart = {
      challengeId: challenge.id,
      left: false,
      userId: { $ne: challenge.creator.id },
      // Who is done need not know how it goes on.
      ...(news.change !== 'deleted' && { completed: { $ne: true } }),
    };
    const hidden = await blocks.hiddenFrom(challenge.creator.id);
    let after = 0;
    for (;;) {
      const page = await memberships.model
        .find({ ...takingPart, _id: { $gt: after } }, { userId: 1 })
        .sort({ _id: 1 })
        .limit(maxRecipientsPerEvent)
        .lean();
      const last = page.at(-1);
      if (!last) return;
      const userIds = page.map(({ userId }) => userId).filter((id) => !hidden.has(id));
      await notifications.tellMany(userIds, { ...news, challenge: shownOf(challenge) }, cause);
      if (page.length < maxRecipientsPerEvent) return;
      after = last._id;
    }
  };

  return {
    async changed(event: Event<'challenge.created.v1' | 'challenge.updated.v1'>): Promise<void> {
      const { challenge, version } = event.data;
      const before = event.replayed ? undefined : await challenges.told(challenge.id);
      const change =
        before && before.version < version
          ? changeOf(before.details, challenge, new Date(clock.now()))
          : null;
      // Told before it is kept: what came once more is compared with the same.
      if (change) {
        await tellMembers(challenge, { kind: 'challenge-changed', change, revision: version }, event);
      }
      await challenges.keep(event);
      const kept = await challenges.told(challenge.id);
      if (kept) await endings.keep(kept.details);
    },

    async deleted(event: Event<'challenge.deleted.v1'>): Promise<void> {
      const { challengeId } = event.data;
      const before = await challenges.told(challengeId);
      if (before && !event.replayed) {
        await tellMembers(
          before.details,
          { kind: 'challenge-changed', change: 'deleted', revision: deleted },
          event,
        );
      }
      await notifications.takeBackDeeds(challengeId, before?.details.creator.id);
      await endings.forget(challengeId);
      await challenges.keepDeleted(event);
      await memberships.model.deleteMany({ challengeId });
    },

    /** Tells those who have not completed it that it ends soon. */
    async ending(challengeId: number): Promise<void> {
      const told = await challenges.told(challengeId);
      // Kept as one that ends by an older version, or hidden at this moment.
      if (!told || told.details.status === 'hidden') return;
      const { details, version } = told;
      const cause = {
        id: `ending-${challengeId}-${version}`,
        occurredAt: new Date(clock.now()).toISOString(),
      };
      await tellMembers(details, { kind: 'challenge-ending', revision: version }, cause);
    },

    /** Tells a challenge's maker that somebody takes part in it, or completed it. */
    async tellMaker(
      kind: 'challenge-joined' | 'challenge-completed',
      event: Event<'challenge.joined.v1' | 'challenge.completed.v1'>,
    ): Promise<void> {
      const { challengeId, userId } = event.data;
      const challenge = await challenges.findIfThere(challengeId);
      if (!challenge || challenge.creator.username === deletedUsername) return;
      if (!(await showsParticipation({ users, friendships }, userId, challenge.creator.id))) return;
      await notifications.tellOne(
        challenge.creator.id,
        { kind, about: challengeId, by: userId, challenge: shownOf(challenge) },
        event,
      );
    },
  };
}

export type ChallengeNews = ReturnType<typeof createChallengeNews>;
