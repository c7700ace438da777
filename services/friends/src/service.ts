import { createService, type Service, type ServiceDeps } from '@wayquest/platform';

export type FriendsDeps = ServiceDeps;

/** The whole friends service as a value. */
export const createFriendsService = (deps: FriendsDeps): Service =>
  createService('friends', deps, () => ({
    routes: () => {},
    consumers: {
      'user.profile-changed.v1': async () => {},
      'points.awarded.v1': async () => {},
    },
  }));
