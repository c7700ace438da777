import type { Notification, PublicUser } from '@wayquest/contracts';
import type { NotificationDocument } from './notification.model.ts';

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
