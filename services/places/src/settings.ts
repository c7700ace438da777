import { serviceSettings } from '@wayquest/platform';
import { z } from 'zod';

const address = z
  .url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' })
  .transform((url) => url.replace(/\/$/, ''));

/** Who is asked besides the embedded gazetteer, also for the all-in-one runner. */
export const placesSettings = z.object({
  PLACES_GEOCODER: z
    .enum(['embedded', 'photon', 'nominatim'], 'must be embedded, photon or nominatim')
    .default('embedded'),
  PHOTON_URL: address.default('https://photon.komoot.io'),
  NOMINATIM_URL: address.default('https://nominatim.openstreetmap.org'),
  OVERPASS_URL: address.optional(),
  PLACES_CONTACT: z.string().trim().max(200).optional(),
  PLACES_REQUESTS_PER_SECOND: z.coerce.number().int().min(1).max(1_000).default(1),
});
type PlacesSettings = z.output<typeof placesSettings>;

/** The usage policies of those servers want somebody who can be reached. */
export const saysWhoAsks = ({ PLACES_GEOCODER, OVERPASS_URL, PLACES_CONTACT }: PlacesSettings): boolean =>
  (PLACES_GEOCODER === 'embedded' && !OVERPASS_URL) || !!PLACES_CONTACT;

export const nobodyAsks = {
  path: ['PLACES_CONTACT'],
  error: 'must be an e-mail or web address, for whoever runs Photon, Nominatim or Overpass to reach you',
};

/** What is asked of others, and how. */
export interface OutsideConfig {
  geocoder?: { kind: 'photon' | 'nominatim'; url: string } | undefined;
  overpassUrl?: string | undefined;
  /** Where whoever runs them can reach us. */
  contact: string;
  /** Of each of them, by all instances together. */
  requestsPerSecond: number;
}

/** Nothing when all comes from the embedded gazetteer. */
export function outsideConfig(settings: PlacesSettings): OutsideConfig | undefined {
  const { PLACES_GEOCODER: kind, OVERPASS_URL: overpassUrl, PLACES_CONTACT: contact } = settings;
  if (!contact || (kind === 'embedded' && !overpassUrl)) return undefined;
  const url = kind === 'photon' ? settings.PHOTON_URL : settings.NOMINATIM_URL;
  return {
    geocoder: kind === 'embedded' ? undefined : { kind, url },
    overpassUrl,
    contact,
    requestsPerSecond: settings.PLACES_REQUESTS_PER_SECOND,
  };
}

/** What the places service's process is told. */
export const processSettings = serviceSettings.extend(placesSettings.shape).refine(saysWhoAsks, nobodyAsks);
