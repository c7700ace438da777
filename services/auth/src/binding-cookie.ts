import { operations } from '@wayquest/contracts';
import type { DynamicText } from '@wayquest/platform/process';
import { z } from 'zod';
import { createSealedCookie, type SealedCookie } from './sealed-cookie.ts';

const Binding = z.object({ binding: z.string(), expiresAt: z.number() });

export type BindingCookie = SealedCookie<z.infer<typeof Binding>>;

const PasskeyChallenge = z.object({
  challenge: z.string(),
  /** Whose passkey is created; missing for a login. */
  accountId: z.number().optional(),
  expiresAt: z.number(),
});

export type ChallengeCookie = SealedCookie<z.infer<typeof PasskeyChallenge>>;

/** Binds a passkey's challenge to the browser that got it. */
export const createChallengeCookie = (secret: DynamicText): ChallengeCookie =>
  createSealedCookie(
    { name: 'wayquest-passkey', path: operations.listPasskeys.path, secret },
    PasskeyChallenge,
  );

const AppealProof = z.object({ code: z.string(), expiresAt: z.number() });

export type AppealCookie = SealedCookie<z.infer<typeof AppealProof>>;

/** Proves at an appeal that a suspended account was authenticated by a login without a password. */
export const createAppealCookie = (secret: DynamicText): AppealCookie =>
  createSealedCookie(
    { name: 'wayquest-appeal', path: operations.appealSuspension.path, secret },
    AppealProof,
  );

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
export const createBindingCookies = (secret: DynamicText): BindingCookies => ({
  login: createSealedCookie(
    { name: 'wayquest-code', path: operations.exchangeLoginCode.path, secret },
    Binding,
  ),
  link: createSealedCookie(
    { name: 'wayquest-link', path: operations.finishGoogleLink.path, secret },
    Binding,
  ),
});
