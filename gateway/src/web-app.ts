import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WebSettings } from '@wayquest/contracts';
import type { RequestHandler } from 'express';
import { Router } from 'express';
import sirv from 'sirv';
import { pageSecurityWithNonce } from './security-headers.ts';

/** Vite writes it where a nonce belongs. */
const noncePlaceholder = /__CSP_NONCE__/g;

/** A hash in its name says that a file never changes. */
const cacheControl = (path: string) =>
  path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';

/** A file is asked for by its extension or by what it is for; everything else is a place in the app. */
const isPage = (path: string, accept: string | undefined) =>
  !path.startsWith('/assets/') && (!/\.\w+$/.test(path) || accept?.includes('text/html') === true);

/**
 * The web app's files, precompressed as its build left them, and its page for every place in it. A file that is not
 * there falls through. In development every request reads the disk again.
 */
export async function serveWebApp(
  directory: string,
  settings: WebSettings,
  development: boolean,
): Promise<RequestHandler> {
  const readPage = () => readFile(join(directory, 'index.html'), 'utf8');
  // In development it may not be built at all: then Vite serves it.
  const readNow = development ? () => readPage().catch(() => undefined) : undefined;
  const builtPage = readNow ? undefined : await readPage();
  const router = Router();

  const page: RequestHandler = async (request, response, next) => {
    if (!isPage(request.path, request.headers.accept) || !request.accepts('html')) return next();
    const html = readNow ? await readNow() : builtPage;
    if (html === undefined) return next();
    const nonce = randomBytes(16).toString('base64');
    pageSecurityWithNonce(settings, nonce)(request, response, () => {
      response.set('cache-control', 'no-cache').type('html').send(html.replace(noncePlaceholder, nonce));
    });
  };

  const files = sirv(directory, {
    dev: development,
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
    if (decodeURI(request.path) === '/index.html') return next();
    // sirv reads ranges too trustfully; they are optional (RFC 9110, section 14.2).
    delete request.headers.range;
    // sirv does not look whether its stream can be read: a file that a new build took away would end the process.
    response.once('pipe', (file) => file.once('error', () => response.destroy()));
    files(request, response, next);
  });
  router.get('/{*place}', page);
  return router;
}
