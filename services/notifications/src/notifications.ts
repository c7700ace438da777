import {
  type DecisionKind,
  type Event,
  maxUnreadCount,
  type Notification,
  type NotificationKind,
  type OperationRequest,
  type Operations,
  type PointsDecision,
  type SubjectKind,
  wayquestCreator,
} from '@wayquest/contracts';
import type { BlockReplica, ChallengeReplica, UserReplica } from '@wayquest/platform/replicas';
import type { ServiceKit } from '@wayquest/platform/service';
import { isDuplicateKey, isWriteConflict, retryOnConflict, upsert } from '@wayquest/platform/store';
import type { Caller } from '@wayquest/platform/tokens';
import {
  type NotificationDocument,
  notificationModel,
  presentNotification,
  shownActors,
} from './notification.model.ts';
import type { Preferences } from './preferences.ts';

type ListQuery = OperationRequest<Operations['listNotifications']>['query'];
type MarkReadInput = OperationRequest<Operations['markNotificationsRead']>['body'];

/** Page size without a `limit`. */
export const defaultLimit = 20;

/** What a person did, as another person is notified of it. */
export interface ActorActivity {
  kind: NotificationKind;
  /** Id of its subject: all activity about one subject is one notification. */
  subjectId: number;
  actorId: number;
  challenge?: Notification['challenge'];
}

/** What happened to a challenge, as its participants are notified of it. */
export interface ChallengeNews {
  kind: NotificationKind;
  challenge: NonNullable<Notification['challenge']>;
  change?: Notification['change'];
  /** Grows with each update; a repeated or older one is ignored. */
  revision: number;
  validUntil?: Date;
}

/** The current state of something that belongs to the person who is notified. */
interface CurrentState
  extends Pick<NotificationDocument, 'name' | 'kind' | 'challenge' | 'change' | 'reason' | 'validUntil'> {
  /** Grows with each state; a repeated or older one is ignored. */
  revision: number;
}

type Cause = Pick<Event, 'id' | 'occurredAt'>;

const nameOf = (kind: NotificationKind, subjectId: number): string => `${kind}-${subjectId}`;
const idOf = (userId: number, name: string): string => `${userId}:${name}`;

export const cursorAfter = ({ at, id }: Notification): string => `${at}~${id}`;

const changes: Record<Exclude<DecisionKind, 'dismiss'>, Notification['change']> = {
  hide: 'hidden',
  delete: 'deleted',
  suspend: 'suspended',
  restore: 'restored',
  uphold: 'upheld',
};

/** For content other than challenges. */
const changesOfHidden: Partial<Record<SubjectKind, Notification['change']>> = {
  message: 'removed',
  completion: 'log-entry-hidden',
};

const changesOfPoints: Record<PointsDecision, NonNullable<Notification['change']>> = {
  flag: 'points-flagged',
  approve: 'points-approved',
  revoke: 'points-revoked',
};

/** Kinds about what people did, which say nothing without them. */
const kindsOfActors: NotificationKind[] = [
  'friend-requested',
  'friend-accepted',
  'challenge-joined',
  'challenge-completed',
  'completion-thanked',
];

const dayMs = 24 * 3_600 * 1_000;

