import type { Notification, NotificationKind, PublicUser } from '@wayquest/contracts';
import { type Connection, Schema } from 'mongoose';

export interface NotificationDocument {
  /** `<user>:<name>`. */
  _id: string;
  userId: number;
  /** The kind and the id of its subject, which together are one notification. */
  name: string;
  kind: NotificationKind;
  at: Date;
  read: boolean;
  /** Number of changes; for updates of a challenge, the challenge's version. */
  revision: number;
  /** Who did it since it was last read, newest first. */
  recentActors: number[];
  /** Who did it, and when: the same person causes one notification a day at most. */
  actorHistory: { userId: number; at: Date }[];
  challenge?: Notification['challenge'];
  change?: Notification['change'];
  /** The reason that an admin gave. */
  reason?: string;
  /** The event that last changed it. */
  lastEvent: string;
  /** When a push message is due, unless it is read by then. Absent: it was sent. */
  pushDueAt?: Date | null;
  /** When what it says is no longer true, if that is known: a push message is not delivered later. */
  validUntil?: Date | null;
}

/** Retention, as the contract states. */
const retentionSeconds = 90 * 24 * 3_600;

const schema = new Schema<NotificationDocument>({
  _id: { type: String, required: true },
  userId: { type: Number, required: true },
  name: { type: String, required: true },
  kind: { type: String, required: true },
  at: { type: Date, required: true },
  read: { type: Boolean, required: true },
  revision: { type: Number, required: true },
  recentActors: { type: [Number], required: true },
  actorHistory: { type: [new Schema({ userId: Number, at: Date }, { _id: false })], required: true },
  challenge: Schema.Types.Mixed,
  change: String,
  reason: String,
  lastEvent: { type: String, required: true },
  pushDueAt: Date,
  validUntil: Date,
});
schema.set('shardKey', { userId: 'hashed' });
schema.index({ userId: 1, at: -1, _id: -1 });
schema.index({ userId: 1, read: 1 });
schema.index({ 'actorHistory.userId': 1, userId: 1 });
schema.index({ 'challenge.id': 1 });
schema.index({ pushDueAt: 1 }, { sparse: true });
schema.index({ at: 1 }, { expireAfterSeconds: retentionSeconds });

export const notificationModel = (connection: Connection) =>
  connection.model<NotificationDocument>('Notification', schema, 'notifications');

/** A notification without the history of its actors. */
type VisibleNotification = Omit<NotificationDocument, 'actorHistory'>;

/** Maximum number of actors that a notification shows. */
const maxPeople = 3;

export const shownActors = ({ recentActors }: VisibleNotification): number[] =>
  recentActors.slice(0, maxPeople);

export const presentNotification = (
  stored: VisibleNotification,
  users: Map<number, PublicUser>,
): Notification => ({
  id: stored.name,
  kind: stored.kind,
  at: stored.at.toISOString(),
  read: stored.read,
  people: shownActors(stored).flatMap((id) => {
    const user = users.get(id);
    return user ? [{ id, username: user.username, avatar: user.avatar }] : [];
  }),
  count: stored.recentActors.length,
  challenge: stored.challenge ?? null,
  change: stored.change ?? null,
  ...(stored.reason && { reason: stored.reason }),
});
