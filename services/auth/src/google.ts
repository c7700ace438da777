import { operations } from '@wayquest/contracts';
import type { HttpApp } from '@wayquest/platform/http';
import type { BindingCookies } from './cookies.ts';
import { type GoogleConfig, googleSignInUrl, profileFromGoogle } from './google-strategy.ts';
import type { IdentityLinks } from './identity-links.ts';
import {
  createRedirectSignIn,
  randomText,
  type SignInDeps,
  type SignInProvider,
} from './redirect-sign-in.ts';
import type { Registration } from './registration.ts';

export interface GoogleDeps extends SignInDeps {
  registration: Registration;
  links: IdentityLinks;
  bindings: BindingCookies;
  google: GoogleConfig | undefined;
}

const googleProvider = (config: GoogleConfig): SignInProvider => ({
  signInUrl: async (signIn) => googleSignInUrl(config, signIn),
  async identify(signIn, exchange) {
    const { id, displayName } = await profileFromGoogle({ config, signIn, ...exchange });
    if (!id) throw new Error('Google returned no subject id');
    return { id, name: displayName ?? '' };
  },
});

/** Sign-in with Google: a redirect there, and back with a one-time code for the page that started it. */
export function googleRoutes(http: HttpApp, { google, registration, bindings, ...deps }: GoogleDeps): void {
  const signIn = createRedirectSignIn({
    ...deps,
    ...{ name: 'google', title: 'Google', field: 'googleId', linkFragment: 'link' },
    startPath: operations.startGoogleLogin.path,
    callbackPath: operations.finishGoogleLogin.path,
    provider: google && googleProvider(google),
    linkCookie: bindings.googleLink,
    // A sign-in is not repeated. Its person is no claimant: they could unlink Google, and then create another account.
    register: (visitor, create) => registration.register({ ...visitor, id: randomText() }, create),
  });
  http.serveNavigation(operations.startGoogleLogin, ({ query }, exchange) =>
    signIn.start(exchange, query.invitation),
  );
  http.serveNavigation(operations.finishGoogleLogin, (_, exchange) => signIn.finish(exchange));
  http.serve(operations.startGoogleLink, signIn.startLink);
  http.serve(operations.finishGoogleLink, signIn.finishLink);
  http.serve(operations.unlinkGoogle, signIn.unlink);
}
