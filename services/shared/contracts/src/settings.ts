import { z } from 'zod';
import { operation } from './operation.ts';

/** What the web app is told of how Wayquest was set up. Everybody can read it. */
export const WebSettings = z
  .object({
    googleMapsApiKey: z
      .string()
      .nullable()
      .meta({ description: 'None: the open map. Restrict the key to your own pages.' }),
    tiles: z.object({
      url: z.string().meta({ description: 'With {z}, {x} and {y}' }),
      attribution: z.string().meta({ description: 'Text; the map shows it always.' }),
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
    summary: 'How this Wayquest was set up, as far as a page needs it',
    status: [200],
    answer: WebSettings,
    problems: [],
  }),
};
