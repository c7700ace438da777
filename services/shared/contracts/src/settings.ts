import { z } from 'zod';
import { operation } from './operation.ts';

/** Public settings of the web app. */
export const WebSettings = z
  .object({
    googleMapsApiKey: z
      .string()
      .nullable()
      .meta({ description: 'Absent: the open map is used. Restrict the key to your own pages.' }),
    tiles: z.object({
      url: z.string().meta({ description: 'URL template with {z}, {x} and {y}' }),
      attribution: z.string().meta({ description: 'Text that the map always shows.' }),
    }),
  })
  .meta({ id: 'WebSettings' });
export type WebSettings = z.infer<typeof WebSettings>;

export const settingsOperations = {
  getSettings: operation({
    service: 'gateway',
    method: 'GET',
    path: '/api/settings',
    access: 'public',
    summary: 'Get the public settings of the web app',
    status: [200],
    response: WebSettings,
    problems: [],
  }),
};