/** Creates, updates and lists notifications. */
export interface Notifications {
  /** The caller's notifications, newest first. */
  list(listQuery: ListQuery, caller: Caller): Promise<Notification[]>;
  countUnread(caller: Caller): Promise<{ unread: number }>;
  /** Marks one notification as read, or all up to a time. */
  markRead(which: MarkReadInput, caller: Caller): Promise<{ unread: number }>;
  /** Notifies a person of what another did, unless they opted out of this kind or blocked the other. */
  notifyUser(userId: number, activity: ActorActivity, cause: Cause): Promise<void>;
  /** Notifies at most `maxRecipientsPerEvent` people of an update of a challenge. Six store commands, however many. */
  notifyUsers(userIds: number[], update: ChallengeNews, cause: Cause): Promise<void>;
  /** Notifies a person of a moderation decision about their content; dismissals are not sent. */
  notifyOfDecision(event: Event<'moderation.decided.v1'>): Promise<void>;
  /** Notifies a person of a decision about their points; all points under review share one notification. */
  notifyOfPoints(event: Event<'points.decided.v1'>): Promise<void>;
  /** Notifies a person that their data archive can be downloaded, unless it has expired. */
  notifyOfArchive(event: Event<'archive.ready.v1'>): Promise<void>;
  notifyOfFailedArchive(event: Event<'archive.failed.v1'>): Promise<void>;
  /** Deletes a notification that is no longer true. */
  retract(userId: number, kind: NotificationKind, about: number): Promise<void>;
  /** Deletes notifications of activity in a deleted challenge and of its end. */
  retractForChallenge(challengeId: number, creatorId: number | undefined): Promise<void>;
  /** Removes a person from the notifications of another. */
  hide(userId: number, other: number): Promise<void>;
  /** Deletes the notifications of a person, and removes them from those of others. */
  erase(userId: number): Promise<void>;
}

/**
 * Creates the store of notifications.
 *
 * @param onChanged - Called with the id of each person whose notifications changed.
 */
