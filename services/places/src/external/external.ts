import { Address, Place, PlaceType, Position } from '@wayquest/contracts';
import type { Redis } from '@wayquest/platform/redis';
import type { ServiceKit } from '@wayquest/platform/service';
import { upsert } from '@wayquest/platform/store';
import { type Connection, Schema } from 'mongoose';
import { z } from 'zod';
import type { Gazetteer } from '../gazetteer/gazetteer.ts';
import type { TypedPlace } from '../gazetteer/known-places.ts';
import { normalize } from '../gazetteer/names.ts';
import type { ExternalConfig } from '../settings.ts';
import { createExternalServer, createRequestRate } from './external-server.ts';
import { createNominatim, createPhoton, type Geocoder, type NormalizeAddress } from './geocoders.ts';
import { cellOf, createOverpass } from './overpass.ts';

/** A cached response of an external server. */
export interface CachedResponseDocument {
  /** The cache key. */
  _id: string;
  /** The response in the domain's shape; null if nothing was found. */
  response: unknown;
  expiresAt: Date;
}

const schema = new Schema<CachedResponseDocument>({
  _id: { type: String, required: true },
  response: Schema.Types.Mixed,
  expiresAt: { type: Date, required: true },
});
schema.set('shardKey', { _id: 'hashed' });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

const cachedResponseModel = (connection: Connection) =>
  connection.model<CachedResponseDocument>('CachedResponse', schema, 'cached_responses');

/** What external servers know beyond the gazetteer, cached for some days; missing functions are not configured. */
export interface ExternalSources {
  suggest?(text: string, near: Position): Promise<Place[]>;
  reverse?(at: Position): Promise<Address | null>;
  locate?(address: Address, accountId: number): Promise<Position | null>;
  /** Everything around a position, as far as one response reaches. */
  nearby?(type: PlaceType, at: Position): Promise<TypedPlace[]>;
  /** The nearest place of each type within a radius in meters. */
  nearestOfTypes?(at: Position, radius: number): Promise<TypedPlace[]>;
}

export interface ExternalSourcesDeps {
  kit: ServiceKit;
  redis: Redis | undefined;
  gazetteer(): Promise<Gazetteer>;
  closing: AbortSignal;
  timeoutMs: number;
  queueTimeoutMs: number;
}

const TypedPlaces = z.array(Place.extend({ type: PlaceType }));

const geocoderFactories = { photon: createPhoton, nominatim: createNominatim };

/** Rounded to about ten meters, and to about ten kilometers. */
const roundFine = (degrees: number) => Number(degrees.toFixed(4));
const roundCoarse = (degrees: number) => Number(degrees.toFixed(1));

const nearestKey = (server: string, { lat, lng }: Position, radius: number): string =>
  `${server} nearest ${roundFine(lat)},${roundFine(lng)} ${radius}`;

const ttlMs = 7 * 24 * 60 * 60 * 1_000;

/** Caches responses for all instances, for some days; concurrent requests for the same key are made once. */
interface ResponseCache {
  /** Returns the cached response if it still matches the schema, or else the result of `request`. */
  getOrRequest<S extends z.ZodType>(
    key: string,
    schema: S,
    request: () => Promise<z.output<S>>,
  ): Promise<z.output<S>>;
}

function createResponseCache({ connection, clock }: Pick<ServiceKit, 'connection' | 'clock'>): ResponseCache {
  const Responses = cachedResponseModel(connection);
  const pendingRequests = new Map<string, Promise<unknown>>();

  const findCached = async (key: string): Promise<unknown> =>
    (await Responses.findOne({ _id: key, expiresAt: { $gt: new Date(clock.now()) } }).lean())?.response;

  const requestAndCache = async (key: string, request: () => Promise<unknown>): Promise<unknown> => {
    const response = await request();
    const expiresAt = new Date(clock.now() + ttlMs);
    await upsert(Responses, { _id: key }, { $set: { response, expiresAt } });
    return response;
  };

  return {
    async getOrRequest(key, schema, request) {
      const cached = schema.safeParse(await findCached(key));
      if (cached.success) return cached.data;
      const pending =
        pendingRequests.get(key) ?? requestAndCache(key, request).finally(() => pendingRequests.delete(key));
      pendingRequests.set(key, pending);
      return schema.parse(await pending);
    },
  };
}

/** The configured external servers, behind a cache. */
export function createExternalSources(
  config: ExternalConfig | undefined,
  deps: ExternalSourcesDeps,
): ExternalSources {
  if (!config) return {};
  const { kit, redis, gazetteer, closing, timeoutMs, queueTimeoutMs } = deps;
  const { logger } = kit;
  const cache = createResponseCache(kit);
  const serverAt = (name: string, url: string) => {
    const rate = createRequestRate(new URL(url).host, config.requestsPerSecond, redis);
    return createExternalServer({
      name,
      url,
      contact: config.contact,
      rate,
      logger,
      timeoutMs,
      queueTimeoutMs,
      closing,
    });
  };

  const addresses = async (): Promise<NormalizeAddress> => {
    const { townOfZip } = await gazetteer();
    return (address, country) => {
      const zip = address.zip.slice(0, 5);
      return { ...address, ...(country.toUpperCase() === 'US' ? { zip, ...townOfZip(zip) } : {}) };
    };
  };

  const withGeocoder = ({ kind, url }: NonNullable<ExternalConfig['geocoder']>): ExternalSources => {
    const geocoder: Geocoder = geocoderFactories[kind](serverAt(kind, url), addresses);
    const { suggest, nearestOfTypes } = geocoder;
    return {
      ...(suggest && {
        suggest: (text, near) =>
          cache.getOrRequest(
            `${kind} suggest ${roundCoarse(near.lat)},${roundCoarse(near.lng)} ${normalize(text)}`,
            z.array(Place),
            () => suggest(text, near),
          ),
      }),
      reverse: ({ lat, lng }) => {
        const at = { lat: roundFine(lat), lng: roundFine(lng) };
        return cache.getOrRequest(`${kind} reverse ${at.lat},${at.lng}`, Address.nullable(), () =>
          geocoder.reverse(at),
        );
      },
      locate: (address, accountId) =>
        cache.getOrRequest(
          `${kind} locate ${normalize(Object.values(address).join(' '))}`,
          Position.nullable(),
          () => geocoder.locate(address, accountId),
        ),
      ...(nearestOfTypes && {
        nearestOfTypes: (at, radius) =>
          cache.getOrRequest(nearestKey(kind, at, radius), TypedPlaces, () => nearestOfTypes(at, radius)),
      }),
    };
  };

  const withOverpass = (url: string): ExternalSources => {
    const overpass = createOverpass(serverAt('overpass', url));
    return {
      nearby: (type, at) => {
        const cell = cellOf(at, type);
        return cache.getOrRequest(`overpass ${type} ${cell.key}`, TypedPlaces, () =>
          overpass.inCell(type, cell),
        );
      },
      nearestOfTypes: (at, radius) =>
        cache.getOrRequest(nearestKey('overpass', at, radius), TypedPlaces, () =>
          overpass.nearestOfTypes(at, radius),
        ),
    };
  };

  return {
    ...(config.geocoder && withGeocoder(config.geocoder)),
    ...(config.overpassUrl && withOverpass(config.overpassUrl)),
  };
}
