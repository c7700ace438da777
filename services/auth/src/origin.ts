import type { Request } from 'express';

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Where Wayquest is seen from: as set, else as the request says if that is this very machine. Any other name in a
 * request could have been put there by someone else.
 */
export function originOf(request: Request, publicUrl: string | undefined): string | undefined {
  if (publicUrl) return publicUrl;
  const address = `${request.protocol}://${request.host}`;
  if (!URL.canParse(address)) return undefined;
  const { hostname, origin } = new URL(address);
  return loopback.has(hostname) ? origin : undefined;
}