export function createNotifications({
  kit: { connection, clock, logger },
  users,
  challenges,
  blocks,
  preferences,
  pushDelayMs,
  onChanged,
}: {
  kit: Pick<ServiceKit, 'connection' | 'clock' | 'logger'>;
  users: UserReplica;
  challenges: ChallengeReplica;
  blocks: BlockReplica;
  preferences: Preferences;
  /** Delay of a push message; none is sent for what was read by then. */
  pushDelayMs: number;
  /** Publishes that the notifications of these people changed, for their open tabs. */
  onChanged: (userIds: number[]) => Promise<void>;
}): Notifications {
  const Notifications = notificationModel(connection);

  const unreadOf = (userId: number): Promise<number> =>
    Notifications.countDocuments({ userId, read: false }, { limit: maxUnreadCount });

  const unreadAgain = ({ id }: Cause) => ({
    at: new Date(clock.now()),
    read: false,
    lastEvent: id,
    pushDueAt: new Date(clock.now() + pushDelayMs),
  });

  /** The notification with one more activity; undefined if the same person did the same within a day. */
  const withActivity = (
    before: NotificationDocument | null,
    userId: number,
    { kind, subjectId, actorId, challenge }: ActorActivity,
    cause: Cause,
  ): NotificationDocument | undefined => {
    const at = new Date(cause.occurredAt);
    const last = before?.actorHistory.find((actor) => actor.userId === actorId);
    if (last && at.getTime() < last.at.getTime() + dayMs) return undefined;
    const name = nameOf(kind, subjectId);
    const others = (before?.actorHistory ?? []).filter((actor) => actor.userId !== actorId);
    const waiting = before && !before.read ? before : undefined;
    const { pushDueAt: pushSoon, ...again } = unreadAgain(cause);
    // An unread notification has no second push message.
    const pushDueAt = waiting ? waiting.pushDueAt : pushSoon;
    return {
      _id: idOf(userId, name),
      ...{ userId, name, kind },
      ...(challenge && { challenge }),
      ...again,
      ...(pushDueAt && { pushDueAt }),
      revision: (before?.revision ?? 0) + 1,
      recentActors: [actorId, ...(waiting?.recentActors ?? []).filter((id) => id !== actorId)].slice(
        0,
        maxUnreadCount,
      ),
      actorHistory: [{ userId: actorId, at }, ...others].slice(0, maxUnreadCount),
    };
  };

  const hide = async (userId: number, other: number): Promise<void> => {
    const filter = { userId, 'actorHistory.userId': other };
    const { matchedCount } = await Notifications.updateMany(filter, {
      $pull: { actorHistory: { userId: other }, recentActors: other },
      $inc: { revision: 1 },
    });
    if (!matchedCount) return;
    await Notifications.deleteMany({
      userId,
      recentActors: { $size: 0 },
      kind: { $in: kindsOfActors },
      actorHistory: { $size: 0 },
    });
    await onChanged([userId]);
  };

  /** Notifies a person of a current state; an older or repeated revision is ignored. */
  const notifyOfState = async (
    userId: number,
    { name, kind, challenge = null, change = null, reason, revision, validUntil }: CurrentState,
    cause: Cause,
  ): Promise<void> => {
    const optional = { ...(reason && { reason }), ...(validUntil && { validUntil }) };
    const now = { ...unreadAgain(cause), challenge, change, revision, ...optional };
    const _id = idOf(userId, name);
    const initial = { userId, name, kind, recentActors: [], actorHistory: [] };
    await upsert(Notifications, { _id }, { $setOnInsert: { ...initial, ...now, revision: 0 } });
    const { matchedCount } = await Notifications.updateOne(
      { _id, revision: { $lt: revision } },
      { $set: now },
    );
    if (matchedCount) await onChanged([userId]);
  };

  return {
    async list({ cursor, limit = defaultLimit }: ListQuery, { id: userId }: Caller): Promise<Notification[]> {
      const [moment = '', name = ''] = cursor?.split('~') ?? [];
      const from = new Date(moment);
      const isOlder = Number.isNaN(from.getTime())
        ? {}
        : { $or: [{ at: { $lt: from } }, { at: from, _id: { $lt: idOf(userId, name) } }] };
      const found = await Notifications.find({ userId, ...isOlder }, { actorHistory: 0 })
        .sort({ at: -1, _id: -1 })
        .limit(limit)
        .lean();
      const people = await users.byIds(found.flatMap(shownActors));
      return found.map((each) => presentNotification(each, people));
    },

    countUnread: async ({ id }: Caller): Promise<{ unread: number }> => ({ unread: await unreadOf(id) }),

    async markRead(which: MarkReadInput, { id: userId }: Caller): Promise<{ unread: number }> {
      const chosen =
        'id' in which ? { _id: idOf(userId, which.id) } : { userId, at: { $lte: new Date(which.until) } };
      const { modifiedCount } = await Notifications.updateMany(
        { ...chosen, read: false },
        { $set: { read: true }, $unset: { pushDueAt: 1 } },
      );
      if (modifiedCount) {
        onChanged([userId]).catch((error) =>
          logger.warn({ err: error }, 'could not publish the read state to other tabs'),
        );
      }
      return { unread: await unreadOf(userId) };
    },

    async notifyUser(userId: number, activity: ActorActivity, cause: Cause): Promise<void> {
      if (userId === activity.actorId) return;
      if ((await preferences.optedOut(activity.kind, [userId])).has(userId)) return;
      if ((await blocks.hiddenFrom(userId)).has(activity.actorId)) return;
      const _id = idOf(userId, nameOf(activity.kind, activity.subjectId));
      const changed = await retryOnConflict(async () => {
        const before = await Notifications.findById(_id).lean();
        // A redelivery: open tabs may not know of it yet.
        if (before?.lastEvent === cause.id) return true;
        const next = withActivity(before, userId, activity, cause);
        if (!next) return false;
        if (before) {
          const same = { _id, revision: before.revision, read: before.read };
          const { matchedCount } = await Notifications.replaceOne(same, next);
          return matchedCount ? true : undefined;
        }
        try {
          await Notifications.create(next);
          return true;
        } catch (error) {
          if (isWriteConflict(error)) return undefined;
          throw error;
        }
      });
      if (changed) await onChanged([userId]);
    },

    async notifyUsers(userIds: number[], update: ChallengeNews, cause: Cause): Promise<void> {
      const { kind, challenge, change = null, revision, validUntil } = update;
      const optedOut = await preferences.optedOut(kind, userIds);
      const recipients = userIds.filter((id) => !optedOut.has(id));
      if (!recipients.length) return;
      const name = nameOf(kind, challenge.id);
      const { pushDueAt, ...again } = unreadAgain(cause);
      const now = { ...again, challenge, change, revision, ...(validUntil && { validUntil }) };
      const ids = recipients.map((userId) => idOf(userId, name));
      const older = { _id: { $in: ids }, revision: { $lt: revision } };
      await Notifications.updateMany({ ...older, read: true }, { $set: { ...now, pushDueAt } });
      await Notifications.updateMany({ ...older, read: false }, { $set: now });
      const existing = await Notifications.find({ _id: { $in: ids } }, { userId: 1, lastEvent: 1 }).lean();
      const existingUserIds = new Set(existing.map(({ userId }) => userId));
      const newRecipients = recipients.filter((userId) => !existingUserIds.has(userId));
      try {
        await Notifications.insertMany(
          newRecipients.map((userId) => ({
            _id: idOf(userId, name),
            ...{ userId, name, kind, recentActors: [], actorHistory: [] },
            ...now,
            pushDueAt,
          })),
          { ordered: false },
        );
      } catch (error) {
        // Another update of it created it meanwhile.
        if (!isDuplicateKey(error)) throw error;
      }
      const changed = existing.filter(({ lastEvent }) => lastEvent === cause.id).map(({ userId }) => userId);
      if (changed.length || newRecipients.length) await onChanged([...changed, ...newRecipients]);
    },

    async notifyOfDecision(event: Event<'moderation.decided.v1'>): Promise<void> {
      const { caseId, kind, subjectId, title, affectedUserId: userId, decision, state, version } = event.data;
      if (decision === 'dismiss' || userId === wayquestCreator.id) return;
      const change = (decision === 'hide' && changesOfHidden[kind]) || changes[decision];
      const challenge =
        kind === 'challenge' && state !== 'deleted' ? { id: subjectId, name: title, endDate: null } : null;
      const name = `moderation-decided-${caseId}`;
      await notifyOfState(
        userId,
        { name, kind: 'moderation-decided', challenge, change, revision: version },
        event,
      );
    },

    async notifyOfPoints(event: Event<'points.decided.v1'>): Promise<void> {
      const { userId, challengeId, title, decision, reason } = event.data;
      const { name, template } = (await challenges.get(challengeId))?.details ?? {};
      const subjectId = decision === 'flag' ? 'points' : `points-${challengeId}`;
      const news: CurrentState = {
        ...{ name: `moderation-decided-${subjectId}`, kind: 'moderation-decided' },
        challenge: {
          ...{ id: challengeId, name: title, endDate: null },
          ...(template && name === title && { template }),
        },
        ...{ change: changesOfPoints[decision], revision: Date.parse(event.occurredAt) },
        ...(reason && { reason }),
      };
      await notifyOfState(userId, news, event);
    },

    async notifyOfArchive(event: Event<'archive.ready.v1'>): Promise<void> {
      const { userId, until } = event.data;
      const validUntil = new Date(until);
      const revision = validUntil.getTime();
      if (revision <= clock.now()) return;
      await notifyOfState(
        userId,
        { name: 'archive-ready', kind: 'archive-ready', revision, validUntil },
        event,
      );
    },

    async notifyOfFailedArchive(event: Event<'archive.failed.v1'>): Promise<void> {
      const revision = Date.parse(event.occurredAt);
      await notifyOfState(
        event.data.userId,
        { name: 'archive-failed', kind: 'archive-failed', revision },
        event,
      );
    },

    async retract(userId: number, kind: NotificationKind, subjectId: number): Promise<void> {
      const { deletedCount } = await Notifications.deleteOne({ _id: idOf(userId, nameOf(kind, subjectId)) });
      if (deletedCount) await onChanged([userId]);
    },

    async retractForChallenge(challengeId: number, creatorId: number | undefined): Promise<void> {
      const { deletedCount } = await Notifications.deleteMany({
        'challenge.id': challengeId,
        kind: {
          $in: ['challenge-joined', 'challenge-completed', 'challenge-ending', 'completion-thanked'],
        },
      });
      if (deletedCount && creatorId) await onChanged([creatorId]);
    },

    hide,

    async erase(userId: number): Promise<void> {
      await Notifications.deleteMany({ userId });
      const recipients = await Notifications.distinct('userId', { 'actorHistory.userId': userId });
      for (const other of recipients) await hide(other, userId);
    },
  };
}
