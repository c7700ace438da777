import { operations } from '@wayquest/contracts';
import { Problem } from '@wayquest/platform/core';
import type { HttpApp } from '@wayquest/platform/http';
import type { BindingCookies } from './cookies.ts';
import type { IdentityLinks } from './identity-links.ts';
import { createOpenIdProvider, type OpenIdConfig } from './openid-provider.ts';
import { createRedirectSignIn, type SignInDeps } from './redirect-sign-in.ts';

export interface OpenIdDeps extends SignInDeps {
  links: IdentityLinks;
  bindings: BindingCookies;
  openId: OpenIdConfig | undefined;
}

/** Sign-in with OpenID Connect: a redirect to the provider, and back with a one-time code for the page that started it. */
export function openIdRoutes(http: HttpApp, { openId, bindings, ...deps }: OpenIdDeps): void {
  const signIn = createRedirectSignIn({
    ...deps,
    ...{ name: 'openid', title: 'OpenID Connect', field: 'openId', linkFragment: 'openid-link' },
    startPath: operations.startOpenIdLogin.path,
    callbackPath: operations.finishOpenIdLogin.path,
    provider: openId && createOpenIdProvider(openId, deps.clock),
    linkCookie: bindings.openIdLink,
    // The provider is a door of its own, whoever else can create an account.
    async register(_, create) {
      if (!openId?.signUp) throw new Problem('openid-not-linked');
      return create();
    },
  });
  http.serveNavigation(operations.startOpenIdLogin, (_, exchange) => signIn.start(exchange));
  http.serveNavigation(operations.finishOpenIdLogin, (_, exchange) => signIn.finish(exchange));
  http.serve(operations.startOpenIdLink, signIn.startLink);
  http.serve(operations.finishOpenIdLink, signIn.finishLink);
  http.serve(operations.unlinkOpenId, signIn.unlink);
}
