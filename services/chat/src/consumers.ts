import type { BlockReplica, FriendshipReplica, UserReplica } from '@wayquest/platform/replicas';
import type { ServiceParts } from '@wayquest/platform/service';
import type { Conversations } from './conversations.ts';
import type { Messages } from './messages.ts';

interface Reacting {
  users: UserReplica;
  friendships: FriendshipReplica;
  blocks: BlockReplica;
  conversations: Conversations;
  messages: Messages;
}

export const consumers = ({
  users,
  friendships,
  blocks,
  conversations,
  messages,
}: Reacting): ServiceParts<'chat'>['consumers'] => ({
  'user.profile-changed.v1': users.keep,
  'points.awarded.v1': users.keepPoints,
  'points.revoked.v1': users.keepPoints,
  'friend.accepted.v1': async (event) => {
    await friendships.keepAccepted(event);
    await conversations.keepFriends(event.data.userIds);
  },
  'friend.removed.v1': friendships.keepRemoved,
  'user.blocked.v1': blocks.keepBlocked,
  'moderation.decided.v1': messages.keepDecided,
  'user.unblocked.v1': blocks.keepUnblocked,
});
