import {
  type ChallengeDetails,
  type Event,
  hasAccount,
  localDate,
  maxRecipientsPerEvent,
  type Notification,
} from '@wayquest/contracts';
import type { Clock } from '@wayquest/platform/async';
import {
  type BlockReplica,
  type ChallengeReplica,
  type FriendshipReplica,
  type MembershipReplica,
  showsParticipation,
  type UserReplica,
} from '@wayquest/platform/replicas';
import type { ExpiryReminders } from './expiry-reminders.ts';
import type { ChallengeNews, Notifications } from './notifications.ts';

/** Fields whose changes participants are notified of; a located place or a renamed creator is not one. */
const relevantFields = ['name', 'description', 'difficulty', 'points', 'startDate', 'endDate'] as const;

const hasEnded = ({ timeZone, endDate }: ChallengeDetails, now: Date): boolean =>
  !!endDate && endDate < localDate(timeZone, now);

const changeOf = (before: ChallengeDetails, after: ChallengeDetails, now: Date): Notification['change'] => {
  // No notification about a challenge under review, since it would reveal its new text.
  if (after.status === 'hidden' || relevantFields.every((field) => before[field] === after[field]))
    return null;
  return hasEnded(after, now) && !hasEnded(before, now) ? 'closed' : 'edited';
};

const challengeSummary = ({ id, name, endDate, template }: ChallengeDetails) => ({
  ...{ id, name, endDate },
  ...(template && { template }),
});

/** Greater than any version. */
const deletedRevision = Number.MAX_SAFE_INTEGER;

/**
 * Notifies participants of what happens to a challenge, and its creator of who takes part. Participants who blocked the
 * creator, or were blocked by them, are left out, and so is the creator as a participant.
 */
export interface ChallengeNotifier {
  onChanged(event: Event<'challenge.created.v1' | 'challenge.updated.v1'>): Promise<void>;
  onDeleted(event: Event<'challenge.deleted.v1'>): Promise<void>;
  /** Notifies participants who have not completed it that it ends soon. */
  onEnding(challengeId: number, endsAt: Date): Promise<void>;
  /** Notifies the creator that somebody joined or completed their challenge. */
  notifyCreator(
    kind: 'challenge-joined' | 'challenge-completed',
    event: Event<'challenge.joined.v1' | 'challenge.completed.v1'>,
  ): Promise<void>;
  /** Notifies a person that somebody thanked them for a completion. */
  notifyOfThanks(event: Event<'completion.thanked.v1'>): Promise<void>;
}

/** Creates the notifications about challenges: who gets one for which event. */
export function createChallengeNotifier({
  clock,
  challenges,
  memberships,
  users,
  friendships,
  blocks,
  notifications,
  reminders,
}: {
  clock: Clock;
  challenges: ChallengeReplica;
  memberships: MembershipReplica;
  users: UserReplica;
  friendships: FriendshipReplica;
  blocks: BlockReplica;
  notifications: Notifications;
  reminders: ExpiryReminders;
}): ChallengeNotifier {
  const notifyParticipants = async (
    challenge: ChallengeDetails,
    news: Omit<ChallengeNews, 'challenge'>,
    cause: Pick<Event, 'id' | 'occurredAt'>,
  ): Promise<void> => {
    const recipientsFilter = {
      challengeId: challenge.id,
      left: false,
      userId: { $ne: challenge.creator.id },
      // Of changes, those who completed it are not notified.
      ...(news.change !== 'deleted' && { completed: { $ne: true } }),
    };
    const hidden = await blocks.hiddenFrom(challenge.creator.id);
    let after = 0;
    for (;;) {
      const page = await memberships.model
        .find({ ...recipientsFilter, _id: { $gt: after } }, { userId: 1 })
        .sort({ _id: 1 })
        .limit(maxRecipientsPerEvent)
        .lean();
      const last = page.at(-1);
      if (!last) return;
      const userIds = page.map(({ userId }) => userId).filter((id) => !hidden.has(id));
      await notifications.notifyUsers(userIds, { ...news, challenge: challengeSummary(challenge) }, cause);
      if (page.length < maxRecipientsPerEvent) return;
      after = last._id;
    }
  };

  return {
    async onChanged(event: Event<'challenge.created.v1' | 'challenge.updated.v1'>): Promise<void> {
      const { challenge, version } = event.data;
      const before = event.replayed ? undefined : await challenges.get(challenge.id);
      const change =
        before && before.version < version
          ? changeOf(before.details, challenge, new Date(clock.now()))
          : null;
      // Before the replica is updated, so that a redelivery compares with the same version.
      if (change) {
        await notifyParticipants(challenge, { kind: 'challenge-changed', change, revision: version }, event);
      }
      await challenges.apply(event);
      const stored = await challenges.get(challenge.id);
      if (stored) await reminders.schedule(stored.details);
    },

    async onDeleted(event: Event<'challenge.deleted.v1'>): Promise<void> {
      const { challengeId } = event.data;
      const before = await challenges.get(challengeId);
      if (before && !event.replayed) {
        await notifyParticipants(
          before.details,
          { kind: 'challenge-changed', change: 'deleted', revision: deletedRevision },
          event,
        );
      }
      await notifications.retractForChallenge(challengeId, before?.details.creator.id);
      await reminders.cancel(challengeId);
      await challenges.applyDeleted(event);
      await memberships.model.deleteMany({ challengeId });
    },

    async onEnding(challengeId: number, validUntil: Date): Promise<void> {
      const replica = await challenges.get(challengeId);
      // Unknown, or hidden meanwhile.
      if (!replica || replica.details.status === 'hidden') return;
      const { details, version } = replica;
      const cause = {
        id: `ending-${challengeId}-${version}`,
        occurredAt: new Date(clock.now()).toISOString(),
      };
      await notifyParticipants(details, { kind: 'challenge-ending', revision: version, validUntil }, cause);
    },

    async notifyCreator(
      kind: 'challenge-joined' | 'challenge-completed',
      event: Event<'challenge.joined.v1' | 'challenge.completed.v1'>,
    ): Promise<void> {
      const { challengeId, userId } = event.data;
      const challenge = await challenges.findOrUndefined(challengeId);
      if (!challenge || !hasAccount(challenge.creator)) return;
      if (!(await showsParticipation({ users, friendships }, userId, challenge.creator.id))) return;
      await notifications.notifyUser(
        challenge.creator.id,
        { kind, subjectId: challengeId, actorId: userId, challenge: challengeSummary(challenge) },
        event,
      );
    },

    async notifyOfThanks(event: Event<'completion.thanked.v1'>): Promise<void> {
      const { challengeId, userId: actorId, ownerId } = event.data;
      const challenge = await challenges.findOrUndefined(challengeId);
      if (!challenge) return;
      await notifications.notifyUser(
        ownerId,
        {
          ...{ kind: 'completion-thanked', subjectId: challengeId, actorId },
          challenge: challengeSummary(challenge),
        },
        event,
      );
    },
  };
}
