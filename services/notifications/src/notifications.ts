import {
  type DecisionKind,
  type Event,
  maxCounted,
  type Notification,
  type NotificationKind,
  type OperationRequest,
  type Operations,
  type PointsDecision,
} from '@wayquest/contracts';
import type { Caller } from '@wayquest/platform/http';
import type { BlockReplica, UserReplica } from '@wayquest/platform/replicas';
import type { ServiceKit } from '@wayquest/platform/service';
import { isDuplicateKey, isWriteConflict, retryOnConflict, upsert } from '@wayquest/platform/store';
import { type NotificationDocument, notificationModel } from './notification.model.ts';
import { presentNotification, shownPeople } from './notification.presenter.ts';
import type { Preferences } from './preferences.ts';

type ListQuery = OperationRequest<Operations['listNotifications']>['query'];
type ReadUntil = OperationRequest<Operations['markNotificationsRead']>['body'];

/** How many are answered when nobody says. */
export const defaultLimit = 20;

/** What somebody did, as another one is told of it. */
export interface Deed {
  kind: NotificationKind;
  /** What it is about: all of that is one notification. */
  about: number;
  by: number;
  challenge?: Notification['challenge'];
}

/** What became of a challenge, as all are told of it who take part. */
export interface Turn {
  kind: NotificationKind;
  challenge: NonNullable<Notification['challenge']>;
  change?: Notification['change'];
  /** Later ones have greater ones; the same again is no news. */
  revision: number;
}

/** What is so of a thing of somebody's. */
interface Now extends Pick<NotificationDocument, 'name' | 'kind' | 'challenge' | 'change' | 'reason'> {
  /** Later ones have greater ones. */
  revision: number;
}

type Cause = Pick<Event, 'id' | 'occurredAt'>;

const nameOf = (kind: NotificationKind, about: number): string => `${kind}-${about}`;
const idOf = (userId: number, name: string): string => `${userId}:${name}`;

export const cursorAfter = ({ at, id }: Notification): string => `${at}~${id}`;

const changes: Record<Exclude<DecisionKind, 'dismiss'>, Notification['change']> = {
  hide: 'hidden',
  delete: 'deleted',
  suspend: 'suspended',
  restore: 'restored',
  uphold: 'upheld',
};

const changesOfPoints: Record<PointsDecision, NonNullable<Notification['change']>> = {
  hold: 'points-wait',
  release: 'points-count',
  withdraw: 'points-withdrawn',
};

const dayMs = 24 * 3_600 * 1_000;

