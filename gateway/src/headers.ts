import type { IncomingHttpHeaders } from 'node:http';
import { constants, createGzip, type Gzip } from 'node:zlib';

/** Headers of a single connection, which a proxy must not forward (RFC 9110, section 7.6.1). */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const connectionOptions = (connection: string | undefined): string[] | undefined =>
  connection
    ?.toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== 'keep-alive' && name !== 'close');

/** Headers that the gateway sets itself, whatever the client sent. `expect` has been handled here. */
const setByGateway =
  /^(?:host|expect|forwarded|x-real-ip|x-request-id|traceparent|tracestate|baggage|x-forwarded-.*)$/;

/** Returns a request's headers (name, value, name, value …) for the service. */
export function requestHeaders(
  { rawHeaders, headers }: { rawHeaders: string[]; headers: IncomingHttpHeaders },
  added: Record<string, string>,
): string[] {
  const options = connectionOptions(headers.connection);
  const forwarded: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    if (hopByHop.has(name) || setByGateway.test(name) || options?.includes(name)) continue;
    forwarded.push(name, rawHeaders[index + 1] ?? '');
  }
  for (const name in added) forwarded.push(name, added[name] ?? '');
  return forwarded;
}

type ResponseHeaders = Record<string, string | string[]>;

/** Returns a response's headers for the client: the gateway's own, overridden by the service's. */
export function responseHeaders(
  headers: IncomingHttpHeaders,
  defaults: Record<string, string>,
): ResponseHeaders {
  const options = connectionOptions(headers.connection);
  const forwarded: ResponseHeaders = { ...defaults };
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || hopByHop.has(name) || options?.includes(name)) continue;
    forwarded[name] = value;
  }
  return forwarded;
}

/** Smaller bodies arrive with the first packets anyway, and compressing one costs as much as proxying it. */
const minCompressibleBytes = 8 * 1024;

const isCompressible = (headers: ResponseHeaders): boolean =>
  /^application\/([\w.-]+\+)?json\b/.test(String(headers['content-type'])) &&
  headers['content-encoding'] === undefined &&
  // The tag identifies these exact bytes.
  headers.etag === undefined &&
  !String(headers['cache-control']).includes('no-transform') &&
  Number(headers['content-length'] ?? minCompressibleBytes) >= minCompressibleBytes;

/** Whether an `Accept-Encoding` header names an encoding, and does not exclude it. */
export const acceptsEncoding = (acceptEncoding: string | undefined, encoding: 'br' | 'gzip'): boolean =>
  (acceptEncoding ?? '').split(',').some((choice) => {
    const [coding, ...parameters] = choice.toLowerCase().split(';');
    return (
      coding?.trim() === encoding && !parameters.some((parameter) => /^\s*q=0(\.0*)?\s*$/.test(parameter))
    );
  });

/**
 * Changes a response's headers to those of a compressed one.
 *
 * @returns The stream that its body must be piped through; undefined if it is not compressed.
 */
export function compress(
  headers: ResponseHeaders,
  { method, acceptEncoding = '' }: { method: string; acceptEncoding: string | undefined },
): Gzip | undefined {
  if (method === 'HEAD' || !isCompressible(headers)) return undefined;
  headers.vary = [headers.vary ?? [], 'accept-encoding'].flat().join(', ');
  if (!acceptsEncoding(acceptEncoding, 'gzip')) return undefined;
  headers['content-encoding'] = 'gzip';
  delete headers['content-length'];
  return createGzip({ level: constants.Z_BEST_SPEED });
}
