import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join, posix } from 'node:path';
import { pipeline } from 'node:stream';
import { type SiteLanguage, siteLanguages, sitePageNames, type WebSettings } from '@wayquest/contracts';
import type { Site } from '@wayquest/platform/settings';
import { type Request, type RequestHandler, Router } from 'express';
import { lookup } from 'mrmime';
import { accentRules } from './accent.ts';
import type { ClientAddressOf } from './client-address.ts';
import { escapeHtml, escapeString } from './escape.ts';
import { acceptsEncoding } from './headers.ts';
import { createPageTemplate, type PageTemplate, type SiteTexts } from './page-template.ts';
import { type PreviewOf, previewOfSitePage } from './previews.ts';
import type { ReadRegistration } from './registration.ts';
import { pageSecurityWithNonce } from './security-headers.ts';
import { type SiteLogo, serveSiteLogo } from './site-logo.ts';
import type { SitePages } from './site-pages.ts';

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
 * Files that must not be served as they are: pages, whose nonce has to be filled in, files with the name of the
 * installation, hidden files, and paths that are not normalized.
 */
const isNotStatic = (path: string) =>
  /^\/(index\.html|pages\/)/.test(path) ||
  namedFiles.includes(path) ||
  /\/\.(?!well-known\/)/.test(path) ||
  posix.normalize(path) !== path;

/** Placeholder for the name of the installation. */
const namePlaceholder = '__SITE_NAME__';

/** Values of `lang`. */
const languageTags: Record<SiteLanguage, string> = { en: 'en', zh: 'zh-Hans' };

/** What the web app, and before it the prerendered page, says about the installation. */
function siteTextsIn(language: SiteLanguage, { name }: Site, pages: SitePages): SiteTexts {
  const linksIn = (each: SiteLanguage) =>
    pages.list(each).map(({ name: page, page: { title, language: own } }) => {
      return { name: page, title, lang: languageTags[own] };
    });
  const links = linksIn(language);
  const all = Object.fromEntries(siteLanguages.map((each) => [each, linksIn(each)]));
  return new Map([
    [namePlaceholder, escapeHtml(name)],
    [
      '__SITE_PAGES__',
      links.map((to) => `<a href="/${to.name}" lang="${to.lang}">${escapeHtml(to.title)}</a>`).join(''),
    ],
    [
      '<!-- pages -->',
      links.length ? `<meta name="pages" content="${escapeHtml(JSON.stringify(all))}" />` : '',
    ],
  ]);
}

/** Puts the operator's logo and color into a page, in place of those of the build. */
function withAppearance(html: string, logo: SiteLogo | undefined, shades: string[] | undefined): string {
  const style = shades ? `<style nonce="__CSP_NONCE__">${accentRules(shades)}</style>` : '';
  const meta = logo ? `<meta name="logo" content="${logo.path}" />` : '';
  const marked = html.replace('<!-- color -->', style).replace('<!-- logo -->', meta);
  if (!logo) return marked;
  const { path, type } = logo;
  return marked
    .replace(
      '<link rel="icon" href="/favicon.svg" type="image/svg+xml"',
      `<link rel="icon" href="${path}" type="${type}"`,
    )
    .replace(
      /<svg data-logo[^>]* width="(\d+)"[\s\S]*?<\/svg>/g,
      (_, size: string) => `<img src="${path}" width="${size}" height="${size}" alt="">`,
    );
}

/** The manifest with the operator's logo as the app's icon. */
function withIcon(manifest: string, { pixels }: SiteLogo): string {
  const icons = [{ src: '/icons/icon-512.png', sizes: `${pixels}x${pixels}`, type: 'image/png' }];
  const { shortcuts = [], ...others }: { shortcuts?: object[] } = JSON.parse(manifest);
  return JSON.stringify({
    ...others,
    icons,
    shortcuts: shortcuts.map((shortcut) => ({ ...shortcut, icons })),
  });
}

/** Files that contain the name of the installation, in a string. */
const namedFiles = ['/sw.js', '/manifest.webmanifest'];

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
    site,
    sitePages,
    logo,
    shades,
    development,
    previewOf,
    readRegistration,
    clientAddressOf,
    publicUrl,
  }: {
    settings: WebSettings;
    site: Site;
    sitePages: SitePages;
    logo: SiteLogo | undefined;
    /** Of the operator's color. */
    shades: string[] | undefined;
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
    const language = siteLanguages.find((each) => file.startsWith(`pages/${each}/`)) ?? 'en';
    const html = withAppearance(await readFile(path, 'utf8'), logo, shades);
    const template = await createPageTemplate(html, {
      siteName: site.name,
      texts: siteTextsIn(language, site, sitePages),
    });
    lastPages.set(file, { template, version });
    return template;
  };
  // In development it may not be built: then Vite serves it.
  await readPage(fallbackPage).catch((error: unknown) => {
    if (!development) throw error;
  });
  /** The languages of prerendered pages; the first one is for readers of no other. */
  const languages = [site.language, ...siteLanguages.filter((language) => language !== site.language)];
  const languageFor = (request: Request) =>
    languages.find((language) => language === request.acceptsLanguages(languages)) ?? site.language;
  const pageFor = async (request: Request): Promise<PageTemplate | undefined> => {
    for (const file of filesOf(request.path, languageFor(request))) {
      const template = await readPage(file).catch(() => lastPages.get(file)?.template);
      if (template) return template;
    }
    return undefined;
  };
  /** The preview of a page that the operator wrote. */
  const sitePagePreview = (request: Request) => {
    const path = request.path.toLowerCase().replace(/\/$/, '');
    const name = sitePageNames.find((each) => path === `/${each}`);
    const page = name && sitePages.find(name, languageFor(request));
    return page && previewOfSitePage(page);
  };
  const router = Router();

  const page: RequestHandler = async (request, response, next) => {
    if (!isPage(request.path, request.headers.accept) || !request.accepts('html')) return next();
    const template = await pageFor(request);
    if (!template) return next();
    const [preview, registration] = await Promise.all([
      sitePagePreview(request) ?? previewOf(request, request.path),
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

  const namedFile: RequestHandler = async (request, response, next) => {
    const text = await readFile(join(directory, request.path), 'utf8').catch(() => undefined);
    if (text === undefined) return next();
    const named = text
      .replaceAll(namePlaceholder, escapeString(site.name))
      .replaceAll('__SITE_LOGO__', escapeString(logo?.path ?? ''));
    const filled = logo && request.path.endsWith('.webmanifest') ? withIcon(named, logo) : named;
    const etag = `"${createHash('sha256').update(filled).digest('base64url')}"`;
    response.setHeader('content-type', typeOf(request.path));
    response.setHeader('cache-control', cacheControl(request.path));
    response.setHeader('etag', etag);
    if (request.headers['if-none-match'] === etag) response.status(304).end();
    // As bytes: for a text, Express would add a charset.
    else response.send(Buffer.from(filled));
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
  router.get(namedFiles, namedFile);
  if (logo) router.use(serveSiteLogo(logo));
  router.use(file);
  router.get('/{*place}', page);
  return router;
}
