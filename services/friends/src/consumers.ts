import type { UserReplica } from '@wayquest/platform/replicas';
import type { ServiceParts } from '@wayquest/platform/service';

export const consumers = (users: UserReplica): ServiceParts<'friends'>['consumers'] => ({
  'user.profile-changed.v1': users.keep,
  'points.awarded.v1': users.keepPoints,
  'points.revoked.v1': users.keepPoints,
});
