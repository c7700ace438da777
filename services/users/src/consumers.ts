import type { FriendshipReplica, ServiceParts } from '@wayquest/platform';
import type { Points } from './points.ts';
import type { Profiles } from './profiles.ts';

interface Reacting {
  profiles: Profiles;
  points: Points;
  friendships: FriendshipReplica;
}

export const consumers = ({
  profiles,
  points,
  friendships,
}: Reacting): ServiceParts<'users'>['consumers'] => ({
  'user.registered.v1': ({ data }) => profiles.keepAccount(data),
  'user.account-changed.v1': ({ data }) => profiles.keepAccount(data),
  'challenge.completed.v1': async ({ data }) => {
    await points.award(data);
  },
  'friend.requested.v1': ({ data }) => friendships.keepRequested(data),
  'friend.accepted.v1': ({ data }) => friendships.keepAccepted(data),
  'friend.removed.v1': ({ data }) => friendships.keepRemoved(data),
});
