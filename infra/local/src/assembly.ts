import { type AuthDeps, createAuthService } from '@wayquest/auth';
import { createChallengesService } from '@wayquest/challenges';
import { createChatService } from '@wayquest/chat';
import type { ServiceName } from '@wayquest/contracts';
import { createFriendsService } from '@wayquest/friends';
import { createGateway, type Gateway, type GatewayDeps } from '@wayquest/gateway';
import { createParticipationService } from '@wayquest/participation';
import { createPlacesService, type PlacesDeps } from '@wayquest/places';
import type { Service, ServiceDeps } from '@wayquest/platform';
import { createRealtimeService } from '@wayquest/realtime';
import { createUsersService } from '@wayquest/users';

type Common = Omit<ServiceDeps, 'port' | 'host'>;
type OfAuth = Pick<AuthDeps, 'privateKey' | 'google' | 'publicUrl' | 'attemptLimits' | 'redis'>;
/** `places` says how the places service differs from the usual. */
interface OfPlaces {
  places?: Pick<PlacesDeps, 'outside' | 'callLimit' | 'readAhead' | 'timeoutMs'>;
}
/** The services listen on free ports of this machine only; `port` and `host` are the gateway's. */
type OfGateway = Pick<
  GatewayDeps,
  'port' | 'host' | 'webDirectory' | 'webSettings' | 'rateLimits' | 'patience'
>;

export type AssemblyOptions = Common & OfAuth & OfPlaces & OfGateway;

/** The whole of Wayquest in one process. */
export interface Assembly {
  services: Record<ServiceName, Service>;
  gateway: Gateway;
  start(): Promise<void>;
  /** The gateway first, so that nothing new comes in. */
  stop(): Promise<void>;
  ready(): Promise<boolean>;
}

/** Puts all services and the gateway together. */
export function assemble(options: AssemblyOptions): Assembly {
  const { logger, bus, mongoUrl, databasePrefix, publicKey, ...others } = options;
  const { privateKey, google, publicUrl, attemptLimits, redis, places, ...ofGateway } = others;
  const deps: ServiceDeps = { logger, bus, mongoUrl, databasePrefix, publicKey, port: 0 };
  const services: Record<ServiceName, Service> = {
    auth: createAuthService({ ...deps, privateKey, google, publicUrl, attemptLimits, redis }),
    users: createUsersService({
      ...deps,
      authUrl: () => services.auth.url(),
      participationUrl: () => services.participation.url(),
    }),
    challenges: createChallengesService(deps),
    participation: createParticipationService({ ...deps, challengesUrl: () => services.challenges.url() }),
    friends: createFriendsService({ ...deps, usersUrl: () => services.users.url(), redis }),
    chat: createChatService({ ...deps, friendsUrl: () => services.friends.url() }),
    places: createPlacesService({ ...deps, ...places, redis }),
    realtime: createRealtimeService(deps),
  };
  const gateway = createGateway({
    ...ofGateway,
    logger,
    redis,
    upstreams: {
      auth: () => services.auth.url(),
      users: () => services.users.url(),
      challenges: () => services.challenges.url(),
      participation: () => services.participation.url(),
      friends: () => services.friends.url(),
      chat: () => services.chat.url(),
      places: () => services.places.url(),
    },
    realtime: [() => services.realtime.url()],
  });
  const all = Object.values(services);
  return {
    services,
    gateway,
    async start() {
      await Promise.all(all.map((service) => service.start()));
      await gateway.start();
    },
    async stop() {
      await gateway.stop();
      await Promise.all(all.map((service) => service.stop()));
    },
    ready: async () => !(await Promise.all([...all, gateway].map((part) => part.ready()))).includes(false),
  };
}
