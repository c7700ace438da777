import type { UserReplica } from '@wayquest/platform/replicas';
import type { ServiceParts } from '@wayquest/platform/service';

export const consumers = (users: UserReplica): ServiceParts<'friends'>['consumers'] => ({
  'user.profile-changed.v1': users.apply,
  'points.awarded.v1': users.applyPoints,
  'points.revoked.v1': users.applyPoints,
});
