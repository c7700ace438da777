import type { IncomingMessage } from 'node:http';
import type { ClientAddressOf } from './client-address.ts';
import type { Preview } from './previews.ts';

/** The part of the page that describes the site as a whole. */
const sitePreview = /<!-- preview -->[\s\S]*?<!-- \/preview -->/;
const originPlaceholder = /__ORIGIN__/g;

const htmlEntities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for HTML elements and attributes. */
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => htmlEntities[character] ?? '');

/** The origin of the requested URL; '' if the host header is invalid. */
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
    `<title>${escapeHtml(title)} · Wayquest</title>`,
    `<meta name="description" content="${escapeHtml(text)}">`,
    ...Object.entries(meta).map(
      ([property, content]) => `<meta property="${property}" content="${escapeHtml(content)}">`,
    ),
  ].join('\n');
};

/**
 * Replaces the origin in a page and, if there is one, its preview. The inserted values are not searched for
 * placeholders.
 */
export function fillHead(
  html: string,
  { preview, address, origin }: { preview: Preview | undefined; address: string; origin: string },
): string {
  const page = html.replace(originPlaceholder, escapeHtml(origin));
  return preview ? page.replace(sitePreview, () => headOf(preview, address, origin)) : page;
}
