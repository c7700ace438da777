import type {
  BlockReplica,
  ChallengeReplica,
  FriendshipReplica,
  UserReplica,
} from '@wayquest/platform/replicas';
import type { ServiceParts } from '@wayquest/platform/service';
import type { ChallengeLog } from './log.ts';
import type { ParticipationOperations } from './participations.ts';

interface Reacting {
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
}: Reacting): ServiceParts<'participation'>['consumers'] => ({
  'report.made.v1': log.keepReported,
  'moderation.decided.v1': log.keepDecided,
  'challenge.created.v1': challengeReplica.keep,
  'challenge.updated.v1': challengeReplica.keep,
  'challenge.deleted.v1': participations.removeAll,
  'user.profile-changed.v1': userReplica.keep,
  'points.awarded.v1': userReplica.keepPoints,
  'points.revoked.v1': userReplica.keepPoints,
  'friend.accepted.v1': friendships.keepAccepted,
  'friend.removed.v1': friendships.keepRemoved,
  'user.blocked.v1': blocks.keepBlocked,
  'user.unblocked.v1': blocks.keepUnblocked,
});
