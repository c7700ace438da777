import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { WebSettings } from '@wayquest/contracts';
import type { Request, RequestHandler } from 'express';
import { Router } from 'express';
import sirv from 'sirv';
import type { ClientAddressOf } from './client-address.ts';
import { acceptsGzip } from './compression.ts';
import { fillHead, originOf } from './page-head.ts';
import type { PreviewOf } from './previews.ts';
import { pageSecurityWithNonce } from './security-headers.ts';

/** Vite writes it where a nonce belongs. */
const noncePlaceholder = /__CSP_NONCE__/g;

/** A hash in its name says that a file never changes. */
const cacheControl = (path: string) =>
  path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';

/** A file is asked for by its extension or by what it is for; everything else is a place in the app. */
const isPage = (path: string, accept: string | undefined) =>
  !path.startsWith('/assets/') && (!/\.\w+$/.test(path) || accept?.includes('text/html') === true);

/** Pages go out with their nonce filled in, never as they lie there; hidden files and detours to any don't. */
const isOwn = (path: string) =>
  /^\/(index\.html|pages\/)/.test(path) ||
  /\/\.(?!well-known\/)/.test(path) ||
  posix.normalize(path) !== path;

/** The languages that the build drew pages in; the first one where a reader wants none of them. */
const languages = ['en', 'zh'];

/**
 * Where the page of a place lies, what there is of it coming first: as the build drew it, with `_` for an id; as it drew
 * any other; as it was before.
 */
function filesOf(path: string, language: string): string[] {
  const place =
    path
      .toLowerCase()
      .replace(/\/$/, '')
      .replace(/\/\d+(?=\/|$)/g, '/_') || '/home';
  const own = /^(\/[a-z]+|\/_)+$/.test(place) ? [`pages/${language}${place}.html`] : [];
  return [...own, `pages/${language}/general.html`, general];
}

const general = 'index.html';

const toGzip = promisify(gzip);

/**
 * The web app's files, precompressed as its build left them, and its page for every place in it. A file that is not
 * there falls through. The disk is read again by every request: the app can be built anew meanwhile.
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
  // A build takes the pages away for a moment.
  const lastPages = new Map<string, string>();
  const readPage = async (file: string) => {
    const html = await readFile(join(directory, file), 'utf8');
    lastPages.set(file, html);
    return html;
  };
  // In development it may not be built at all: then Vite serves it.
  await readPage(general).catch((error: unknown) => {
    if (!development) throw error;
  });
  const pageFor = async (request: Request) => {
    const language = request.acceptsLanguages(languages) || languages[0];
    for (const file of filesOf(request.path, String(language))) {
      const html = await readPage(file).catch(() => lastPages.get(file));
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
      // A request may name any host; links that are passed on lead to where Wayquest is found.
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
    // Else `/index` would be the page as it lies there, its nonce unfilled.
    extensions: [],
    setHeaders: (response, path) => response.setHeader('cache-control', cacheControl(path)),
  });

  router.get(['/', '/index.html'], page);
  router.use((request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    if (isOwn(decodeURI(request.path))) return next();
    // sirv reads ranges too trustfully; they are optional (RFC 9110, section 14.2).
    delete request.headers.range;
    // sirv does not look whether its stream can be read: a file that a build takes away just then would end the process.
    response.once('pipe', (file) => file.once('error', () => response.destroy()));
    files(request, response, next);
  });
  router.get('/{*place}', page);
  return router;
}
