import type { Position, WebSettings } from '@wayquest/contracts';
import { wholeNumber } from '@wayquest/platform/settings';
import { z } from 'zod';

/** Web Mercator, which maps are drawn in, ends there. */
const maxLatitude = 85;

const positionOf = (text: string): Position => {
  const [lat = Number.NaN, lng = Number.NaN] = text.split(',').map(Number);
  return { lat, lng };
};

const isOnMap = (text: string): boolean => {
  const { lat, lng } = positionOf(text);
  return (
    /^-?\d{1,2}(\.\d{1,9})?, ?-?\d{1,3}(\.\d{1,9})?$/.test(text) &&
    Math.abs(lat) <= maxLatitude &&
    Math.abs(lng) <= 180
  );
};

/** The settings of the map that pages show. */
export const webSettingsSchema = z.object({
  GOOGLE_MAPS_API_KEY: z
    .string()
    .optional()
    .describe(
      'The API key of Google Maps; with it, pages show Google’s map. It is public, so restrict it to your own pages.',
    ),
  MAP_TILES_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http:// address' })
    .refine((url) => ['{z}', '{x}', '{y}'].every((part) => url.includes(part)), 'must have {z}, {x} and {y}')
    .default('https://tile.openstreetmap.org/{z}/{x}/{y}.png')
    .describe('The URL of the open map’s tiles, with `{z}`, `{x}` and `{y}`.'),
  MAP_TILES_ATTRIBUTION: z
    .string()
    .default('© OpenStreetMap contributors')
    .describe('The attribution that the map shows for its tiles.'),
  MAP_START: z
    .string()
    .refine(isOnMap, 'must be a latitude from -85 to 85 and a longitude from -180 to 180, as 52.52,13.41')
    .transform(positionOf)
    .optional()
    .describe(
      'Where the map starts for people whose position is unknown: latitude and longitude, as `52.52,13.41`. Default: Flushing, New York.',
    ),
  MAP_START_ZOOM: wholeNumber({ min: 2, max: 19 })
    .default(12)
    .describe('How close the map is there, from 2, a continent, to 19, a house.'),
});

/** Returns the configuration of pages. */
export const webSettingsOf = (settings: z.output<typeof webSettingsSchema>): WebSettings => ({
  googleMapsApiKey: settings.GOOGLE_MAPS_API_KEY ?? null,
  tiles: { url: settings.MAP_TILES_URL, attribution: settings.MAP_TILES_ATTRIBUTION },
  ...(settings.MAP_START && { start: { center: settings.MAP_START, zoom: settings.MAP_START_ZOOM } }),
});

export const defaultWebSettings = webSettingsOf(webSettingsSchema.parse({}));
