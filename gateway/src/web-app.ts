import { randomBytes } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join, posix } from 'node:path';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { WebSettings } from '@wayquest/contracts';
import { type Request, type RequestHandler, Router } from 'express';
import sirv from 'sirv';
import type { ClientAddressOf } from './client-address.ts';
import { acceptsGzip } from './headers.ts';
import type { Preview, PreviewOf } from './previews.ts';
import { pageSecurityWithNonce } from './security-headers.ts';

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
const originOf = (request: IncomingMessage, clientAddressOf: ClientAddressOf): string => {
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
function fillHead(
  html: string,
  { preview, address, origin }: { preview: Preview | undefined; address: string; origin: string },
): string {
  const page = html.replace(originPlaceholder, escapeHtml(origin));
  return preview ? page.replace(sitePreview, () => headOf(preview, address, origin)) : page;
}

/** Placeholder that Vite writes for a nonce. */
const noncePlaceholder = /__CSP_NONCE__/g;

/** Files with a hash in their name never change. */
const cacheControl = (path: string) =>
  path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';

/** Requests for files have an extension or an `accept` header for their type; all others are pages. */
const isPage = (path: string, accept: string | undefined) =>
  !path.startsWith('/assets/') && (!/\.\w+$/.test(path) || accept?.includes('text/html') === true);

/**
 * Files that must not be served as they are: pages, whose nonce has to be filled in, hidden files, and paths that
 * are not normalized.
 */
const isNotStatic = (path: string) =>
  /^\/(index\.html|pages\/)/.test(path) ||
  /\/\.(?!well-known\/)/.test(path) ||
  posix.normalize(path) !== path;

/** The languages of prerendered pages; the first one is the default. */
const languages = ['en', 'zh'];

/**
 * The candidate files of a page, best first: the prerendered page of this route, with `_` for an id; the general
 * prerendered page; the empty page.
 */
function filesOf(path: string, language: string): string[] {
  const route =
    path
      .toLowerCase()
      .replace(/\/$/, '')
      .replace(/\/\d+(?=\/|$)/g, '/_') || '/home';
  const prerendered = /^(\/[a-z]+|\/_)+$/.test(route) ? [`pages/${language}${route}.html`] : [];
  return [...prerendered, `pages/${language}/general.html`, fallbackPage];
}

const fallbackPage = 'index.html';

const toGzip = promisify(gzip);

/**
 * Serves the web app's files, precompressed by its build, and a page for every route. A missing file falls through.
 * Files are looked up on disk for each request, since the app may be rebuilt meanwhile; pages are read when they have changed.
 */
export async function serveWebApp(
  directory: string,
  {
    settings,
    development,
    previewOf,
    clientAddressOf,
    publicUrl,
  }: {
    settings: WebSettings;
    development: boolean;
    previewOf: PreviewOf;
    clientAddressOf: ClientAddressOf;
    publicUrl: string | undefined;
  },
): Promise<RequestHandler> {
  // A build removes the pages for a moment.
  const lastPages = new Map<string, { html: string; version: string }>();
  /** Reads a page again when its file has changed. */
  const readPage = async (file: string) => {
    const path = join(directory, file);
    const { mtimeMs, ino, size } = await stat(path);
    const version = `${mtimeMs} ${ino} ${size}`;
    const last = lastPages.get(file);
    if (last?.version === version) return last.html;
    const html = await readFile(path, 'utf8');
    lastPages.set(file, { html, version });
    return html;
  };
  // In development it may not be built: then Vite serves it.
  await readPage(fallbackPage).catch((error: unknown) => {
    if (!development) throw error;
  });
  const pageFor = async (request: Request) => {
    const language = request.acceptsLanguages(languages) || languages[0];
    for (const file of filesOf(request.path, String(language))) {
      const html = await readPage(file).catch(() => lastPages.get(file)?.html);
      if (html !== undefined) return html;
    }
    return undefined;
  };
  const router = Router();

  const page: RequestHandler = async (request, response, next) => {
    if (!isPage(request.path, request.headers.accept) || !request.accepts('html')) return next();
    const html = await pageFor(request);
    if (html === undefined) return next();
    const preview = await previewOf(request, request.path);
    const nonce = randomBytes(16).toString('base64');
    const filled = fillHead(html.replace(noncePlaceholder, nonce), {
      preview,
      address: request.path,
      // A request may name any host; shared links lead to the public URL.
      origin: publicUrl ?? originOf(request, clientAddressOf),
    });
    const compressed = acceptsGzip(request.headers['accept-encoding'])
      ? await toGzip(filled, { level: constants.Z_BEST_SPEED })
      : undefined;
    pageSecurityWithNonce(settings, nonce)(request, response, () => {
      response.set({ 'cache-control': 'no-cache', vary: 'accept-encoding, accept-language' }).type('html');
      if (compressed) response.set('content-encoding', 'gzip');
      response.send(compressed ?? filled);
    });
  };

  const files = sirv(directory, {
    dev: true,
    etag: true,
    brotli: true,
    gzip: true,
    // Otherwise `/index` would be the file itself, without a nonce.
    extensions: [],
    setHeaders(response, path) {
      response.setHeader('cache-control', cacheControl(path));
      // The one type of the app's files that sirv does not know.
      if (path.endsWith('.ico')) response.setHeader('content-type', 'image/vnd.microsoft.icon');
    },
  });

  router.get(['/', '/index.html'], page);
  router.use((request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    if (isNotStatic(decodeURI(request.path))) return next();
    // sirv does not validate ranges sufficiently; supporting them is optional (RFC 9110, section 14.2).
    delete request.headers.range;
    // sirv ignores errors of its file stream: a file that a build removes in this moment would end the process.
    response.once('pipe', (file) => file.once('error', () => response.destroy()));
    files(request, response, next);
  });
  router.get('/{*place}', page);
  return router;
}
