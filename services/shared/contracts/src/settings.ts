import { z } from 'zod';
import { Position } from './geography.ts';
import { operation } from './operation.ts';
import { siteLanguages, sitePageNames } from './values.ts';

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
    start: z.object({ center: Position, zoom: z.int() }).optional().meta({
      description: 'What the map shows of people whose position is unknown, where an operator chose it.',
    }),
  })
  .meta({ id: 'WebSettings' });
export type WebSettings = z.infer<typeof WebSettings>;

/** Text, in which line breaks count, and links. */
const SitePageText = z.array(z.union([z.string(), z.object({ text: z.string(), href: z.string() })]));
export type SitePageText = z.infer<typeof SitePageText>;

const SitePageBlock = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('heading'), level: z.union([z.literal(2), z.literal(3)]), text: SitePageText }),
  z.object({ kind: z.literal('paragraph'), text: SitePageText }),
  z.object({
    kind: z.literal('list'),
    ordered: z.boolean(),
    start: z.int().nonnegative().optional().meta({ description: 'Of an ordered list: the first number.' }),
    items: z.array(SitePageText),
  }),
]);
export type SitePageBlock = z.infer<typeof SitePageBlock>;

/** A page that the operator wrote. */
export const SitePage = z
  .object({
    title: z.string(),
    language: z
      .enum(siteLanguages)
      .meta({ description: 'Of the text: another one than asked for if there is no translation.' }),
    blocks: z.array(SitePageBlock).meta({ description: 'The text below the title. It contains no HTML.' }),
  })
  .meta({ id: 'SitePage' });
export type SitePage = z.infer<typeof SitePage>;

export const settingsOperations = {
  getSitePage: operation({
    service: 'gateway',
    method: 'GET',
    path: '/api/pages/{name}',
    access: 'public',
    summary: "Get a page of the operator's own",
    params: z.object({ name: z.enum(sitePageNames) }),
    query: z.object({ language: z.enum(siteLanguages).optional() }),
    status: [200],
    response: SitePage,
    problems: ['not-found'],
  }),
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
