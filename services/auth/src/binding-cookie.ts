import { operations } from '@wayquest/contracts';
import type { Changing } from '@wayquest/platform/process';
import { z } from 'zod';
import { createSealedCookie, type SealedCookie } from './sealed-cookie.ts';

const Bound = z.object({ binding: z.string(), expiresAt: z.number() });

export type BindingCookie = SealedCookie<z.infer<typeof Bound>>;

const Asked = z.object({
  challenge: z.string(),
  /** Whose passkey is to be made; none where somebody logs in. */
  accountId: z.number().optional(),
  expiresAt: z.number(),
});

/** What ties the challenge that a passkey is to sign to the browser that it was given to. */
export const createChallengeCookie = (secret: Changing) =>
  createSealedCookie({ name: 'wayquest-passkey', path: operations.listPasskeys.path, secret }, Asked);

export type ChallengeCookie = ReturnType<typeof createChallengeCookie>;

const Proven = z.object({ code: z.string(), expiresAt: z.number() });

/** By what somebody appeals who showed at a login without a password that a suspended account is theirs. */
export const createAppealCookie = (secret: Changing) =>
  createSealedCookie({ name: 'wayquest-appeal', path: operations.appealSuspension.path, secret }, Proven);

export type AppealCookie = ReturnType<typeof createAppealCookie>;

/** What ties a one-time code to the browser that it was given to: only the calls that swap such a code are shown it. */
export const createBindingCookies = (secret: Changing) => ({
  login: createSealedCookie(
    { name: 'wayquest-code', path: operations.exchangeLoginCode.path, secret },
    Bound,
  ),
  link: createSealedCookie({ name: 'wayquest-link', path: operations.finishGoogleLink.path, secret }, Bound),
});

export type BindingCookies = ReturnType<typeof createBindingCookies>;
