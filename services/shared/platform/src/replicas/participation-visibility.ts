import { isVisibleTo } from '@wayquest/contracts';
import type { FriendshipReplica } from './friendship-replica.ts';
import type { UserReplica } from './user-replica.ts';

/** Whether a user's privacy settings show their participations to a reader. One store command, or two if shown to friends. */
export async function showsParticipation(
  { users, friendships }: { users: UserReplica; friendships: FriendshipReplica },
  userId: number,
  readerId: number,
): Promise<boolean> {
  const { participation: visibility } = await users.privacyOf(userId);
  const readerOf = await friendships.readerOf(readerId, [{ id: userId, visibility: [visibility] }]);
  return isVisibleTo(visibility, readerOf(userId));
}
