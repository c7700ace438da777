import type { ServiceParts, UserReplica } from '@wayquest/platform';

export const consumers = (users: UserReplica): ServiceParts<'friends'>['consumers'] => ({
  'user.profile-changed.v1': ({ data }) => users.keep(data),
  'points.awarded.v1': ({ data }) => users.keepPoints(data),
});
