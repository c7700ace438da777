import { type AuthTuning, authService } from '@wayquest/auth';
import { type ChallengesTuning, challengesService } from '@wayquest/challenges';
import { chatService } from '@wayquest/chat';
import { type ServiceName, serviceNames } from '@wayquest/contracts';
import { friendsService } from '@wayquest/friends';
import { type Gateway, gatewayFromSettings, type UpstreamTimeouts } from '@wayquest/gateway';
import { moderationService } from '@wayquest/moderation';
import { type NotificationsTuning, notificationsService } from '@wayquest/notifications';
import { participationService } from '@wayquest/participation';
import { type PlacesTuning, placesService } from '@wayquest/places';
import type { RunnerDeps, Service } from '@wayquest/platform/service';
import { currentText, limitsFrom } from '@wayquest/platform/settings';
import { realtimeService } from '@wayquest/realtime';
import { usersService } from '@wayquest/users';
import type { Keys } from './keys.ts';
import type { AssemblySettings } from './settings.ts';

/**
 * The dependencies of an assembly, in addition to its settings. Services listen on free ports of this machine; `port` is the
 * gateway's.
 */
export interface AssemblyOptions extends Keys, Omit<RunnerDeps, 'urlOf' | 'host' | 'dynamicSetting'> {
  upstreamTimeouts?: Partial<UpstreamTimeouts>;
  /** The web app that is served if it exists and no other is configured. */
  webDirectory?: string;
  /** Services of the assembly; by default all. */
  only?: readonly ServiceName[];
  /** Options of tests and benchmarks that differ from the defaults. */
  tuning?: {
    auth?: AuthTuning;
    challenges?: ChallengesTuning;
    notifications?: NotificationsTuning;
    places?: PlacesTuning;
  };
}

/** All of Wayquest in one process. */
export interface Assembly {
  services: Record<ServiceName, Service>;
  gateway: Gateway;
  start(): Promise<void>;
  /** Stops the gateway first, so that no new requests arrive. */
  stop(): Promise<void>;
  ready(): Promise<boolean>;
}

/** An address without a listener, for services that are not part of the assembly. */
const unreachableUrl = 'http://127.0.0.1:9';

/** Creates all services and the gateway. */
export function assemble(settings: AssemblySettings, options: AssemblyOptions): Assembly {
  const {
    privateKey,
    port,
    upstreamTimeouts,
    webDirectory,
    only = serviceNames,
    tuning,
    ...common
  } = options;
  const { logger, redis, publicKey } = common;
  const urlOf = (name: ServiceName) => (only.includes(name) ? services[name].url() : unreachableUrl);
  const dynamicSetting = (setting: string, value: string) =>
    setting === 'JWT_PRIVATE_KEY' ? privateKey : value;
  const deps = { ...common, port: 0, urlOf, dynamicSetting, ...limitsFrom(settings) };
  const keys = { JWT_PRIVATE_KEY: currentText(privateKey), JWT_PUBLIC_KEY: currentText(publicKey) };
  const services: Record<ServiceName, Service> = {
    auth: authService.create({ ...settings, ...keys }, deps, tuning?.auth),
    users: usersService.create(settings, deps),
    challenges: challengesService.create(settings, deps, tuning?.challenges),
    participation: participationService.create(settings, deps),
    friends: friendsService.create(settings, deps),
    chat: chatService.create(settings, deps),
    notifications: notificationsService.create(settings, deps, tuning?.notifications),
    moderation: moderationService.create(settings, deps),
    places: placesService.create(settings, deps, tuning?.places),
    realtime: realtimeService.create(settings, deps),
  };
  const gateway = gatewayFromSettings(settings, {
    logger,
    port,
    redis,
    timeouts: upstreamTimeouts,
    webDirectory,
    upstreams: {
      auth: () => urlOf('auth'),
      users: () => urlOf('users'),
      challenges: () => urlOf('challenges'),
      participation: () => urlOf('participation'),
      friends: () => urlOf('friends'),
      chat: () => urlOf('chat'),
      notifications: () => urlOf('notifications'),
      moderation: () => urlOf('moderation'),
      places: () => urlOf('places'),
    },
    realtime: [() => urlOf('realtime')],
  });
  const all = only.map((name) => services[name]);
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
