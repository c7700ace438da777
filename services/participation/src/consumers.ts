import type { ServiceParts, UserReplica } from '@wayquest/platform';
import type { ChallengeReplica } from './challenge-replica.ts';
import type { ParticipationOperations } from './participation.ts';

interface Reacting {
  participation: ParticipationOperations;
  challengeReplica: ChallengeReplica;
  userReplica: UserReplica;
}

export const consumers = ({
  participation,
  challengeReplica,
  userReplica,
}: Reacting): ServiceParts<'participation'>['consumers'] => ({
  'challenge.created.v1': ({ data }) => challengeReplica.keep(data.challenge, data.version),
  'challenge.updated.v1': ({ data }) => challengeReplica.keep(data.challenge, data.version),
  'challenge.deleted.v1': ({ data }) => participation.removeAll(data.challengeId),
  'user.profile-changed.v1': ({ data }) => userReplica.keep(data),
  'points.awarded.v1': ({ data }) => userReplica.keepPoints(data),
});
