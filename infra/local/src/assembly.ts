import { type AttemptLimits, createAuthService } from '@wayquest/auth';
import { createChallengesService } from '@wayquest/challenges';
import type { ServiceName } from '@wayquest/contracts';
import { createParticipationService } from '@wayquest/participation';
import type { Service, ServiceDeps } from '@wayquest/platform';
import { createUsersService } from '@wayquest/users';
import { createGateway } from './door.ts';

export interface AssemblyOptions extends Omit<ServiceDeps, 'port' | 'host'> {
  /** PEM, belongs to the public key. */
  privateKey: string;
  /** The gateway's; the services listen on free ports of this machine only. */
  port: number;
  host?: string;
  /** The built web app. */
  webDirectory?: string;
  attemptLimits?: Partial<AttemptLimits>;
}

/** The whole of Wayquest in one process. */
export interface Assembly {
  services: Record<ServiceName, Service>;
  start(): Promise<void>;
  /** The gateway first, so that nothing new comes in. */
  stop(): Promise<void>;
  /** Where the gateway listens, once started. */
  url(): string;
}

/** Puts all services and the gateway together. */
export function assemble({
  privateKey,
  port,
  host,
  webDirectory,
  attemptLimits,
  ...common
}: AssemblyOptions): Assembly {
  const deps: ServiceDeps = { ...common, port: 0 };
  const services: Record<ServiceName, Service> = {
    auth: createAuthService({ ...deps, privateKey, attemptLimits }),
    users: createUsersService({
      ...deps,
      authUrl: () => services.auth.url(),
      participationUrl: () => services.participation.url(),
    }),
    challenges: createChallengesService(deps),
    participation: createParticipationService({ ...deps, challengesUrl: () => services.challenges.url() }),
  };
  const gateway = createGateway({
    logger: common.logger,
    port,
    host,
    webDirectory,
    upstreams: {
      auth: () => services.auth.url(),
      users: () => services.users.url(),
      challenges: () => services.challenges.url(),
      participation: () => services.participation.url(),
    },
  });
  const all = Object.values(services);
  return {
    services,
    async start() {
      await Promise.all(all.map((service) => service.start()));
      await gateway.start();
    },
    async stop() {
      await gateway.stop();
      await Promise.all(all.map((service) => service.stop()));
    },
    url: gateway.url,
  };
}
