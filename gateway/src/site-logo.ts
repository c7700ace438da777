import { createHash } from 'node:crypto';
import { type RequestHandler, Router } from 'express';
import { invalidSite, type SiteFiles, siteTextOf } from './site-folder.ts';

/** The operator's logo: a picture for home screens and notifications, and perhaps a drawing for pages. */
export interface SiteLogo {
  png: Buffer;
  /** Its width and height. */
  pixels: number;
  svg: string | undefined;
  /** The path of the one that pages show, and its type. */
  path: string;
  type: string;
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** The header is the first chunk, whose data begin with width and height (PNG, section 11.2.1). */
const pngHeaderBytes = 24;
const maxPngBytes = 500_000;
/** What Chromium needs to install an app, and more than any screen shows. */
const [minPixels, maxPixels] = [192, 1_024];

function pixelsOf(png: Buffer): number {
  if (png.length < pngHeaderBytes || !png.subarray(0, pngSignature.length).equals(pngSignature))
    throw invalidSite('logo.png is no PNG');
  if (png.length > maxPngBytes) throw invalidSite(`logo.png has more than ${maxPngBytes / 1_000} kB`);
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  if (width !== height || width < minPixels || width > maxPixels)
    throw invalidSite(
      `logo.png has ${width} × ${height} pixels; it must be a square of ${minPixels} to ${maxPixels}`,
    );
  return width;
}

const maxSvgBytes = 100_000;
/** The root element, after a declaration, a document type and comments. */
const svgRoot =
  /^\s*(<\?xml[^>]*\?>\s*)?(<!--[\s\S]*?-->\s*)*(<!DOCTYPE\s+svg[^>[]*(\[[^\]]*\]\s*)?>\s*)?(<!--[\s\S]*?-->\s*)*<svg[\s>]/i;

/** Finds the logo among the operator's files. Throws SettingsError for one that cannot be shown. */
export function siteLogoIn(files: SiteFiles): SiteLogo | undefined {
  const [png, drawing] = [files.get('logo.png'), files.get('logo.svg')];
  if (!png) {
    if (drawing) throw invalidSite('logo.svg needs a logo.png beside it, for home screens and notifications');
    return undefined;
  }
  const pixels = pixelsOf(png);
  if (!drawing) return { png, pixels, svg: undefined, path: '/site/logo.png', type: 'image/png' };
  const svg = siteTextOf('logo.svg', drawing, maxSvgBytes);
  if (!svgRoot.test(svg)) throw invalidSite('logo.svg is no SVG: it must begin with <svg');
  return { png, pixels, svg, path: '/site/logo.svg', type: 'image/svg+xml' };
}

/** Pictures of the web app in whose place the logo is. Apps and systems scale it. */
const replacedPictures = [
  ...['icon-192', 'icon-512', 'maskable-192', 'maskable-512', 'apple-touch-icon'].map(
    (name) => `/icons/${name}.png`,
  ),
  '/favicon.ico',
];

/** Opened as a page of its own, a drawing runs no script, and loads nothing (CSP 3). */
const drawingPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** Serves the logo, also where the web app has its own. */
export function serveSiteLogo({ png, svg }: SiteLogo): RequestHandler {
  const picture = (content: Buffer, type: string): RequestHandler => {
    const etag = `"${createHash('sha256').update(content).digest('base64url')}"`;
    return (request, response) => {
      response.set({ 'content-type': type, 'cache-control': 'no-cache', etag });
      if (request.get('if-none-match') === etag) response.status(304).end();
      else response.send(content);
    };
  };
  const router = Router();
  router.get(['/site/logo.png', ...replacedPictures], picture(png, 'image/png'));
  if (svg !== undefined)
    router.get(
      '/site/logo.svg',
      (_request, response, next) => {
        response.set('content-security-policy', drawingPolicy);
        next();
      },
      picture(Buffer.from(svg), 'image/svg+xml'),
    );
  return router;
}
