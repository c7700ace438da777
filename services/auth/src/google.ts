import { randomBytes } from 'node:crypto';
import { operations } from '@wayquest/contracts';
import { type HttpApp, isProblem, Problem } from '@wayquest/platform/http';
import type { Logger } from '@wayquest/platform/telemetry';
import type { Request, Response } from 'express';
import type { Profile } from 'passport-google-oauth20';
import { z } from 'zod';
import type { Account } from './account.model.ts';
import type { Accounts } from './accounts.ts';
import type { BindingCookie } from './binding-cookie.ts';
import { type GoogleConfig, goToGoogle, profileFromGoogle } from './google-strategy.ts';
import { usernameCandidates } from './google-usernames.ts';
import { type LoginCodes, loginCodeLifetimeMs } from './login-codes.ts';
import { createSealedCookie } from './sealed-cookie.ts';

export interface GoogleDeps {
  logger: Logger;
  accounts: Accounts;
  codes: LoginCodes;
  /** What login codes are bound to. */
  binding: BindingCookie;
  /** The cookie's seal is derived from it. */
  secret: string;
  google: GoogleConfig | undefined;
  publicUrl: string | undefined;
}

const startPath = operations.startGoogleLogin.path;
const callbackPath = operations.finishGoogleLogin.path;
const signInWithinMs = 10 * 60 * 1_000;

const Started = z.object({ state: z.string(), verifier: z.string(), expiresAt: z.number() });

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Where Wayquest is seen from: as set, else as the request says if that is this very machine. Any other name in a
 * request could have been put there by someone else.
 */
function originOf(request: Request, publicUrl: string | undefined): string | undefined {
  if (publicUrl) return publicUrl;
  const address = `${request.protocol}://${request.host}`;
  if (!URL.canParse(address)) return undefined;
  const { hostname, origin } = new URL(address);
  return loopback.has(hostname) ? origin : undefined;
}

const random = () => randomBytes(32).toString('base64url');

/** The account of a Google subject; a new one for somebody new. An e-mail address never links anything. */
async function accountOf(
  accounts: Accounts,
  { id, displayName }: Profile,
): Promise<{ account: Account; isNew: boolean }> {
  if (!id) throw new Error('Google named nobody');
  for (const username of usernameCandidates(displayName ?? '')) {
    const known = await accounts.findByGoogleId(id);
    if (known) return { account: known, isNew: false };
    try {
      return { account: await accounts.register({ username, googleId: id }), isNew: true };
    } catch (error) {
      if (!isProblem(error, 'username-taken')) throw error;
    }
  }
  throw new Problem('username-taken');
}

/** Signing in with Google: there by a redirect, back with a one-time code for the login page. */
export function googleRoutes(http: HttpApp, deps: GoogleDeps): void {
  const { logger, accounts, codes, binding: bindingCookie, secret, google, publicUrl } = deps;
  const cookie = createSealedCookie({ name: 'wayquest-google', path: startPath, secret }, Started);

  const goOn = (response: Response, fragment: string) =>
    response.set('cache-control', 'no-store').redirect(302, `/login#${fragment}`);

  const configFor = (request: Request) => {
    const origin = originOf(request, publicUrl);
    if (google && !origin) logger.warn('Google sign-in needs PUBLIC_URL where this is not localhost');
    return google && origin ? { google, callbackUrl: origin + callbackPath } : undefined;
  };

  http.serveNavigation(operations.startGoogleLogin, async (_, { request, response }) => {
    const config = configFor(request);
    if (!config) return goOn(response, 'problem=google-not-set-up');
    const { google, callbackUrl } = config;
    const started = { state: random(), verifier: random(), expiresAt: Date.now() + signInWithinMs };
    cookie.set(response, started, { secure: callbackUrl.startsWith('https:') });
    response.set('cache-control', 'no-store');
    goToGoogle({ config: google, signIn: { ...started, callbackUrl }, request, response });
  });

  http.serveNavigation(operations.finishGoogleLogin, async (_, { request, response }) => {
    const config = configFor(request);
    if (!config) return goOn(response, 'problem=google-not-set-up');
    const started = cookie.take(request, response);
    const { state, code } = request.query;
    try {
      if (!started || state !== started.state) throw new Error('this browser started no such sign-in');
      if (typeof code !== 'string' || !code) throw new Error('Google sent no code');
      const signIn = { ...started, callbackUrl: config.callbackUrl };
      const profile = await profileFromGoogle({ config: config.google, signIn, request, response });
      const { account, isNew } = await accountOf(accounts, profile);
      const binding = random();
      const loginCode = await codes.give(account._id, binding);
      const bound = { binding, expiresAt: Date.now() + loginCodeLifetimeMs };
      bindingCookie.set(response, bound, { secure: config.callbackUrl.startsWith('https:') });
      goOn(response, `code=${loginCode}${isNew ? '&new=1' : ''}`);
    } catch (error) {
      logger.warn({ err: error }, 'a sign-in with Google failed');
      goOn(response, 'problem=google-failed');
    }
  });
}
