import { createService, type Service, type ServiceDeps } from '@wayquest/platform';

export type RealtimeDeps = ServiceDeps;

/** The whole realtime service as a value. */
export const createRealtimeService = (deps: RealtimeDeps): Service =>
  createService('realtime', deps, () => ({
    routes: () => {},
    consumers: {
      'points.awarded.v1': async () => {},
      'friend.requested.v1': async () => {},
      'friend.accepted.v1': async () => {},
      'friend.removed.v1': async () => {},
      'conversation.created.v1': async () => {},
      'message.sent.v1': async () => {},
      'message.read.v1': async () => {},
    },
  }));
