import { randomBytes, randomInt } from 'node:crypto';
import { registrationProblems } from '@wayquest/contracts';
import type { Clock } from '@wayquest/platform/async';
import { isProblem, Problem } from '@wayquest/platform/core';
import type { Exchange } from '@wayquest/platform/http';
import type { MailLanguage, MailLanguageOf } from '@wayquest/platform/mail';
import type { Logger } from '@wayquest/platform/telemetry';
import type { Caller } from '@wayquest/platform/tokens';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { type Account, type IdentityField, identityFields, type Waiting } from './account.model.ts';
import type { Accounts } from './accounts.ts';
import { originOf, ownershipProofOf } from './callers.ts';
import { type BindingCookie, createSealedCookie } from './cookies.ts';
import type { HashKey } from './hash-key.ts';
import type { IdentityLinks } from './identity-links.ts';
import type { LoginCodes } from './login-codes.ts';

/** The values of one sign-in. */
export interface SignIn {
  /** Binds the callback to the browser. */
  state: string;
  /** Binds the provider's code to this sign-in (PKCE, RFC 7636). */
  verifier: string;
  /** Binds the provider's ID token to this sign-in. */
  nonce: string;
  callbackUrl: string;
}

/** Who signed in, by the provider's word. */
export interface Identity {
  /** Identifies the person for good, as it is stored in their account. An e-mail address does not. */
  id: string;
  /** What a username is made of. */
  name: string;
  /** Whether they are an admin; absent if the provider does not decide that. */
  admin?: boolean;
}

/** Where people sign in. */
export interface SignInProvider {
  /** The URL to redirect a browser to. */
  signInUrl(signIn: SignIn): Promise<string>;
  /** Exchanges the code in the callback's request for the person's identity. Rejects if that takes too long. */
  identify(signIn: SignIn, exchange: Exchange): Promise<Identity>;
}

/** What all sign-ins at another site are made with. */
export interface SignInDeps {
  logger: Logger;
  accounts: Accounts;
  codes: LoginCodes;
  /** Binds the code of a sign-in to the browser. */
  loginCookie: BindingCookie;
  /** Seals the cookie of a sign-in. */
  hashKey: Pick<HashKey, 'keyFor'>;
  clock: Clock;
  publicUrl: string | undefined;
  mailLanguageOf: MailLanguageOf;
}

export interface RedirectSignInDeps extends SignInDeps {
  /** Its name in problems of pages, such as `google-failed`, and of its cookie. */
  name: 'google' | 'openid';
  /** Its name in the log. */
  title: string;
  startPath: string;
  callbackPath: string;
  /** Undefined if it is not configured. */
  provider: SignInProvider | undefined;
  field: IdentityField;
  links: IdentityLinks;
  linkCookie: BindingCookie;
  /** The name of the code for linking in the fragment of /settings. */
  linkFragment: string;
  /** Creates an account for somebody who has none, if they may have one. */
  register(visitor: NewPerson, create: (waiting?: Waiting) => Promise<SignedIn>): Promise<SignedIn>;
}

/** Somebody without an account, who signs in. */
interface NewPerson {
  invitation: string | undefined;
  language: MailLanguage;
}

interface SignedIn {
  account: Account;
  isNew: boolean;
}

type WithPassword = { body: { currentPassword?: string | undefined }; caller: Caller; address: string };

/** The calls of a sign-in at another site, for its routes. */
export interface RedirectSignIn {
  start(exchange: Exchange, invitation?: string): Promise<void>;
  finish(exchange: Exchange): Promise<void>;
  startLink(request: WithPassword, exchange: Exchange): Promise<{ location: string }>;
  finishLink(
    request: { body: { code: string }; caller: Caller; address: string },
    exchange: Exchange,
  ): Promise<undefined>;
  unlink(request: WithPassword, exchange: Exchange): Promise<undefined>;
}

const signInWithinMs = 10 * 60 * 1_000;

/** Why somebody who signed in gets no account. */
const rejections = [...registrationProblems, 'openid-not-linked'] as const;

const SignInState = z.object({
  state: z.string(),
  verifier: z.string(),
  /** Missing in a cookie of an older version, which had only Google. */
  nonce: z.string().default(''),
  /** The account to link; missing for a sign-in. */
  links: z.number().optional(),
  /** The code of an invitation, for a new account. */
  invitation: z.string().optional(),
});

/** Returns a value that nobody guesses, of 43 characters. */
export const randomText = (): string => randomBytes(32).toString('base64url');

const maxBaseLength = 23;

/** What a username is made of if the name is none. */
const anyone = 'explorer';

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
  return base.length < 3 ? anyone : base;
}

/**
 * Usernames to try in turn: the base itself, then with ever longer numbers, then a neutral one: a name that could pass for an
 * official one, such as `admin`, is rejected with any number.
 */
function* usernameCandidates(name: string): Generator<string> {
  const base = usernameBase(name);
  if (base !== anyone) yield base;
  for (const start of new Set([base, anyone])) {
    for (let digits = 2; digits <= 6; digits += 1) {
      for (let attempt = 0; attempt < 3; attempt += 1)
        yield `${start}-${randomInt(10 ** (digits - 1), 10 ** digits)}`;
    }
  }
}

/**
 * Sign-in at another site: a redirect there, and back with a one-time code for the page that started it. Whose redirect it
 * is, is in a sealed cookie: the other site gets neither the account to link nor an invitation.
 */