/** What people are told, kept. */
export function createNotifications({
  kit: { connection, clock, logger },
  users,
  blocks,
  preferences,
  pushAfterMs,
  tell,
}: {
  kit: Pick<ServiceKit, 'connection' | 'clock' | 'logger'>;
  users: UserReplica;
  blocks: BlockReplica;
  preferences: Preferences;
  /** Who reads it within this time has no need of a push message. */
  pushAfterMs: number;
  /** Tells whoever shows theirs that they changed. */
  tell: (userIds: number[]) => Promise<void>;
}) {
  const Notifications = notificationModel(connection);

  const unreadOf = (userId: number): Promise<number> =>
    Notifications.countDocuments({ userId, read: false }, { limit: maxCounted });

  const unreadAgain = ({ id }: Cause) => ({
    at: new Date(clock.now()),
    read: false,
    lastEvent: id,
    pushDueAt: new Date(clock.now() + pushAfterMs),
  });

  /** One more who did the same, or nothing new. */
  const withDeed = (
    before: NotificationDocument | null,
    userId: number,
    { kind, about, by, challenge }: Deed,
    cause: Cause,
  ): NotificationDocument | undefined => {
    const at = new Date(cause.occurredAt);
    const last = before?.heard.find((heard) => heard.userId === by);
    if (last && at.getTime() < last.at.getTime() + dayMs) return undefined;
    const name = nameOf(kind, about);
    const others = (before?.heard ?? []).filter((heard) => heard.userId !== by);
    const waiting = before && !before.read ? before : undefined;
    const { pushDueAt: pushSoon, ...again } = unreadAgain(cause);
    // Of what waits to be read already nobody is told again.
    const pushDueAt = waiting ? waiting.pushDueAt : pushSoon;
    return {
      _id: idOf(userId, name),
      ...{ userId, name, kind },
      ...(challenge && { challenge }),
      ...again,
      ...(pushDueAt && { pushDueAt }),
      revision: (before?.revision ?? 0) + 1,
      people: [by, ...(waiting?.people ?? []).filter((id) => id !== by)].slice(0, maxCounted),
      heard: [{ userId: by, at }, ...others].slice(0, maxCounted),
    };
  };

  /** Takes one person out of what another one was told. */
  const hide = async (userId: number, other: number): Promise<void> => {
    const about = { userId, 'heard.userId': other };
    const { matchedCount } = await Notifications.updateMany(about, {
      $pull: { heard: { userId: other }, people: other },
      $inc: { revision: 1 },
    });
    if (!matchedCount) return;
    await Notifications.deleteMany({
      userId,
      people: { $size: 0 },
      kind: { $in: ['friend-requested', 'friend-accepted', 'challenge-joined', 'challenge-completed'] },
      heard: { $size: 0 },
    });
    await tell([userId]);
  };

  /** Tells one person what is so of a thing now; the same again, or what was so before, is no news. */
  const tellNow = async (
    userId: number,
    { name, kind, challenge = null, change = null, reason, revision }: Now,
    cause: Cause,
  ): Promise<void> => {
    const now = { ...unreadAgain(cause), challenge, change, revision, ...(reason && { reason }) };
    const _id = idOf(userId, name);
    const kept = { userId, name, kind, people: [], heard: [] };
    await upsert(Notifications, { _id }, { $setOnInsert: { ...kept, ...now, revision: 0 } });
    const { matchedCount } = await Notifications.updateOne(
      { _id, revision: { $lt: revision } },
      { $set: now },
    );
    if (matchedCount) await tell([userId]);
  };

  return {
    /** The caller's own, the newest first. */
    async list({ cursor, limit = defaultLimit }: ListQuery, { id: userId }: Caller): Promise<Notification[]> {
      const [moment = '', name = ''] = cursor?.split('~') ?? [];
      const from = new Date(moment);
      const isOlder = Number.isNaN(from.getTime())
        ? {}
        : { $or: [{ at: { $lt: from } }, { at: from, _id: { $lt: idOf(userId, name) } }] };
      const found = await Notifications.find({ userId, ...isOlder }, { heard: 0 })
        .sort({ at: -1, _id: -1 })
        .limit(limit)
        .lean();
      const people = await users.byIds(found.flatMap(shownPeople));
      return found.map((each) => presentNotification(each, people));
    },

    countUnread: async ({ id }: Caller): Promise<{ unread: number }> => ({ unread: await unreadOf(id) }),

    /** One, or all until a moment. */
    async markRead(which: ReadUntil, { id: userId }: Caller): Promise<{ unread: number }> {
      const chosen =
        'id' in which ? { _id: idOf(userId, which.id) } : { userId, at: { $lte: new Date(which.until) } };
      const { modifiedCount } = await Notifications.updateMany(
        { ...chosen, read: false },
        { $set: { read: true }, $unset: { pushDueAt: 1 } },
      );
      if (modifiedCount) {
        tell([userId]).catch((error) =>
          logger.warn({ err: error }, 'could not publish to other tabs what was read'),
        );
      }
      return { unread: await unreadOf(userId) };
    },

    /** Tells one person what another one did, unless they do not want to hear of it, or of them. */
    async tellOne(userId: number, deed: Deed, cause: Cause): Promise<void> {
      if (userId === deed.by) return;
      if ((await preferences.unwanting(deed.kind, [userId])).has(userId)) return;
      if ((await blocks.hiddenFrom(userId)).has(deed.by)) return;
      const _id = idOf(userId, nameOf(deed.kind, deed.about));
      const told = await retryOnConflict(async () => {
        const before = await Notifications.findById(_id).lean();
        // It came once more: whoever shows it may not have heard.
        if (before?.lastEvent === cause.id) return true;
        const next = withDeed(before, userId, deed, cause);
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
      if (told) await tell([userId]);
    },

    /** Tells many people, at most `maxRecipientsPerEvent`, what became of a challenge. Six commands, however many. */
    async tellMany(userIds: number[], turn: Turn, cause: Cause): Promise<void> {
      const { kind, challenge, change = null, revision } = turn;
      const unwanting = await preferences.unwanting(kind, userIds);
      const wanting = userIds.filter((id) => !unwanting.has(id));
      if (!wanting.length) return;
      const name = nameOf(kind, challenge.id);
      const { pushDueAt, ...again } = unreadAgain(cause);
      const now = { ...again, challenge, change, revision };
      const ids = wanting.map((userId) => idOf(userId, name));
      const older = { _id: { $in: ids }, revision: { $lt: revision } };
      await Notifications.updateMany({ ...older, read: true }, { $set: { ...now, pushDueAt } });
      await Notifications.updateMany({ ...older, read: false }, { $set: now });
      const there = await Notifications.find({ _id: { $in: ids } }, { userId: 1, lastEvent: 1 }).lean();
      const known = new Set(there.map(({ userId }) => userId));
      const fresh = wanting.filter((userId) => !known.has(userId));
      try {
        await Notifications.insertMany(
          fresh.map((userId) => ({
            _id: idOf(userId, name),
            ...{ userId, name, kind, people: [], heard: [] },
            ...now,
            pushDueAt,
          })),
          { ordered: false },
        );
      } catch (error) {
        // Another turn of it made it meanwhile.
        if (!isDuplicateKey(error)) throw error;
      }
      const told = there.filter(({ lastEvent }) => lastEvent === cause.id).map(({ userId }) => userId);
      if (told.length || fresh.length) await tell([...told, ...fresh]);
    },

    /** Tells somebody what was decided about what is theirs; that nothing was wrong is no news. */
    async tellDecided(event: Event<'moderation.decided.v1'>): Promise<void> {
      const { caseId, kind, subjectId, title, concernedId: userId, decision, state, version } = event.data;
      if (decision === 'dismiss') return;
      const change = decision === 'hide' && kind === 'message' ? 'removed' : changes[decision];
      const challenge =
        kind === 'challenge' && state !== 'deleted' ? { id: subjectId, name: title, endDate: null } : null;
      const name = `moderation-decided-${caseId}`;
      await tellNow(
        userId,
        { name, kind: 'moderation-decided', challenge, change, revision: version },
        event,
      );
    },

    /** Tells somebody what becomes of points of theirs; of those that wait they are told by one, the last first. */
    async tellOfPoints(event: Event<'points.decided.v1'>): Promise<void> {
      const { userId, challengeId, title, decision, reason } = event.data;
      const about = decision === 'hold' ? 'points' : `points-${challengeId}`;
      const news: Now = {
        ...{ name: `moderation-decided-${about}`, kind: 'moderation-decided' },
        challenge: { id: challengeId, name: title, endDate: null },
        ...{ change: changesOfPoints[decision], revision: Date.parse(event.occurredAt) },
        ...(reason && { reason }),
      };
      await tellNow(userId, news, event);
    },

    /** Tells somebody that all that is held of them is there to be taken, unless it is there no more. */
    async tellArchive(event: Event<'archive.made.v1'>): Promise<void> {
      const { userId, until } = event.data;
      const revision = Date.parse(until);
      if (revision <= clock.now()) return;
      await tellNow(userId, { name: 'archive-ready', kind: 'archive-ready', revision }, event);
    },

    /** Takes away what is no longer so. */
    async takeBack(userId: number, kind: NotificationKind, about: number): Promise<void> {
      const { deletedCount } = await Notifications.deleteOne({ _id: idOf(userId, nameOf(kind, about)) });
      if (deletedCount) await tell([userId]);
    },

    /** Takes away what others did with a challenge that is gone, and that it ends. */
    async takeBackDeeds(challengeId: number, makerId: number | undefined): Promise<void> {
      const { deletedCount } = await Notifications.deleteMany({
        'challenge.id': challengeId,
        kind: { $in: ['challenge-joined', 'challenge-completed', 'challenge-ending'] },
      });
      if (deletedCount && makerId) await tell([makerId]);
    },

    hide,

    /** Takes out what somebody was told, and them out of what others were. */
    async erase(userId: number): Promise<void> {
      await Notifications.deleteMany({ userId });
      const told = await Notifications.distinct('userId', { 'heard.userId': userId });
      for (const other of told) await hide(other, userId);
    },
  };
}

export type Notifications = ReturnType<typeof createNotifications>;
