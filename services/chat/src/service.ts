import { createService, type Service, type ServiceDeps } from '@wayquest/platform';

export type ChatDeps = ServiceDeps;

/** The whole chat service as a value. */
export const createChatService = (deps: ChatDeps): Service =>
  createService('chat', deps, () => ({
    routes: () => {},
    consumers: {
      'user.profile-changed.v1': async () => {},
      'points.awarded.v1': async () => {},
      'friend.accepted.v1': async () => {},
      'friend.removed.v1': async () => {},
    },
  }));
