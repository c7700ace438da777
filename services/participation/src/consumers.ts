import type { BlockReplica, ChallengeReplica, UserReplica } from '@wayquest/platform/replicas';
import type { ServiceParts } from '@wayquest/platform/service';
import type { ParticipationOperations } from './participation.ts';

interface Reacting {
  participation: ParticipationOperations;
  challengeReplica: ChallengeReplica;
  userReplica: UserReplica;
  blocks: BlockReplica;
}

export const consumers = ({
  participation,
  challengeReplica,
  userReplica,
  blocks,
}: Reacting): ServiceParts<'participation'>['consumers'] => ({
  'challenge.created.v1': challengeReplica.keep,
  'challenge.updated.v1': challengeReplica.keep,
  'challenge.deleted.v1': participation.removeAll,
  'user.profile-changed.v1': userReplica.keep,
  'points.awarded.v1': userReplica.keepPoints,
  'points.withdrawn.v1': userReplica.keepPoints,
  'user.blocked.v1': blocks.keepBlocked,
  'user.unblocked.v1': blocks.keepUnblocked,
});
