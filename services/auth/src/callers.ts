import type { Caller, Exchange } from '@wayquest/platform/http';
import type { AppealCookie } from './binding-cookie.ts';
import { appealCodeLifetimeMs } from './login-codes.ts';
import { originOf } from './origin.ts';
import type { OwnershipProof } from './reauthentication.ts';
import type { OfferAppeal, Visitor } from './sessions.ts';

/** What a request says about who logs in. */
export const visitorOf = (address: string, { request }: Exchange): Visitor => ({
  address,
  userAgent: request.get('user-agent'),
});

/** A claim to an account, and its proof. */
export const ownershipProofOf = (
  { caller, address }: { caller: Caller; address: string },
  currentPassword: string | undefined,
): OwnershipProof => ({ claims: caller.claims, address, currentPassword });

/** Leaves a code for an appeal in the browser that calls. */
export const appealOffer =
  (cookie: AppealCookie, { request, response }: Exchange, publicUrl: string | undefined): OfferAppeal =>
  (code) =>
    cookie.set(
      response,
      { code, expiresAt: Date.now() + appealCodeLifetimeMs },
      { secure: !!originOf(request, publicUrl)?.startsWith('https:') },
    );
