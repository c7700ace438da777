import type { Conversation, PublicUser } from '@wayquest/contracts';

/** Friends: those who are online first, then by the newest message, then by name. */
export function sortFriends(
  friends: readonly PublicUser[],
  {
    online,
    conversations,
  }: { online: readonly number[]; conversations: readonly Pick<Conversation, 'user' | 'last'>[] },
): PublicUser[] {
  const writtenAt = new Map(conversations.map(({ user, last }) => [user.id, last?.createdAt ?? '']));
  const timeOf = ({ id }: PublicUser) => writtenAt.get(id) ?? '';
  const isOnline = ({ id }: PublicUser) => Number(online.includes(id));
  return [...friends].sort(
    (one, other) =>
      isOnline(other) - isOnline(one) ||
      timeOf(other).localeCompare(timeOf(one)) ||
      one.username.localeCompare(other.username),
  );
}
