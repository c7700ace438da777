import type { ServiceParts } from '@wayquest/platform';
import type { ChallengeOperations } from './challenges.ts';

export const consumers = (challenges: ChallengeOperations): ServiceParts<'challenges'>['consumers'] => ({
  'challenge.joined.v1': ({ data }) => challenges.keepJoined(data),
  'challenge.left.v1': ({ data }) => challenges.keepLeft(data),
  'user.profile-changed.v1': ({ data }) =>
    challenges.renameCreator(data.user.id, data.user.username, data.version),
});
