import type { Request } from 'express';

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The public origin: the configured one, otherwise the request's if it is the local host. Any other name in a request could
 * be forged.
 */
export function originOf(request: Request, publicUrl: string | undefined): string | undefined {
  if (publicUrl) return publicUrl;
  const address = `${request.protocol}://${request.host}`;
  if (!URL.canParse(address)) return undefined;
  const { hostname, origin } = new URL(address);
  return loopback.has(hostname) ? origin : undefined;
}
