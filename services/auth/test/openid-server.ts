import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { errors, Provider } from 'oidc-provider';
import type { OpenIdConfig } from '../src/index.ts';
import { claimsOf, openCookieBrowser, password, type RunningAuth } from './auth-service.ts';

/** A person with an account of the provider. */
export interface OpenIdPerson {
  sub: string;
  name?: string;
  preferred_username?: string;
  email?: string;
  groups?: string[];
}

export interface OpenIdServer {
  /** Settings of the auth service. */
  config: OpenIdConfig;
  /** The person who logs in. */
  person: OpenIdPerson;
  /** Whether it accepts requests without ever responding. */
  isHanging: boolean;
  /** Paths of the requests that it received. */
  requested: string[];
  /** Why it rejected requests for tokens. */
  rejections: string[];
  /** Stops listening; `resume` listens on the same port again. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  stop(): Promise<void>;
}

export const someone = (person: Partial<OpenIdPerson> = {}): OpenIdPerson => ({
  sub: randomUUID(),
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  ...person,
});

/**
 * Starts a certified OpenID Connect provider, whose people log in and consent without being asked. It warns of Node 20, which
 * it is not tested with, and of its store, which is in memory.
 */
export async function startOpenIdServer(): Promise<OpenIdServer> {
  const people = new Map<string, OpenIdPerson>();
  const server = createServer();
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const close = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;

  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'the-client',
        client_secret: 'the-secret',
        // Replaced below, since services listen on any port.
        redirect_uris: ['https://wayquest.example/auth/openid/callback'],
        token_endpoint_auth_method: 'client_secret_basic',
      },
    ],
    claims: {
      openid: ['sub'],
      profile: ['name', 'preferred_username'],
      email: ['email'],
      groups: ['groups'],
    },
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
    cookies: { keys: [randomUUID()] },
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, accountId) => ({
      accountId,
      claims: () => ({ ...people.get(accountId), sub: accountId }),
    }),
    async loadExistingGrant({ oidc }) {
      const grant = new provider.Grant({
        clientId: oidc.client?.clientId,
        accountId: oidc.session?.accountId,
      });
      grant.addOIDCScope('openid profile email groups');
      await grant.save();
      return grant;
    },
  });
  provider.Client.prototype.redirectUriAllowed = (uri: string) => uri.endsWith('/auth/openid/callback');
  provider.on('grant.error', (_, error: unknown) => {
    if (error instanceof errors.OIDCProviderError) fake.rejections.push(error.message);
  });
  const handle = provider.callback();
  server.on('request', (request, response) => {
    fake.requested.push(new URL(request.url ?? '', issuer).pathname);
    if (fake.isHanging) return;
    if (!request.url?.startsWith('/interaction/')) return void handle(request, response);
    people.set(fake.person.sub, fake.person);
    void provider.interactionFinished(request, response, { login: { accountId: fake.person.sub } });
  });

  const fake: OpenIdServer = {
    config: { issuer, clientId: 'the-client', clientSecret: 'the-secret', signUp: true },
    person: someone(),
    isHanging: false,
    requested: [],
    rejections: [],
    pause: close,
    resume: () => listen(port),
    async stop() {
      if (server.listening) await close();
    },
  };
  return fake;
}

/** A browser of somebody who has an account of the provider. */
export function openBrowser(auth: Pick<RunningAuth, 'url'>, server: OpenIdServer) {
  const { cookies, client, go: goTo } = openCookieBrowser(auth);
  /** Requests a URL; returns where it redirects. The provider redirects by paths. */
  const go = async (url: string) => {
    const location = await goTo(url);
    return url.startsWith(server.config.issuer) ? new URL(location, url).href : location;
  };
  /** Logs in at the provider; returns the URL that it redirects to. */
  const consent = async (location: string, person = someone()) => {
    server.person = person;
    let next = location;
    while (next.startsWith(server.config.issuer)) next = await go(next);
    return next;
  };
  const start = () => go(`${auth.url}/auth/openid`);
  /** Signs in; returns the page of the web app that the browser is redirected to. */
  const signIn = async (person?: OpenIdPerson) => go(await consent(await start(), person));
  /** Exchanges the one-time code in that page's address. */
  const exchange = (page: string) =>
    client.exchangeLoginCode({ body: { code: new URLSearchParams(page.split('#')[1]).get('code') ?? '' } });
  return {
    ...{ cookies, client, go, consent, start, signIn, exchange },
    /** Signs in and exchanges the code; returns the session. */
    async logIn(person?: OpenIdPerson) {
      const { token } = await exchange(await signIn(person));
      const { sub, ...claims } = claimsOf(token);
      return { token, id: Number(sub), ...claims };
    },
    /** Starts linking; returns the URL that the provider redirects to. */
    async visitForLink({ token }: { token: string }, person?: OpenIdPerson, currentPassword = password) {
      const { location } = await client.startOpenIdLink({ body: { currentPassword } }, { token });
      return consent(location, person);
    },
  };
}

/** The code for linking in the address of the settings. */
export const linkCodeIn = (page: string): string => {
  expect(page).toMatch(/^\/settings#openid-link=[\w-]{43}$/);
  return page.split('=')[1] ?? '';
};
