import { constants, createGzip, type Gzip } from 'node:zlib';
import type { ResponseHeaders } from './headers.ts';

/** Smaller bodies arrive with the first packets anyway, and compressing one costs as much as proxying it. */
const minCompressibleBytes = 8 * 1024;

const isCompressible = (headers: ResponseHeaders): boolean =>
  /^application\/([\w.-]+\+)?json\b/.test(String(headers['content-type'])) &&
  headers['content-encoding'] === undefined &&
  // The tag identifies these exact bytes.
  headers.etag === undefined &&
  !String(headers['cache-control']).includes('no-transform') &&
  Number(headers['content-length'] ?? minCompressibleBytes) >= minCompressibleBytes;

export const acceptsGzip = (acceptEncoding = ''): boolean =>
  acceptEncoding.split(',').some((choice) => {
    const [coding, ...parameters] = choice.toLowerCase().split(';');
    return coding?.trim() === 'gzip' && !parameters.some((parameter) => /^\s*q=0(\.0*)?\s*$/.test(parameter));
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
  if (!acceptsGzip(acceptEncoding)) return undefined;
  headers['content-encoding'] = 'gzip';
  delete headers['content-length'];
  return createGzip({ level: constants.Z_BEST_SPEED });
}
