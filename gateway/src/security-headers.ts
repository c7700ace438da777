import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { WebSettings } from '@wayquest/contracts';
import type { RequestHandler } from 'express';
import helmet, { type HelmetOptions } from 'helmet';
import type { ClientAddress } from './client-address.ts';

const self = "'self'";
const none = ["'none'"];

/** The source of tiles: `https://*.tiles.example` for a URL with {s}. */
function tileSource(url: string): string {
  const { protocol, host } = new URL(url.replace('{s}', 'wildcard'));
  return `${protocol}//${host.replace(/^[^.]*wildcard[^.]*/, '*')}`;
}

const google = ['https://*.googleapis.com', 'https://*.gstatic.com', 'https://*.google.com'];

/** What Google's map loads, by its guide to content security policies; only if there is a key. */
const googleMap = {
  scriptSrc: ['https://maps.googleapis.com', 'https://maps.gstatic.com'],
  styleSrc: ['https://fonts.googleapis.com'],
  fontSrc: ['https://fonts.gstatic.com'],
  imgSrc: [...google, 'https://*.googleusercontent.com', 'https://*.ggpht.com', 'blob:'],
  connectSrc: [...google, 'data:', 'blob:'],
  frameSrc: ['https://*.google.com'],
  workerSrc: ['blob:'],
};
const noGoogleMap: Partial<typeof googleMap> = {};

/**
 * Scripts and everything else only from this host, except for the map; styles from this host, or with the response's
 * nonce.
 */
function pagePolicy({ googleMapsApiKey, tiles }: WebSettings, nonce?: string) {
  const map = googleMapsApiKey === null ? noGoogleMap : googleMap;
  return {
    useDefaults: false as const,
    directives: {
      defaultSrc: [self],
      scriptSrc: [self, ...(map.scriptSrc ?? [])],
      styleSrc: [self, ...(nonce ? [`'nonce-${nonce}'`] : []), ...(map.styleSrc ?? [])],
      fontSrc: [self, ...(map.fontSrc ?? [])],
      imgSrc: [self, 'data:', ...(map.imgSrc ?? [tileSource(tiles.url)])],
      connectSrc: [self, ...(map.connectSrc ?? [])],
      frameSrc: map.frameSrc ?? none,
      workerSrc: [self, ...(map.workerSrc ?? [])],
      objectSrc: none,
      baseUri: [self],
      frameAncestors: none,
      formAction: [self],
    },
  };
}

const options: HelmetOptions = {
  // Set for each response: it has a meaning only behind https (RFC 6797, section 7.2).
  strictTransportSecurity: false,
  referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  xFrameOptions: { action: 'deny' },
};

/** What pages may use of a device (W3C Permissions Policy): its position, and the whole screen for the map. */
const permissionsPolicy = [
  ...['accelerometer', 'camera', 'display-capture', 'gyroscope', 'magnetometer', 'microphone', 'midi'],
  ...['payment', 'usb'],
]
  .map((feature) => `${feature}=()`)
  .concat('geolocation=(self)', 'fullscreen=(self)')
  .join(', ');

/** The security headers of everything that the gateway serves itself. */
export function pageSecurity(settings: WebSettings): RequestHandler {
  const setHeaders = helmet({ ...options, contentSecurityPolicy: pagePolicy(settings) });
  return (request, response, next) => {
    response.setHeader('permissions-policy', permissionsPolicy);
    setHeaders(request, response, next);
  };
}

/** The policy of a page whose styles carry a nonce. */
export const pageSecurityWithNonce = (settings: WebSettings, nonce: string) =>
  helmet.contentSecurityPolicy(pagePolicy(settings, nonce));

/** The headers that helmet would set, computed once: proxied responses pass through no middleware. */
function headersOf(helmetOptions: HelmetOptions): Record<string, string> {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  helmet(helmetOptions)(response.req, response, () => {});
  return Object.fromEntries(
    Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]),
  );
}

const httpSecurityHeaders = headersOf({
  ...options,
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: none, frameAncestors: none },
  },
});

/**
 * The value of HSTS (RFC 6797). Subdomains may belong to somebody else or have no https, so the operator decides
 * whether they are included.
 */
export const strictTransport = (includesSubdomains: boolean): string =>
  includesSubdomains ? 'max-age=31536000; includeSubDomains' : 'max-age=31536000';

/** The security headers of data responses. */
export const dataSecurity = (
  { protocol }: ClientAddress,
  includesSubdomains: boolean,
): Record<string, string> =>
  protocol === 'https'
    ? { ...httpSecurityHeaders, 'strict-transport-security': strictTransport(includesSubdomains) }
    : httpSecurityHeaders;
