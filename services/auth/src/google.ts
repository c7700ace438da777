import { randomBytes, randomInt } from 'node:crypto';
import { operations, registrationProblems } from '@wayquest/contracts';
import type { Clock } from '@wayquest/platform/async';
import { isProblem, Problem } from '@wayquest/platform/core';
import type { HttpApp } from '@wayquest/platform/http';
import { mailLanguageOf } from '@wayquest/platform/mail';
import type { Logger } from '@wayquest/platform/telemetry';
import type { Request, Response } from 'express';
import type { Profile } from 'passport-google-oauth20';
import { z } from 'zod';
import type { Account } from './account.model.ts';
import type { Accounts } from './accounts.ts';
import { originOf, ownershipProofOf } from './callers.ts';
import { type BindingCookies, createSealedCookie } from './cookies.ts';
import type { GoogleLinks } from './google-links.ts';
import { type GoogleConfig, googleSignInUrl, profileFromGoogle } from './google-strategy.ts';
import type { HashKey } from './hash-key.ts';
import type { LoginCodes } from './login-codes.ts';
import type { Registration } from './registration.ts';

export interface GoogleDeps {
  logger: Logger;
  accounts: Accounts;
  registration: Registration;
  codes: LoginCodes;
  links: GoogleLinks;
  bindings: BindingCookies;
  /** Seals the cookie of a sign-in. */
  hashKey: Pick<HashKey, 'keyFor'>;
  clock: Clock;
  google: GoogleConfig | undefined;
  publicUrl: string | undefined;
}

const startPath = operations.startGoogleLogin.path;
const callbackPath = operations.finishGoogleLogin.path;
const signInWithinMs = 10 * 60 * 1_000;

const SignInState = z.object({
  state: z.string(),
  verifier: z.string(),
  /** The account to link; missing for a sign-in. */
  links: z.number().optional(),
  /** The code of an invitation, for a new account. */
  invitation: z.string().optional(),
});

const random = () => randomBytes(32).toString('base64url');

const maxBaseLength = 23;

/** A valid username made from a person's name. */
function usernameBase(name: string): string {
  const base = name
    .normalize('NFKD')
    .toLowerCase()
    .trim()
    .replace(/\s+/g, '.')
    .replace(/[^a-z0-9._-]/g, '')
    .slice(0, maxBaseLength)
    .replace(/^[._-]+|[._-]+$/g, '');
  return base.length < 3 ? 'explorer' : base;
}

/** Usernames to try in turn: the base itself, then with ever longer numbers. */
function* usernameCandidates(name: string): Generator<string> {
  const base = usernameBase(name);
  if (base !== 'explorer') yield base;
  for (let digits = 2; digits <= 6; digits += 1) {
    for (let attempt = 0; attempt < 3; attempt += 1)
      yield `${base}-${randomInt(10 ** (digits - 1), 10 ** digits)}`;
  }
}

interface SignedIn {
  account: Account;
  isNew: boolean;
}

