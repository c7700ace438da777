import { createHash } from 'node:crypto';
import { startTimeout } from '@wayquest/contracts';
import type { Request, Response } from 'express';
import passport from 'passport';
import { type Profile, Strategy } from 'passport-google-oauth20';

export interface GoogleConfig {
  clientId: string;
  clientSecret: string;
  /** Google's URLs, unless replaced by a fake. */
  authorizationUrl?: string;
  tokenUrl?: string;
  userProfileUrl?: string;
}

/** The data of one sign-in: `state` binds the callback to this browser, `verifier` the code to this sign-in. */
export interface GoogleSignIn {
  state: string;
  verifier: string;
  callbackUrl: string;
}

const scope = ['openid', 'profile'];

/** Google's strategy with PKCE (RFC 7636); the caller stores the verifier, not a session. */
class PkceStrategy extends Strategy {
  readonly verifier: string;

  constructor(
    { clientId, clientSecret, authorizationUrl, tokenUrl, userProfileUrl }: GoogleConfig,
    { verifier, callbackUrl }: GoogleSignIn,
    onProfile: (profile: Profile) => void,
  ) {
    super(
      {
        clientID: clientId,
        clientSecret,
        callbackURL: callbackUrl,
        scope,
        authorizationURL: authorizationUrl,
        tokenURL: tokenUrl,
        userProfileURL: userProfileUrl,
      },
      (_accessToken, _refreshToken, profile, done) => {
        onProfile(profile);
        done(null, {});
      },
    );
    this.verifier = verifier;
    // Otherwise the access token would be part of a URL, and in logs.
    this._oauth2.useAuthorizationHeaderforGET(true);
  }

  override authorizationParams(options: unknown): object {
    const code_challenge = createHash('sha256').update(this.verifier).digest('base64url');
    return { ...super.authorizationParams(options), code_challenge, code_challenge_method: 'S256' };
  }

  override tokenParams(options: unknown): object {
    return { ...super.tokenParams(options), code_verifier: this.verifier };
  }

  /** The URL to redirect a browser to. */
  address({ state, callbackUrl }: GoogleSignIn): string {
    return this._oauth2.getAuthorizeUrl({
      ...this.authorizationParams({ prompt: 'select_account' }),
      ...{ response_type: 'code', redirect_uri: callbackUrl, scope: scope.join(' '), state },
    });
  }
}

const responseTimeoutMs = 10_000;

/** Google's sign-in URL. */
export function googleSignInUrl(config: GoogleConfig, signIn: GoogleSignIn): string {
  return new PkceStrategy(config, signIn, () => {}).address(signIn);
}

/** A request of Google's callback. */
export interface GoogleCallback {
  config: GoogleConfig;
  signIn: GoogleSignIn;
  request: Request;
  response: Response;
}

/** Exchanges the code in the request for the person's profile. Rejects if Google does not respond with one in time. */
export function profileFromGoogle({ config, signIn, request, response }: GoogleCallback): Promise<Profile> {
  return new Promise((resolve, reject) => {
    const cancelTimeout = startTimeout(responseTimeoutMs, () =>
      reject(new Error('Google did not respond in time')),
    );
    const strategy = new PkceStrategy(config, signIn, resolve);
    const onAuthenticate = (error: unknown, user: unknown, info: unknown) => {
      cancelTimeout();
      if (!user) reject(error ?? new Error('Google rejected the sign-in', { cause: info }));
    };
    passport.authenticate(strategy, { session: false }, onAuthenticate)(request, response, reject);
  });
}
