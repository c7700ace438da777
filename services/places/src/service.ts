import { setMaxListeners } from 'node:events';
import { type Allowance, limits } from '@wayquest/platform/core';
import { createRateLimiter, type Redis } from '@wayquest/platform/redis';
import {
  type Background,
  createService,
  defineService,
  type Service,
  type ServiceDeps,
} from '@wayquest/platform/service';
import { createExternalSources } from './external/external.ts';
import { type Gazetteer, loadGazetteer } from './gazetteer/gazetteer.ts';
import { createLocatedChallenges } from './located-challenges.ts';
import { dropFormerCache } from './migrations.ts';
import { createPlaces } from './places.ts';
import { routes } from './routes.ts';
import { type ExternalConfig, externalConfigOf, settings } from './settings.ts';
import { createSuggestions } from './suggestions.ts';

export interface PlacesDeps extends ServiceDeps {
  /** Counts for all instances together; in memory without it. */
  redis?: Redis | undefined;
  /** External servers besides the embedded gazetteer; none if undefined. */
  outside?: ExternalConfig | undefined;
  /** Timeout of a request to one of them. */
  timeoutMs?: number;
  /** Maximum time that a call waits in the queue. */
  queueTimeoutMs?: number;
  /** How many calls one person may make in how many seconds. */
  callLimit?: Allowance;
  /** Loads the gazetteer at the start instead of for the first call that needs it. */
  preload?: boolean;
}

export type PlacesTuning = Pick<PlacesDeps, 'timeoutMs' | 'queueTimeoutMs' | 'callLimit' | 'preload'>;

/** Shared by all services of a process, since it never changes. */
let sharedGazetteer: Promise<Gazetteer> | undefined;
const gazetteer = () => (sharedGazetteer ??= loadGazetteer());

/** Creates the places service. */
export const createPlacesService = ({
  redis,
  outside: config,
  timeoutMs = 4_000,
  // The gateway's timeout is ten seconds.
  queueTimeoutMs = 5_000,
  callLimit,
  preload = false,
  ...deps
}: PlacesDeps): Service =>
  createService('places', deps, (kit) => {
    const closing = new AbortController();
    // Each request that waits listens, so there may be any number.
    setMaxListeners(0, closing.signal);
    const outside = createExternalSources(config, {
      kit,
      redis,
      gazetteer,
      closing: closing.signal,
      timeoutMs,
      queueTimeoutMs,
    });
    const places = createPlaces(gazetteer, outside);
    const suggestions = createSuggestions({ gazetteer, nearestOfTypes: places.nearestOfTypes });
    const located = createLocatedChallenges(kit, places);
    const background: Background = {
      async start() {
        if (preload) await gazetteer();
      },
      stop: async () => closing.abort(),
      close: async () => {},
      ready: () => true,
    };
    const limiter = createRateLimiter({ ...limits.placeCalls, ...callLimit }, redis);
    return {
      migrations: [dropFormerCache(kit)],
      routes: (http) => routes(http, { places, suggestions, limiter }),
      consumers: {
        'challenge.created.v1': ({ data }) => located.locate(data.challenge),
        'challenge.updated.v1': ({ data }) => located.locate(data.challenge),
      },
      background,
    };
  });

/** The service's definition, for a process of its own or with all others. */
export const placesService = defineService({
  name: 'places',
  settings,
  calls: [],
  create: (config, { redis, ...deps }, tuning?: PlacesTuning) =>
    createPlacesService({
      ...deps,
      preload: true,
      ...tuning,
      redis: redis(config.REDIS_URL),
      outside: externalConfigOf(config),
    }),
});
