import type { Caller, Exchange } from '@wayquest/platform/http';
import type { AppealCookie } from './binding-cookie.ts';
import { appealCodeLifetimeMs } from './login-codes.ts';
import { originOf } from './origin.ts';
import type { Claim } from './reauthentication.ts';
import type { OfferAppeal, Visitor } from './sessions.ts';

/** Who asks to be let in, as far as a request tells. */
export const visitorOf = (address: string, { request }: Exchange): Visitor => ({
  address,
  userAgent: request.get('user-agent'),
});

/** Who says that an account is theirs, and by what. */
export const claimOf = (
  { caller, address }: { caller: Caller; address: string },
  currentPassword: string | undefined,
): Claim => ({ claims: caller.claims, address, currentPassword });

/** Leaves what to appeal by with the browser that calls. */
export const appealOffer =
  (cookie: AppealCookie, { request, response }: Exchange, publicUrl: string | undefined): OfferAppeal =>
  (code) =>
    cookie.set(
      response,
      { code, expiresAt: Date.now() + appealCodeLifetimeMs },
      { secure: !!originOf(request, publicUrl)?.startsWith('https:') },
    );
