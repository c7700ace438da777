import type { FriendshipReplica, ServiceParts, UserReplica } from '@wayquest/platform';
import type { Conversations } from './conversations.ts';

interface Reacting {
  users: UserReplica;
  friendships: FriendshipReplica;
  conversations: Conversations;
}

export const consumers = ({
  users,
  friendships,
  conversations,
}: Reacting): ServiceParts<'chat'>['consumers'] => ({
  'user.profile-changed.v1': ({ data }) => users.keep(data),
  'points.awarded.v1': ({ data }) => users.keepPoints(data),
  'friend.accepted.v1': async ({ data }) => {
    await friendships.keepAccepted(data);
    await conversations.keepFriends(data.userIds);
  },
  'friend.removed.v1': ({ data }) => friendships.keepRemoved(data),
});
