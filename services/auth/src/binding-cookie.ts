import { operations } from '@wayquest/contracts';
import type { Changing } from '@wayquest/platform/process';
import { z } from 'zod';
import { createSealedCookie, type SealedCookie } from './sealed-cookie.ts';

const Bound = z.object({ binding: z.string(), expiresAt: z.number() });

export type BindingCookie = SealedCookie<z.infer<typeof Bound>>;

const Asked = z.object({
  challenge: z.string(),
  /** Whose passkey is created; missing for a login. */
  accountId: z.number().optional(),
  expiresAt: z.number(),
});

/** Binds a passkey's challenge to the browser that got it. */
export const createChallengeCookie = (secret: Changing) =>
  createSealedCookie({ name: 'wayquest-passkey', path: operations.listPasskeys.path, secret }, Asked);

export type ChallengeCookie = ReturnType<typeof createChallengeCookie>;

const Proven = z.object({ code: z.string(), expiresAt: z.number() });

/** Proves at an appeal that a suspended account was authenticated by a login without a password. */
export const createAppealCookie = (secret: Changing) =>
  createSealedCookie({ name: 'wayquest-appeal', path: operations.appealSuspension.path, secret }, Proven);

export type AppealCookie = ReturnType<typeof createAppealCookie>;

/** Binds a one-time code to the browser that got it; sent only with calls that exchange such a code. */
export interface BindingCookies {
  login: SealedCookie<{ binding: string; expiresAt: number }>;
  link: SealedCookie<{ binding: string; expiresAt: number }>;
}

/**
 * Creates and verifies the cookies that bind a step of a login to the browser that began it.
 *
 * @param secret - Signs them; it may change while the service runs.
 */
export const createBindingCookies = (secret: Changing): BindingCookies => ({
  login: createSealedCookie(
    { name: 'wayquest-code', path: operations.exchangeLoginCode.path, secret },
    Bound,
  ),
  link: createSealedCookie({ name: 'wayquest-link', path: operations.finishGoogleLink.path, secret }, Bound),
});
