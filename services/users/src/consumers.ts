import type { BlockReplica, FriendshipReplica } from '@wayquest/platform/replicas';
import type { ServiceParts } from '@wayquest/platform/service';
import type { Points } from './points.ts';
import type { Profiles } from './profiles.ts';

interface ConsumerDeps {
  profiles: Profiles;
  points: Points;
  friendships: FriendshipReplica;
  blocks: BlockReplica;
}

export const consumers = ({
  profiles,
  points,
  friendships,
  blocks,
}: ConsumerDeps): ServiceParts<'users'>['consumers'] => ({
  'user.registered.v1': profiles.applyAccount,
  'user.account-changed.v1': profiles.applyAccount,
  'challenge.completed.v1': async ({ data }) => {
    await points.award(data);
  },
  'challenge.deleted.v1': async ({ data }) => {
    if (data.revokesPoints) await points.revokeAll(data);
  },
  'friend.requested.v1': friendships.applyRequested,
  'friend.accepted.v1': friendships.applyAccepted,
  'friend.removed.v1': friendships.applyRemoved,
  'user.blocked.v1': blocks.applyBlocked,
  'user.unblocked.v1': blocks.applyUnblocked,
});
