import type { ServiceParts } from '@wayquest/platform';
import type { ParticipationOperations } from './participation.ts';
import type { Replicas } from './replicas.ts';

export const consumers = (
  participation: ParticipationOperations,
  replicas: Replicas,
): ServiceParts<'participation'>['consumers'] => ({
  'challenge.created.v1': ({ data }) => replicas.keepChallenge(data.challenge, data.version),
  'challenge.updated.v1': ({ data }) => replicas.keepChallenge(data.challenge, data.version),
  'challenge.deleted.v1': ({ data }) => participation.removeAll(data.challengeId),
  'user.profile-changed.v1': ({ data }) => replicas.keepUser(data),
  'points.awarded.v1': ({ data }) => replicas.keepPoints(data.userId, data.points),
});
