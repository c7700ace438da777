import type { Caller, Exchange } from '@wayquest/platform/http';
import type { AppealCookie } from './binding-cookie.ts';
import { appealCodeLifetimeMs } from './login-codes.ts';
import { originOf } from './origin.ts';
import type { OwnershipProof } from './reauthentication.ts';
import type { ClientInfo, StoreAppealCode } from './sessions.ts';

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
    cookie.set(
      response,
      { code, expiresAt: Date.now() + appealCodeLifetimeMs },
      { secure: !!originOf(request, publicUrl)?.startsWith('https:') },
    );