async function createAccount(accounts: Accounts, { id, displayName }: Profile): Promise<SignedIn> {
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

/** Sign-in with Google: a redirect there, and back with a one-time code for the page that started it. */
export function googleRoutes(http: HttpApp, deps: GoogleDeps): void {
  const { logger, accounts, registration, codes, links, bindings, hashKey, clock, google, publicUrl } = deps;
  const cookie = createSealedCookie(
    { name: 'wayquest-google', path: startPath, lifetimeMs: signInWithinMs, hashKey, clock },
    SignInState,
  );

  const redirect = (response: Response, to: string) =>
    response.set('cache-control', 'no-store').redirect(302, to);

  const configFor = (request: Request) => {
    const origin = originOf(request, publicUrl);
    if (google && !origin) logger.warn('Google sign-in needs PUBLIC_URL where this is not localhost');
    return google && origin ? { google, callbackUrl: origin + callbackPath } : undefined;
  };
  type Config = NonNullable<ReturnType<typeof configFor>>;
  const isSecure = ({ callbackUrl }: Config) => ({ secure: callbackUrl.startsWith('https:') });

  /**
   * Redirects a browser to Google, with a cookie that binds the callback to it, and to the account to link or the
   * invitation: Google gets neither.
   */
  const startSignIn = (
    config: Config,
    response: Response,
    purpose: Pick<z.infer<typeof SignInState>, 'links' | 'invitation'>,
  ) => {
    const started = { state: random(), verifier: random(), ...purpose };
    cookie.set(response, started, isSecure(config));
    return googleSignInUrl(config.google, { ...started, callbackUrl: config.callbackUrl });
  };

  /** The account of a Google subject, created if there is none. An e-mail address never links anything. */
  const accountOf = async (profile: Profile, invitation: string | undefined): Promise<SignedIn> => {
    const known = await accounts.findByGoogleId(profile.id);
    if (known) return { account: known, isNew: false };
    // A sign-in is not repeated. Its person is no claimant: they could unlink Google, and then create another account.
    return registration.register({ invitation, id: random() }, () => createAccount(accounts, profile));
  };

  /** Where the callback redirects the browser. */
  const finishSignIn = async (
    config: Config,
    profile: Profile,
    response: Response,
    { links, invitation }: z.infer<typeof SignInState>,
  ) => {
    if (!profile.id) throw new Error('Google returned no subject id');
    const binding = random();
    if (links !== undefined) {
      bindings.link.set(response, { binding }, isSecure(config));
      return `/settings#link=${await codes.createForLink(links, profile.id, binding)}`;
    }
    const { account, isNew } = await accountOf(profile, invitation);
    bindings.login.set(response, { binding }, isSecure(config));
    return `/login#code=${await codes.create(account._id, binding)}${isNew ? '&new=1' : ''}`;
  };

  http.serveNavigation(operations.startGoogleLogin, async ({ query }, { request, response }) => {
    const config = configFor(request);
    redirect(
      response,
      config
        ? startSignIn(config, response, { invitation: query.invitation })
        : '/login#problem=google-not-set-up',
    );
  });

  http.serveNavigation(operations.finishGoogleLogin, async (_, { request, response }) => {
    const config = configFor(request);
    if (!config) return void redirect(response, '/login#problem=google-not-set-up');
    const started = cookie.consume(request, response);
    const { state, code } = request.query;
    try {
      if (!started || state !== started.state) throw new Error('this browser started no such sign-in');
      if (typeof code !== 'string' || !code) throw new Error('Google sent no code');
      const signIn = { ...started, callbackUrl: config.callbackUrl };
      const profile = await profileFromGoogle({ config: config.google, signIn, request, response });
      redirect(response, await finishSignIn(config, profile, response, started));
    } catch (error) {
      const rejection = registrationProblems.find((problem) => isProblem(error, problem));
      if (rejection) return void redirect(response, `/login#problem=${rejection}`);
      logger.warn({ err: error }, 'a sign-in with Google failed');
      redirect(response, `${started?.links === undefined ? '/login' : '/settings'}#problem=google-failed`);
    }
  });

  http.serve(operations.startGoogleLink, async (input, { request, response }) => {
    const config = configFor(request);
    if (!config) throw new Problem('not-configured');
    const accountId = await links.begin(ownershipProofOf(input, input.body.currentPassword));
    return { location: startSignIn(config, response, { links: accountId }) };
  });

  http.serve(operations.finishGoogleLink, async ({ body, caller, address }, exchange) => {
    const bindingCookie = bindings.link.consume(exchange.request, exchange.response);
    const language = mailLanguageOf(exchange);
    await links.finish(
      { code: body.code, binding: bindingCookie?.binding },
      { callerId: caller.id, address, language },
    );
    return undefined;
  });

  http.serve(operations.unlinkGoogle, async (request, exchange) => {
    await links.unlink(ownershipProofOf(request, request.body.currentPassword), mailLanguageOf(exchange));
    return undefined;
  });
}
