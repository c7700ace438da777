import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A person with a Google account. */
export interface GooglePerson {
  sub: string;
  name: string;
  email: string;
}

export interface FakeGoogle {
  /** Settings of the auth service. */
  config: Record<'clientId' | 'clientSecret' | 'authorizationUrl' | 'tokenUrl' | 'userProfileUrl', string>;
  /** The person who signs in. */
  person: GooglePerson;
  /** Why token requests were rejected: `client`, `code`, `redirect` or `verifier`. */
  rejections: string[];
  stop(): Promise<void>;
}

/** Starts a fake of Google's servers that enforces OAuth 2.0 with PKCE (RFC 7636). */
export async function startFakeGoogle(): Promise<FakeGoogle> {
  const codes = new Map<string, { person: GooglePerson; challenge: string; redirectUri: string }>();
  const accessTokens = new Map<string, GooglePerson>();

  const respond = (response: ServerResponse, status: number, body: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

  const authorize = (query: URLSearchParams, response: ServerResponse) => {
    const expected = { client_id: 'the-client', response_type: 'code', code_challenge_method: 'S256' };
    const invalid = Object.entries(expected).find(([name, value]) => query.get(name) !== value);
    if (invalid) return respond(response, 400, { error: `wrong ${invalid[0]}` });
    const code = randomUUID();
    const redirectUri = query.get('redirect_uri') ?? '';
    codes.set(code, { person: fake.person, challenge: query.get('code_challenge') ?? '', redirectUri });
    const callback = new URL(redirectUri);
    callback.search = new URLSearchParams({ code, state: query.get('state') ?? '' }).toString();
    return response.writeHead(302, { location: callback.href }).end();
  };

  const rejectionOf = (form: URLSearchParams) => {
    const grant = codes.get(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (form.get('client_id') !== 'the-client' || form.get('client_secret') !== 'the-secret') return 'client';
    if (form.get('grant_type') !== 'authorization_code' || !grant) return 'code';
    if (grant.redirectUri !== form.get('redirect_uri')) return 'redirect';
    return grant.challenge === challenge ? undefined : 'verifier';
  };

  const exchangeCode = async (request: IncomingMessage, response: ServerResponse) => {
    const form = new URLSearchParams(await text(request));
    const rejection = rejectionOf(form);
    const grant = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    if (rejection || !grant) {
      fake.rejections.push(rejection ?? 'code');
      return respond(response, 400, { error: 'invalid_grant', error_description: rejection });
    }
    const accessToken = randomUUID();
    accessTokens.set(accessToken, grant.person);
    return respond(response, 200, { access_token: accessToken, token_type: 'Bearer', expires_in: 3_599 });
  };

  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://google');
    if (pathname === '/auth') return authorize(searchParams, response);
    if (pathname === '/token') return exchangeCode(request, response);
    const person = accessTokens.get(request.headers.authorization?.replace('Bearer ', '') ?? '');
    if (pathname === '/v3/userinfo' && person)
      return respond(response, 200, { ...person, email_verified: true });
    return respond(response, 401, { error: { code: 401, message: 'no such token' } });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const fake: FakeGoogle = {
    config: {
      clientId: 'the-client',
      clientSecret: 'the-secret',
      authorizationUrl: `${origin}/auth`,
      tokenUrl: `${origin}/token`,
      userProfileUrl: `${origin}/v3/userinfo`,
    },
    person: { sub: '', name: '', email: '' },
    rejections: [],
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return fake;
}
