import type { Exchange } from '@wayquest/platform/http';
import type { Caller } from '@wayquest/platform/tokens';
import type { Request } from 'express';
import type { AppealCookie } from './cookies.ts';
import type { OwnershipProof } from './reauthentication.ts';
import type { ClientInfo, StoreAppealCode } from './sessions.ts';

/** The names of this machine in URLs. */
export const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

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

/** Client address and user agent of a login request. */
export const clientInfoOf = (address: string, { request }: Exchange): ClientInfo => ({
  address,
  userAgent: request.get('user-agent'),
});

/** A claim to an account, and its proof. */
export const ownershipProofOf = (
  { caller, address }: { caller: Caller; address: string },
  currentPassword: string | undefined,
): OwnershipProof => ({ claims: caller.claims, address, currentPassword });

/** Stores an appeal code in a cookie of the calling browser. */
export const setAppealCookie =
  (cookie: AppealCookie, { request, response }: Exchange, publicUrl: string | undefined): StoreAppealCode =>
  (code) =>
    cookie.set(response, { code }, { secure: !!originOf(request, publicUrl)?.startsWith('https:') });