export function createRedirectSignIn(deps: RedirectSignInDeps): RedirectSignIn {
  const { name, title, startPath, callbackPath, provider, field, links, linkCookie, linkFragment } = deps;
  const { logger, accounts, codes, loginCookie, hashKey, clock, publicUrl, register, mailLanguageOf } = deps;
  const cookie = createSealedCookie(
    { name: `wayquest-${name}`, path: startPath, lifetimeMs: signInWithinMs, hashKey, clock },
    SignInState,
  );

  const redirect = (response: Response, to: string) =>
    response.set('cache-control', 'no-store').redirect(302, to);

  const configFor = (request: Request) => {
    const origin = originOf(request, publicUrl);
    if (provider && !origin) logger.warn(`${title} sign-in needs PUBLIC_URL where this is not localhost`);
    return provider && origin ? { provider, callbackUrl: origin + callbackPath } : undefined;
  };
  type Config = NonNullable<ReturnType<typeof configFor>>;
  const isSecure = ({ callbackUrl }: Config) => ({ secure: callbackUrl.startsWith('https:') });

  /** Returns the provider's URL, and sets the cookie that binds the callback to this browser. */
  const begin = async (
    config: Config,
    response: Response,
    purpose: Pick<z.infer<typeof SignInState>, 'links' | 'invitation'>,
  ) => {
    const started = { state: randomText(), verifier: randomText(), nonce: randomText() };
    const url = await config.provider.signInUrl({ ...started, callbackUrl: config.callbackUrl });
    cookie.set(response, { ...started, ...purpose }, isSecure(config));
    return url;
  };

  const createAccount = async (identity: Identity, waiting?: Waiting): Promise<SignedIn> => {
    for (const username of usernameCandidates(identity.name)) {
      const known = await accounts.findByIdentity(field, identity.id);
      if (known) return { account: known, isNew: false };
      try {
        const account = await accounts.register({
          ...{ username, ...identityFields(field, identity.id) },
          ...(waiting && { waiting }),
        });
        return { account, isNew: true };
      } catch (error) {
        if (!isProblem(error, 'username-taken')) throw error;
      }
    }
    throw new Problem('username-taken');
  };

  /** The account of an identity, created if there is none. An e-mail address never links anything. */
  const accountOf = async (identity: Identity, visitor: NewPerson): Promise<SignedIn> => {
    const known = await accounts.findByIdentity(field, identity.id);
    if (known) return { account: known, isNew: false };
    return register(visitor, (waiting) => createAccount(identity, waiting));
  };

  /** Where the callback redirects the browser. */
  const complete = async (
    config: Config,
    identity: Identity,
    exchange: Exchange,
    { links: accountId, invitation }: z.infer<typeof SignInState>,
  ) => {
    const { response } = exchange;
    const binding = randomText();
    if (accountId !== undefined) {
      linkCookie.set(response, { binding }, isSecure(config));
      const code = await codes.createForLink(accountId, identityFields(field, identity.id), binding);
      return `/settings#${linkFragment}=${code}`;
    }
    const { account, isNew } = await accountOf(identity, {
      invitation,
      language: mailLanguageOf(exchange),
    });
    if (identity.admin !== undefined) await accounts.setAdmin(account._id, identity.admin);
    loginCookie.set(response, { binding }, isSecure(config));
    return `/login#code=${await codes.create(account._id, binding)}${isNew ? '&new=1' : ''}`;
  };

  return {
    async start({ request, response }: Exchange, invitation?: string) {
      const config = configFor(request);
      if (!config) return void redirect(response, `/login#problem=${name}-not-set-up`);
      try {
        redirect(response, await begin(config, response, { invitation }));
      } catch (error) {
        logger.warn({ err: error }, `a sign-in with ${title} could not be started`);
        redirect(response, `/login#problem=${name}-failed`);
      }
    },

    async finish(exchange: Exchange) {
      const { request, response } = exchange;
      const config = configFor(request);
      if (!config) return void redirect(response, `/login#problem=${name}-not-set-up`);
      const started = cookie.consume(request, response);
      const { state, code } = request.query;
      try {
        if (!started || state !== started.state) throw new Error('this browser started no such sign-in');
        if (typeof code !== 'string' || !code) throw new Error(`${title} sent no code`);
        const signIn = { ...started, callbackUrl: config.callbackUrl };
        const identity = await config.provider.identify(signIn, exchange);
        redirect(response, await complete(config, identity, exchange, started));
      } catch (error) {
        const rejection = rejections.find((problem) => isProblem(error, problem));
        if (rejection) return void redirect(response, `/login#problem=${rejection}`);
        logger.warn({ err: error }, `a sign-in with ${title} failed`);
        redirect(response, `${started?.links === undefined ? '/login' : '/settings'}#problem=${name}-failed`);
      }
    },

    async startLink(request: WithPassword, exchange: Exchange) {
      const config = configFor(exchange.request);
      if (!config) throw new Problem('not-configured');
      const accountId = await links.begin(ownershipProofOf(request, request.body.currentPassword));
      return { location: await begin(config, exchange.response, { links: accountId }) };
    },

    async finishLink({ body, caller, address }, exchange: Exchange) {
      const binding = linkCookie.consume(exchange.request, exchange.response)?.binding;
      const language = mailLanguageOf(exchange);
      await links.finish({ code: body.code, binding }, { callerId: caller.id, address, language });
      return undefined;
    },

    async unlink(request: WithPassword, exchange: Exchange) {
      await links.unlink(ownershipProofOf(request, request.body.currentPassword), mailLanguageOf(exchange));
      return undefined;
    },
  };
}
