import type { Event } from '@wayquest/contracts';
import type { FriendshipReplica, UserReplica } from '@wayquest/platform/replicas';
import type { ServiceParts } from '@wayquest/platform/service';
import type { ClusterBus } from './cluster-bus.ts';
import type { Leaderboard } from './leaderboard.ts';

type FriendEvent = 'friend.requested.v1' | 'friend.accepted.v1' | 'friend.removed.v1';

/**
 * Delivers each event to every node before it is acknowledged; a node ignores an event that it has delivered already.
 */
export function consumers(
  cluster: ClusterBus,
  friendships: FriendshipReplica,
  users: UserReplica,
  leaderboard: Leaderboard,
): ServiceParts<'realtime'>['consumers'] {
  const deliverFriendRequest = async (
    { id, data, replayed }: Event<FriendEvent>,
    status: 'pending' | 'accepted' | 'removed',
  ): Promise<void> => {
    await cluster.broadcast({ type: 'friends', userIds: data.userIds });
    // Replayed for the replica only.
    if (replayed) return;
    await cluster.deliver({
      userIds: data.userIds,
      name: 'friendRequest',
      data: { ...data, status },
      key: id,
    });
  };

  const deliverPoints = async ({
    id,
    data: { userId, challengeId, awarded, points },
  }: Pick<Event<'points.awarded.v1'>, 'id' | 'data'>): Promise<void> => {
    const data = { challengeId, awarded, points };
    await cluster.deliver({ userIds: [userId], name: 'points', data, key: id });
    leaderboard.onPointsAwarded();
  };

  return {
    'user.profile-changed.v1': async (event) => {
      await users.apply(event);
      await cluster.broadcast({ type: 'profile', userId: event.data.user.id });
    },
    'challenge.updated.v1': async ({ data, replayed }) => {
      if (!replayed) await cluster.broadcast({ type: 'challenge', challengeId: data.challenge.id });
    },
    'challenge.deleted.v1': ({ data }) =>
      cluster.broadcast({ type: 'challenge', challengeId: data.challengeId, deleted: true }),
    'friend.requested.v1': async (event) => {
      await friendships.applyRequested(event);
      await deliverFriendRequest(event, 'pending');
    },
    'friend.accepted.v1': async (event) => {
      await friendships.applyAccepted(event);
      await deliverFriendRequest(event, 'accepted');
    },
    'friend.removed.v1': async (event) => {
      await friendships.applyRemoved(event);
      await deliverFriendRequest(event, 'removed');
    },
    'conversation.created.v1': ({ id, data }) =>
      cluster.deliver({ userIds: [data.senderId, data.receiverId], name: 'conversation', data, key: id }),
    'message.sent.v1': ({ id, data: { message, receiverId } }) =>
      cluster.deliver({
        userIds: [message.sender, receiverId],
        name: 'getMessage',
        data: { ...message, senderId: message.sender, receiverId },
        key: id,
      }),
    'message.read.v1': ({ id, data: { conversationId, userId, otherId, messageId, shown } }) =>
      cluster.deliver({
        userIds: shown ? [userId, otherId] : [userId],
        name: 'read',
        data: { conversationId, userId, messageId },
        key: id,
      }),
    'notifications.changed.v1': ({ id, data: { userIds } }) =>
      cluster.deliver({ userIds, name: 'notifications', data: {}, key: id }),
    'points.awarded.v1': deliverPoints,
    'points.revoked.v1': ({ id, data }) => deliverPoints({ id, data: { ...data, awarded: 0 } }),
  };
}
