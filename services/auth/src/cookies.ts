import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { operations } from '@wayquest/contracts';
import { type DynamicText, derivedFrom } from '@wayquest/platform/process';
import type { CookieOptions, Request, Response } from 'express';
import { z } from 'zod';

interface SealedCookie<T> {
  set(response: Response, value: T, options: Pick<CookieOptions, 'secure'>): void;
  /** Reads and deletes the cookie; undefined if it was tampered with or has expired. */
  consume(request: Request, response: Response): T | undefined;
}

/** A short-lived cookie, sealed with a secret, so that no state is stored between two requests. */
export function createSealedCookie<S extends z.ZodType<{ expiresAt: number }>>(
  { name, path, secret }: { name: string; path: string; secret: DynamicText },
  schema: S,
): SealedCookie<z.infer<S>> {
  const key = derivedFrom(secret, (currentSecret) =>
    Buffer.from(hkdfSync('sha256', currentSecret, '', `wayquest cookie ${name}`, 32)),
  );
  const sealOf = (content: string) => createHmac('sha256', key()).update(content).digest();
  const common: CookieOptions = { httpOnly: true, sameSite: 'lax', path };

  const open = (sealed: string): z.infer<S> | undefined => {
    const [content = '', seal = ''] = sealed.split('.');
    const actualSeal = Buffer.from(seal, 'base64url');
    const expectedSeal = sealOf(content);
    if (actualSeal.length !== expectedSeal.length || !timingSafeEqual(actualSeal, expectedSeal))
      return undefined;
    const value = schema.parse(JSON.parse(Buffer.from(content, 'base64url').toString()));
    return value.expiresAt > Date.now() ? value : undefined;
  };

  return {
    set(response, value, { secure = false }) {
      const content = Buffer.from(JSON.stringify(value)).toString('base64url');
      response.cookie(name, `${content}.${sealOf(content).toString('base64url')}`, {
        ...common,
        secure,
        maxAge: value.expiresAt - Date.now(),
      });
    },
    consume(request, response) {
      response.clearCookie(name, common);
      const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
      const found = pairs.find((pair) => pair.startsWith(`${name}=`));
      return found === undefined ? undefined : open(found.slice(name.length + 1));
    },
  };
}

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
