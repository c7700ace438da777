import { promisify } from 'node:util';
import { constants, crc32, deflateRaw } from 'node:zlib';
import type { RegistrationMode } from '@wayquest/contracts';
import { escapeHtml } from './escape.ts';
import type { Preview } from './previews.ts';

/** The part of the page that describes the site as a whole. */
const sitePreview = /<!-- preview -->[\s\S]*?<!-- \/preview -->/;

/** Placeholder that Vite writes for a nonce, and the page's own ones for the origin and for who can create an account. */
const placeholders = /(__CSP_NONCE__|__ORIGIN__|__REGISTRATION__)/;

/** What the operator decided, which is the same in all responses: placeholders, each with its HTML. */
export type SiteTexts = ReadonlyMap<string, string>;

const headOf = (
  { title, text, picture }: Preview,
  { address, origin, siteName }: { address: string; origin: string; siteName: string },
): string => {
  const meta = {
    'og:title': title,
    'og:description': text,
    'og:url': origin + address,
    'og:image': origin + (picture?.path ?? '/images/preview.jpg'),
    'og:site_name': siteName,
    'twitter:card': picture?.isWide === false ? 'summary' : 'summary_large_image',
  };
  return [
    `<title>${escapeHtml(`${title} · ${siteName}`)}</title>`,
    `<meta name="description" content="${escapeHtml(text)}">`,
    ...Object.entries(meta).map(
      ([property, content]) => `<meta property="${property}" content="${escapeHtml(content)}">`,
    ),
  ].join('\n');
};

/** A piece of a page in both forms: as it is, and as blocks of a DEFLATE stream (RFC 1951). */
interface Piece {
  plain: Buffer;
  deflated: Buffer;
}

const toDeflated = promisify(deflateRaw);

/** A piece that all responses share. It ends at a byte, so that others can follow, and refers to no other piece. */
const sharedPiece = async (text: string): Promise<Piece> => {
  const plain = Buffer.from(text);
  const options = { finishFlush: constants.Z_SYNC_FLUSH, level: constants.Z_BEST_COMPRESSION };
  return { plain, deflated: await toDeflated(plain, options) };
};

/** The longest text of a stored block. */
const maxStoredBytes = 65_535;

/** A piece of one response: stored uncompressed, since compressing a few bytes takes longer than sending them. */
const ownPiece = (text: string): Piece => {
  const plain = Buffer.from(text);
  const blocks: Buffer[] = [];
  for (let start = 0; start < plain.length; start += maxStoredBytes) {
    const content = plain.subarray(start, start + maxStoredBytes);
    const head = Buffer.alloc(5);
    head.writeUInt16LE(content.length, 1);
    head.writeUInt16LE(maxStoredBytes - content.length, 3);
    blocks.push(head, content);
  }
  return { plain, deflated: Buffer.concat(blocks) };
};

/** Without a name and a time, of an unknown system (RFC 1952). */
const gzipHead = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
/** The empty block that ends a stream. */
const lastBlock = Buffer.from([3, 0]);

/** One GZIP member of all pieces. */
function gzipOf(pieces: Piece[]): Buffer {
  let checksum = 0;
  let length = 0;
  for (const { plain } of pieces) {
    checksum = crc32(plain, checksum);
    length += plain.length;
  }
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(checksum, 0);
  trailer.writeUInt32LE(length, 4);
  return Buffer.concat([gzipHead, ...pieces.map(({ deflated }) => deflated), lastBlock, trailer]);
}

/** What a response fills into a page. */
export interface PageValues {
  nonce: string;
  origin: string;
  /** Replaces the description of the site. */
  preview: Preview | undefined;
  registration: RegistrationMode | undefined;
  address: string;
}

/** A page of the web app. Its text between the placeholders is compressed once, and not for each response. */
export interface PageTemplate {
  /** Whether it says who can create an account. */
  hasRegistration: boolean;
  /** Fills in the values, which are not searched for placeholders. */
  fill(values: PageValues, options: { gzip: boolean }): Buffer;
}

/** Puts the operator's texts into a page, splits it at its placeholders, and compresses the text between them. */
export async function createPageTemplate(
  html: string,
  { siteName, texts }: { siteName: string; texts: SiteTexts },
): Promise<PageTemplate> {
  const sitePlaceholder = new RegExp([...texts.keys()].join('|'), 'g');
  const withTexts = (part: string) =>
    part.replace(sitePlaceholder, (placeholder) => texts.get(placeholder) ?? '');
  // Every second part is a placeholder.
  const split = (text: string) =>
    Promise.all(
      text.split(placeholders).map((part, index) => (index % 2 ? part : sharedPiece(withTexts(part)))),
    );
  const site = sitePreview.exec(html);
  const siteEnd = site ? site.index + site[0].length : 0;
  const [before, description, after] = await Promise.all([
    split(html.slice(0, site?.index ?? 0)),
    split(site?.[0] ?? ''),
    split(html.slice(siteEnd)),
  ]);
  return {
    hasRegistration: html.includes('__REGISTRATION__'),
    fill({ nonce, origin, preview, registration = '', address }, { gzip }) {
      const values = new Map([
        ['__CSP_NONCE__', ownPiece(nonce)],
        ['__ORIGIN__', ownPiece(escapeHtml(origin))],
        ['__REGISTRATION__', ownPiece(registration)],
      ]);
      const fillIn = (parts: Awaited<ReturnType<typeof split>>): Piece[] =>
        parts.map((part) => (typeof part === 'string' ? (values.get(part) ?? ownPiece('')) : part));
      const described =
        preview && site ? [ownPiece(headOf(preview, { address, origin, siteName }))] : fillIn(description);
      const pieces = [...fillIn(before), ...described, ...fillIn(after)];
      return gzip ? gzipOf(pieces) : Buffer.concat(pieces.map(({ plain }) => plain));
    },
  };
}
