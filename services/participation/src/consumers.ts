import type {
  BlockReplica,
  ChallengeReplica,
  FriendshipReplica,
  UserReplica,
} from '@wayquest/platform/replicas';
import type { ServiceParts } from '@wayquest/platform/service';
import type { ChallengeLog } from './log.ts';
import type { ParticipationOperations } from './participations.ts';

interface ConsumerDeps {
  participations: ParticipationOperations;
  log: ChallengeLog;
  challengeReplica: ChallengeReplica;
  userReplica: UserReplica;
  friendships: FriendshipReplica;
  blocks: BlockReplica;
}

export const consumers = ({
  participations,
  log,
  challengeReplica,
  userReplica,
  friendships,
  blocks,
}: ConsumerDeps): ServiceParts<'participation'>['consumers'] => ({
  'report.made.v1': log.applyReport,
  'moderation.decided.v1': log.applyDecision,
  'challenge.created.v1': challengeReplica.apply,
  'challenge.updated.v1': challengeReplica.apply,
  'challenge.deleted.v1': participations.removeAll,
  'user.profile-changed.v1': userReplica.apply,
  'points.awarded.v1': userReplica.applyPoints,
  'points.revoked.v1': userReplica.applyPoints,
  'friend.accepted.v1': friendships.applyAccepted,
  'friend.removed.v1': friendships.applyRemoved,
  'user.blocked.v1': blocks.applyBlocked,
  'user.unblocked.v1': blocks.applyUnblocked,
});
