import type { IncomingMessage } from 'node:http';
import type { ClientAddressOf } from './client-address.ts';
import type { Preview } from './previews.ts';

/** What stands between these in the page is said of the site as a whole. */
const general = /<!-- preview -->[\s\S]*?<!-- \/preview -->/;
const originPlaceholder = /__ORIGIN__/g;

const named: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text as it may stand in an element or between quotes. */
const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => named[character] ?? '');

/** Where the page was asked for, as far as that can be an address. */
export const originOf = (request: IncomingMessage, clientAddressOf: ClientAddressOf): string => {
  const { host = '' } = request.headers;
  return /^[\w.-]+(:\d+)?$|^\[[\da-f:]+\](:\d+)?$/i.test(host)
    ? `${clientAddressOf(request).protocol}://${host}`
    : '';
};

const headOf = ({ title, text, picture }: Preview, address: string, origin: string): string => {
  const meta = {
    'og:title': title,
    'og:description': text,
    'og:url': origin + address,
    'og:image': origin + (picture?.path ?? '/images/preview.jpg'),
    'og:site_name': 'Wayquest',
    'twitter:card': picture?.isWide === false ? 'summary' : 'summary_large_image',
  };
  return [
    `<title>${escaped(title)} · Wayquest</title>`,
    `<meta name="description" content="${escaped(text)}">`,
    ...Object.entries(meta).map(
      ([property, content]) => `<meta property="${property}" content="${escaped(content)}">`,
    ),
  ].join('\n');
};

/** The page with its addresses filled in and, where it has a preview of its own, that; nothing of which is filled in. */
export function fillHead(
  html: string,
  { preview, address, origin }: { preview: Preview | undefined; address: string; origin: string },
): string {
  const page = html.replace(originPlaceholder, escaped(origin));
  return preview ? page.replace(general, () => headOf(preview, address, origin)) : page;
}
