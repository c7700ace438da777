import type { Notification } from './notifications.ts';

/** The path of the app that a notification opens; null if its subject was deleted. */
export function notificationPath({
  kind,
  people: [first],
  challenge,
  change,
}: Pick<Notification, 'kind' | 'people' | 'challenge' | 'change'>): string | null {
  if (kind === 'friend-requested') return '/FriendsInvitation';
  if (kind === 'moderation-decided' && change !== 'points-wait') return '/decisions';
  if (kind === 'archive-ready') return '/settings#data-title';
  if (kind === 'friend-accepted') return first ? `/users/${first.id}` : '/friends';
  return challenge && change !== 'deleted' ? `/challenges/${challenge.id}` : null;
}
