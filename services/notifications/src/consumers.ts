import type {
  BlockReplica,
  FriendshipReplica,
  MembershipReplica,
  UserReplica,
} from '@wayquest/platform/replicas';
import type { ServiceParts } from '@wayquest/platform/service';
import type { ChallengeNotifier } from './challenge-news.ts';
import type { Notifications } from './notifications.ts';

interface ConsumerDeps {
  users: UserReplica;
  friendships: FriendshipReplica;
  blocks: BlockReplica;
  memberships: MembershipReplica;
  challengeNews: ChallengeNotifier;
  notifications: Notifications;
}

/** Replayed events update replicas only; nobody is notified. */
export const consumers = ({
  users,
  friendships,
  blocks,
  memberships,
  challengeNews,
  notifications,
}: ConsumerDeps): ServiceParts<'notifications'>['consumers'] => ({
  'user.profile-changed.v1': users.apply,
  'challenge.created.v1': challengeNews.onChanged,
  'challenge.updated.v1': challengeNews.onChanged,
  'challenge.deleted.v1': challengeNews.onDeleted,
  'challenge.joined.v1': async (event) => {
    await memberships.applyJoined(event);
    if (!event.replayed) await challengeNews.notifyCreator('challenge-joined', event);
  },
  'challenge.left.v1': memberships.applyLeft,
  'challenge.completed.v1': async (event) => {
    await memberships.applyCompleted(event);
    if (!event.replayed) await challengeNews.notifyCreator('challenge-completed', event);
  },
  'friend.requested.v1': async (event) => {
    await friendships.applyRequested(event);
    if (event.replayed) return;
    const { requestId, userIds } = event.data;
    const [actorId, receiverId] = userIds;
    await notifications.notifyUser(
      receiverId,
      { kind: 'friend-requested', subjectId: requestId, actorId },
      event,
    );
    // Its end may have come first, or meanwhile.
    if (!(await friendships.hasRequest(requestId)))
      await notifications.retract(receiverId, 'friend-requested', requestId);
  },
  'friend.accepted.v1': async (event) => {
    await friendships.applyAccepted(event);
    if (event.replayed) return;
    const { requestId, userIds } = event.data;
    const [senderId, actorId] = userIds;
    await notifications.retract(actorId, 'friend-requested', requestId);
    await notifications.notifyUser(
      senderId,
      { kind: 'friend-accepted', subjectId: requestId, actorId },
      event,
    );
    if (!(await friendships.areFriends(senderId, actorId)))
      await notifications.retract(senderId, 'friend-accepted', requestId);
  },
  'friend.removed.v1': async (event) => {
    await friendships.applyRemoved(event);
    const { requestId, userIds } = event.data;
    const [senderId, receiverId] = userIds;
    await notifications.retract(receiverId, 'friend-requested', requestId);
    await notifications.retract(senderId, 'friend-accepted', requestId);
  },
  'user.blocked.v1': async (event) => {
    await blocks.applyBlocked(event);
    const { userId, blockedId } = event.data;
    await notifications.hide(userId, blockedId);
    await notifications.hide(blockedId, userId);
  },
  'user.unblocked.v1': blocks.applyUnblocked,
  'moderation.decided.v1': notifications.notifyOfDecision,
  'points.decided.v1': notifications.notifyOfPoints,
  'archive.made.v1': notifications.notifyOfArchive,
});
