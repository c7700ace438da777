import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join, posix } from 'node:path';
import { pipeline } from 'node:stream';
import type { WebSettings } from '@wayquest/contracts';
import { type Request, type RequestHandler, Router } from 'express';
import { lookup } from 'mrmime';
import type { ClientAddressOf } from './client-address.ts';
import { acceptsEncoding } from './headers.ts';
import { createPageTemplate, type PageTemplate } from './page-template.ts';
import type { PreviewOf } from './previews.ts';
import type { ReadRegistration } from './registration.ts';
import { pageSecurityWithNonce } from './security-headers.ts';

/** The origin of the requested URL; '' if the host header is invalid. */
const originOf = (request: IncomingMessage, clientAddressOf: ClientAddressOf): string => {
  const { host = '' } = request.headers;
  return /^[\w.-]+(:\d+)?$|^\[[\da-f:]+\](:\d+)?$/i.test(host)
    ? `${clientAddressOf(request).protocol}://${host}`
    : '';
};

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

/** The precompressed forms of a file, best first. */
const precompressed = [
  { encoding: 'br', suffix: '.br' },
  { encoding: 'gzip', suffix: '.gz' },
] as const;
const asItIs = { encoding: undefined, suffix: '' };

/** Types without the `charset` that Express adds; `.ico` is the one type of the app's files that mrmime does not know. */
const typeOf = (path: string) =>
  path.endsWith('.ico') ? 'image/vnd.microsoft.icon' : (lookup(path) ?? 'application/octet-stream');

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
    readRegistration,
    clientAddressOf,
    publicUrl,
  }: {
    settings: WebSettings;
    development: boolean;
    previewOf: PreviewOf;
    readRegistration: ReadRegistration;
    clientAddressOf: ClientAddressOf;
    publicUrl: string | undefined;
  },
): Promise<RequestHandler> {
  // A build removes the pages for a moment.
  const lastPages = new Map<string, { template: PageTemplate; version: string }>();
  /** Reads a page again when its file has changed. */
  const readPage = async (file: string): Promise<PageTemplate> => {
    const path = join(directory, file);
    const { mtimeMs, ino, size } = await stat(path);
    const version = `${mtimeMs} ${ino} ${size}`;
    const last = lastPages.get(file);
    if (last?.version === version) return last.template;
    const template = await createPageTemplate(await readFile(path, 'utf8'));
    lastPages.set(file, { template, version });
    return template;
  };
  // In development it may not be built: then Vite serves it.
  await readPage(fallbackPage).catch((error: unknown) => {
    if (!development) throw error;
  });
  const pageFor = async (request: Request): Promise<PageTemplate | undefined> => {
    const language = request.acceptsLanguages(languages) || languages[0];
    for (const file of filesOf(request.path, String(language))) {
      const template = await readPage(file).catch(() => lastPages.get(file)?.template);
      if (template) return template;
    }
    return undefined;
  };
  const router = Router();

  const page: RequestHandler = async (request, response, next) => {
    if (!isPage(request.path, request.headers.accept) || !request.accepts('html')) return next();
    const template = await pageFor(request);
    if (!template) return next();
    const [preview, registration] = await Promise.all([
      previewOf(request, request.path),
      template.hasRegistration ? readRegistration() : undefined,
    ]);
    const nonce = randomBytes(16).toString('base64');
    // A request may name any host; shared links lead to the public URL.
    const origin = publicUrl ?? originOf(request, clientAddressOf);
    const gzip = acceptsEncoding(request.headers['accept-encoding'], 'gzip');
    const filled = template.fill({ nonce, origin, preview, registration, address: request.path }, { gzip });
    pageSecurityWithNonce(settings, nonce)(request, response, () => {
      response.set({ 'cache-control': 'no-cache', vary: 'accept-encoding, accept-language' }).type('html');
      if (gzip) response.set('content-encoding', 'gzip');
      response.send(filled);
    });
  };

  const file: RequestHandler = async (request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    const path = decodeURI(request.path);
    if (isNotStatic(path)) return next();
    const accepted = precompressed.filter(({ encoding }) =>
      acceptsEncoding(request.headers['accept-encoding'], encoding),
    );
    for (const { encoding, suffix } of [...accepted, asItIs]) {
      const name = join(directory, path + suffix);
      const stats = await stat(name).catch(() => undefined);
      if (!stats?.isFile()) continue;
      // Ranges are optional (RFC 9110, section 14.2).
      response.setHeader('content-type', typeOf(path));
      response.setHeader('cache-control', cacheControl(path));
      response.setHeader('vary', 'Accept-Encoding');
      const etag = `W/"${stats.size}-${stats.mtime.getTime()}"`;
      response.setHeader('etag', etag);
      response.setHeader('last-modified', stats.mtime.toUTCString());
      if (request.headers['if-none-match'] === etag) {
        response.status(304).end();
        return;
      }
      response.setHeader('content-length', stats.size);
      if (encoding) response.setHeader('content-encoding', encoding);
      if (request.method === 'HEAD') response.end();
      // If the client disconnects, or a build removes the file in this moment, the response is destroyed.
      else pipeline(createReadStream(name), response, () => {});
      return;
    }
    next();
  };

  router.get(['/', '/index.html'], page);
  router.use(file);
  router.get('/{*place}', page);
  return router;
}
