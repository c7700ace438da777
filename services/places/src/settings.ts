import { redisUrlSetting, wholeNumber } from '@wayquest/platform/settings';
import { z } from 'zod';

const address = z
  .url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' })
  .transform((url) => url.replace(/\/$/, ''));

const usesExternalServers = ({
  PLACES_GEOCODER,
  OVERPASS_URL,
}: {
  PLACES_GEOCODER: string;
  OVERPASS_URL?: string | undefined;
}) => PLACES_GEOCODER !== 'embedded' || OVERPASS_URL !== undefined;

/** Settings of the places service, besides those of every service: mainly the external servers. */
export const settings = z
  .object({
    REDIS_URL: redisUrlSetting,
    PLACES_GEOCODER: z
      .enum(['embedded', 'photon', 'nominatim'], 'must be embedded, photon or nominatim')
      .default('embedded')
      .describe('The geocoder: `embedded`, `photon` (also for search suggestions) or `nominatim`.'),
    PHOTON_URL: address.default('https://photon.komoot.io').describe('The URL of Photon.'),
    NOMINATIM_URL: address.default('https://nominatim.openstreetmap.org').describe('The URL of Nominatim.'),
    OVERPASS_URL: address
      .optional()
      .describe(
        'The URL of an Overpass interpreter, as `https://overpass.example/api/interpreter`, for places besides the built-in ones.',
      ),
    PLACES_CONTACT: z
      .string()
      .max(200)
      .optional()
      .describe(
        'An e-mail or web address at which the operators of external servers can contact you. Required if any is used.',
      ),
    PLACES_REQUESTS_PER_SECOND: wholeNumber({ min: 1, max: 1_000 })
      .default(1)
      .describe('Maximum requests per second to each of them. Set more than 1 only for your own servers.'),
  })
  // The usage policies of those servers require a contact.
  .refine((settings) => !usesExternalServers(settings) || !!settings.PLACES_CONTACT, {
    path: ['PLACES_CONTACT'],
    error:
      'must be an e-mail or web address at which the operators of Photon, Nominatim or Overpass can contact you',
  });
type PlacesSettings = z.output<typeof settings>;

/** The external servers, and how to call them. */
export interface ExternalConfig {
  geocoder?: { kind: 'photon' | 'nominatim'; url: string } | undefined;
  overpassUrl?: string | undefined;
  /** How their operators can reach us. */
  contact: string;
  /** For each of them, by all instances together. */
  requestsPerSecond: number;
}

/** Undefined if everything comes from the embedded gazetteer. */
export function externalConfigOf(settings: PlacesSettings): ExternalConfig | undefined {
  const { PLACES_GEOCODER: kind, OVERPASS_URL: overpassUrl, PLACES_CONTACT: contact } = settings;
  if (!contact || !usesExternalServers(settings)) return undefined;
  const url = kind === 'photon' ? settings.PHOTON_URL : settings.NOMINATIM_URL;
  return {
    geocoder: kind === 'embedded' ? undefined : { kind, url },
    overpassUrl,
    contact,
    requestsPerSecond: settings.PLACES_REQUESTS_PER_SECOND,
  };
}
