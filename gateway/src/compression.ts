import { constants, createGzip, type Gzip } from 'node:zlib';
import type { ResponseHeaders } from './headers.ts';

/** What is smaller arrives in the first flight of packets anyway, and costs as much to compress as to proxy. */
const worthwhileBytes = 8 * 1024;

const isWorthwhile = (headers: ResponseHeaders): boolean =>
  /^application\/([\w.-]+\+)?json\b/.test(String(headers['content-type'])) &&
  headers['content-encoding'] === undefined &&
  // Its bytes are promised to be these.
  headers.etag === undefined &&
  !String(headers['cache-control']).includes('no-transform') &&
  Number(headers['content-length'] ?? worthwhileBytes) >= worthwhileBytes;

export const acceptsGzip = (acceptEncoding = ''): boolean =>
  acceptEncoding.split(',').some((choice) => {
    const [coding, ...parameters] = choice.toLowerCase().split(';');
    return coding?.trim() === 'gzip' && !parameters.some((parameter) => /^\s*q=0(\.0*)?\s*$/.test(parameter));
  });

/**
 * Makes an answer's headers those of a compressed one and returns what its body must pass through; none for an
 * answer that stays as it is.
 */
export function compress(
  headers: ResponseHeaders,
  { method, acceptEncoding = '' }: { method: string; acceptEncoding: string | undefined },
): Gzip | undefined {
  if (method === 'HEAD' || !isWorthwhile(headers)) return undefined;
  headers.vary = [headers.vary ?? [], 'accept-encoding'].flat().join(', ');
  if (!acceptsGzip(acceptEncoding)) return undefined;
  headers['content-encoding'] = 'gzip';
  delete headers['content-length'];
  return createGzip({ level: constants.Z_BEST_SPEED });
}
