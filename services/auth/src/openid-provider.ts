import { startTimeout } from '@wayquest/contracts';
import type { Clock } from '@wayquest/platform/async';
import { Problem } from '@wayquest/platform/core';
import * as client from 'openid-client';
import { z } from 'zod';
import type { Identity, SignInProvider } from './redirect-sign-in.ts';

export interface OpenIdConfig {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** What people call the provider. */
  name?: string | undefined;
  /** Whether a first sign-in creates an account. */
  signUp: boolean;
  /** The group whose members are admins. Without it sign-ins change nobody's rights. */
  adminGroup?: string | undefined;
  /** How long one step at the provider may take, in milliseconds. */
  timeoutMs?: number;
}

/** A callback has two steps at most, and the gateway waits 10 s for a response. */
const defaultTimeoutMs = 4_000;

/** For how long the provider's addresses are used without asking for them again. */
const discoveryMs = 60 * 60 * 1_000;

/** The claims that are used; a malformed one counts as absent. */
const Claims = z.object({
  iss: z.string(),
  sub: z.string().min(1),
  preferred_username: z.string().optional().catch(undefined),
  name: z.string().optional().catch(undefined),
  groups: z
    .union([z.array(z.string()), z.string().transform((group) => [group])])
    .optional()
    .catch(undefined),
});

/** An OpenID Connect provider, found by its issuer when somebody first signs in there. */
export function createOpenIdProvider(
  { issuer, clientId, clientSecret, adminGroup, timeoutMs = defaultTimeoutMs }: OpenIdConfig,
  clock: Clock,
): SignInProvider {
  /** What providers support without saying so is Basic (OpenID Connect Discovery 1.0, section 3). */
  const authenticate: client.ClientAuth = (server, ...call) => {
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server;
    const method = methods.includes('client_secret_basic')
      ? client.ClientSecretBasic
      : client.ClientSecretPost;
    method(clientSecret)(server, ...call);
  };

  const inTime = <T>(work: Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      const cancel = startTimeout(timeoutMs, () =>
        reject(new Error(`${issuer} did not respond within ${timeoutMs} ms`)),
      );
      work.then(resolve, reject).finally(cancel);
    });

  const discover = () =>
    client.discovery(new URL(issuer), clientId, undefined, authenticate, {
      execute: [
        // The settings allow http for this machine only.
        ...(issuer.startsWith('http:') ? [client.allowInsecureRequests] : []),
        // Verifies the signatures of ID tokens, too, which the library leaves to TLS.
        client.enableNonRepudiationChecks,
      ],
    });

  let found: { config: Promise<client.Configuration>; until: number } | undefined;
  /** Asks the provider once for all concurrent sign-ins, and again after a failure. */
  const configuration = (): Promise<client.Configuration> => {
    if (found && found.until > clock.now()) return found.config;
    const config = inTime(discover());
    found = { config, until: clock.now() + discoveryMs };
    config.catch(() => {
      if (found?.config === config) found = undefined;
    });
    return config;
  };

  /** The claims of an ID token and, where the provider has them there only, of its user information. */
  const claimsOf = async (
    config: client.Configuration,
    tokens: client.TokenEndpointResponse & client.TokenEndpointResponseHelpers,
  ) => {
    const claims = tokens.claims();
    if (!claims) throw new Error('the provider sent no ID token');
    const hasUserInfo = config.serverMetadata().userinfo_endpoint !== undefined;
    const userInfo = hasUserInfo && (await client.fetchUserInfo(config, tokens.access_token, claims.sub));
    return Claims.parse({ ...userInfo, ...claims });
  };

  return {
    async signInUrl({ state, verifier, nonce, callbackUrl }) {
      try {
        const config = await configuration();
        const { scopes_supported: scopes = [] } = config.serverMetadata();
        const url = client.buildAuthorizationUrl(config, {
          redirect_uri: callbackUrl,
          // Providers reject a scope that they do not know.
          scope: adminGroup && scopes.includes('groups') ? 'openid profile groups' : 'openid profile',
          ...{ state, nonce, code_challenge_method: 'S256' },
          code_challenge: await client.calculatePKCECodeChallenge(verifier),
        });
        return url.href;
      } catch (error) {
        throw new Problem('openid-unavailable', { cause: error });
      }
    },

    async identify({ state, verifier, nonce, callbackUrl }, { request }): Promise<Identity> {
      const config = await configuration();
      const url = new URL(callbackUrl);
      url.search = new URL(request.originalUrl, callbackUrl).search;
      const checks = { expectedState: state, pkceCodeVerifier: verifier, expectedNonce: nonce };
      const exchange = async () => claimsOf(config, await client.authorizationCodeGrant(config, url, checks));
      const { iss, sub, name = '', preferred_username, groups = [] } = await inTime(exchange());
      return {
        id: `${iss} ${sub}`,
        // Some providers have an e-mail address there, and a username is public.
        name: preferred_username?.split('@')[0] || name,
        ...(adminGroup && { admin: groups.includes(adminGroup) }),
      };
    },
  };
}
