import { createHmac, timingSafeEqual } from 'node:crypto';
import { operations } from '@wayquest/contracts';
import type { Clock } from '@wayquest/platform/async';
import type { CookieOptions, Request, Response } from 'express';
import { z } from 'zod';
import type { HashKey } from './hash-key.ts';
import { appealCodeLifetimeMs, loginCodeLifetimeMs } from './login-codes.ts';
import { challengeLifetimeMs } from './passkey.model.ts';

interface SealedCookie<T> {
  set(response: Response, value: T, options: Pick<CookieOptions, 'secure'>): void;
  /** Reads and deletes the cookie; undefined if it was tampered with or has expired. */
  consume(request: Request, response: Response): T | undefined;
}

export interface SealedCookieOptions {
  name: string;
  path: string;
  hashKey: Pick<HashKey, 'keyFor'>;
  lifetimeMs: number;
  clock: Clock;
}

const Expiring = z.object({ expiresAt: z.number() });

/** A short-lived cookie, sealed with a key, so that no state is stored between two requests. */
export function createSealedCookie<S extends z.ZodType<object>>(
  { name, path, hashKey, lifetimeMs, clock }: SealedCookieOptions,
  schema: S,
): SealedCookie<z.infer<S>> {
  const sealOf = (content: string) =>
    createHmac('sha256', hashKey.keyFor(`wayquest cookie ${name}`))
      .update(content)
      .digest();
  const common: CookieOptions = { httpOnly: true, sameSite: 'lax', path };

  const open = (sealed: string): z.infer<S> | undefined => {
    const [content = '', seal = ''] = sealed.split('.');
    const actualSeal = Buffer.from(seal, 'base64url');
    const expectedSeal = sealOf(content);
    if (actualSeal.length !== expectedSeal.length || !timingSafeEqual(actualSeal, expectedSeal))
      return undefined;
    const value: unknown = JSON.parse(Buffer.from(content, 'base64url').toString());
    return Expiring.parse(value).expiresAt > clock.now() ? schema.parse(value) : undefined;
  };

  return {
    set(response, value, { secure = false }) {
      const expiring = { ...value, expiresAt: clock.now() + lifetimeMs };
      const content = Buffer.from(JSON.stringify(expiring)).toString('base64url');
      response.cookie(name, `${content}.${sealOf(content).toString('base64url')}`, {
        ...common,
        secure,
        maxAge: lifetimeMs,
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

/** What all cookies of the service are created with. */
type CookieContext = Pick<SealedCookieOptions, 'hashKey' | 'clock'>;

const Binding = z.object({ binding: z.string() });

export type BindingCookie = SealedCookie<z.infer<typeof Binding>>;

const PasskeyChallenge = z.object({
  challenge: z.string(),
  /** Whose passkey is created; missing for a login. */
  accountId: z.number().optional(),
});

export type ChallengeCookie = SealedCookie<z.infer<typeof PasskeyChallenge>>;

/** Binds a passkey's challenge to the browser that got it. */
export const createChallengeCookie = (context: CookieContext): ChallengeCookie =>
  createSealedCookie(
    {
      ...{ name: 'wayquest-passkey', path: operations.listPasskeys.path, lifetimeMs: challengeLifetimeMs },
      ...context,
    },
    PasskeyChallenge,
  );

const AppealProof = z.object({ code: z.string() });

export type AppealCookie = SealedCookie<z.infer<typeof AppealProof>>;

/** Proves at an appeal that a suspended account was authenticated by a login without a password. */
export const createAppealCookie = (context: CookieContext): AppealCookie =>
  createSealedCookie(
    {
      ...{
        name: 'wayquest-appeal',
        path: operations.appealSuspension.path,
        lifetimeMs: appealCodeLifetimeMs,
      },
      ...context,
    },
    AppealProof,
  );

/** Binds a one-time code to the browser that got it; sent only with calls that exchange such a code. */
export interface BindingCookies {
  login: BindingCookie;
  googleLink: BindingCookie;
  openIdLink: BindingCookie;
}

/** Creates and verifies the cookies that bind a step of a login to the browser that began it. */
export function createBindingCookies(context: CookieContext): BindingCookies {
  const create = (name: string, path: string) =>
    createSealedCookie({ name, path, lifetimeMs: loginCodeLifetimeMs, ...context }, Binding);
  return {
    login: create('wayquest-code', operations.exchangeLoginCode.path),
    googleLink: create('wayquest-link', operations.finishGoogleLink.path),
    openIdLink: create('wayquest-openid-link', operations.finishOpenIdLink.path),
  };
}
