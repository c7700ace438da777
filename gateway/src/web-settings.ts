import type { WebSettings } from '@wayquest/contracts';
import { z } from 'zod';

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
});

/** Returns the configuration of pages. */
export const webSettingsOf = (settings: z.output<typeof webSettingsSchema>): WebSettings => ({
  googleMapsApiKey: settings.GOOGLE_MAPS_API_KEY ?? null,
  tiles: { url: settings.MAP_TILES_URL, attribution: settings.MAP_TILES_ATTRIBUTION },
});

export const defaultWebSettings = webSettingsOf(webSettingsSchema.parse({}));
