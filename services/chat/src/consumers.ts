import type { BlockReplica, FriendshipReplica, UserReplica } from '@wayquest/platform/replicas';
import type { ServiceParts } from '@wayquest/platform/service';
import type { Conversations } from './conversations.ts';
import type { Messages } from './messages.ts';

interface ConsumerDeps {
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
}: ConsumerDeps): ServiceParts<'chat'>['consumers'] => ({
  'user.profile-changed.v1': users.apply,
  'points.awarded.v1': users.applyPoints,
  'points.revoked.v1': users.applyPoints,
  'friend.accepted.v1': async (event) => {
    await friendships.applyAccepted(event);
    await conversations.openForFriends(event.data.userIds);
  },
  'friend.removed.v1': friendships.applyRemoved,
  'user.blocked.v1': blocks.applyBlocked,
  'moderation.decided.v1': messages.applyDecision,
  'user.unblocked.v1': blocks.applyUnblocked,
});
