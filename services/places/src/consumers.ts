import type { ServiceParts } from '@wayquest/platform/service';
import type { LocatedChallenges } from './located-challenges.ts';

export const consumers = (located: LocatedChallenges): ServiceParts<'places'>['consumers'] => ({
  'challenge.created.v1': ({ data }) => located.locate(data.challenge),
  'challenge.updated.v1': ({ data }) => located.locate(data.challenge),
});
