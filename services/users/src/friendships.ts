import type { EventData } from '@wayquest/contracts';
import type { ServiceKit } from '@wayquest/platform';
import { friendshipModel } from './friendship.model.ts';

type Friendship = EventData<'friend.accepted.v1'>;

/** Who is friends with whom, for the friend ranking and the suggestions. */
export function createFriendships({ connection }: Pick<ServiceKit, 'connection'>) {
  const Friendships = friendshipModel(connection);
  return {
    async keepAccepted({ requestId, userIds }: Friendship): Promise<void> {
      await Friendships.updateOne(
        { _id: requestId },
        { $setOnInsert: { userIds, removed: false } },
        { upsert: true },
      );
    },
    async keepRemoved({ requestId, userIds }: Friendship): Promise<void> {
      await Friendships.updateOne({ _id: requestId }, { $set: { userIds, removed: true } }, { upsert: true });
    },
    async friendsOf(userId: number): Promise<number[]> {
      const friendships = await Friendships.find({ userIds: userId, removed: false }).lean();
      return friendships.flatMap(({ userIds }) => userIds.filter((id) => id !== userId));
    },
  };
}

export type Friendships = ReturnType<typeof createFriendships>;
