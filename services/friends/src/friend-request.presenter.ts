import type { FriendRequest, PublicUser } from '@wayquest/contracts';
import type { FriendRequestDocument } from './friend-request.model.ts';

export type StoredRequest = Omit<FriendRequestDocument, 'outbox'>;

/** A request with both people; undefined while one of them is unknown to the replica. */
export function presentFriendRequest(
  { _id, userId, friendId, status, createdAt }: StoredRequest,
  users: ReadonlyMap<number, PublicUser>,
): FriendRequest | undefined {
  const user = users.get(userId);
  const friend = users.get(friendId);
  if (!user || !friend) return undefined;
  return { id: _id, userId, friendId, status, createdAt: createdAt.toISOString(), user, friend };
}
