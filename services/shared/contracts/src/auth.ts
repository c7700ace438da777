import { z } from 'zod';
import { operation } from './operation.ts';
import { freeText, Id, Timestamp } from './primitives.ts';
import { textLimits } from './text.ts';

/** 3–30 letters, digits, dots, underscores and hyphens; unique without regard to case. */
export const Username = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9._-]{3,30}$/, 'must have 3 to 30 letters, digits, dots, underscores or hyphens');

export const Password = z.string().min(8, 'must have at least 8 characters').max(textLimits.password);

/**
 * Who can create an account: everybody, everybody whom an admin approves, who has an invitation, or nobody. An invitation takes the
 * place of the approval.
 */
export const RegistrationMode = z.enum(['open', 'approval', 'invitation', 'closed']);
export type RegistrationMode = z.infer<typeof RegistrationMode>;

/** Who can log in with a password: everybody who has one, or only admins, as a way back. */
export const PasswordLogin = z.enum(['on', 'off']);
export type PasswordLogin = z.infer<typeof PasswordLogin>;

/** Sign-in at an OpenID Connect provider, for pages that offer it. */
const OpenIdOffer = z
  .object({
    name: z.string().optional().meta({ description: 'What people call it; absent if it has no name.' }),
    signUp: z.boolean().meta({
      description: 'Whether a first sign-in creates an account, whoever else can create one.',
    }),
  })
  .meta({ id: 'OpenIdOffer' });

const InvitationCode = z.string().trim().max(textLimits.invitation).meta({
  description:
    'The code of an invitation. Required where only invited people can create an account; where others wait for approval, its account does not.',
});

/** Any text: a malformed username or password is simply a failed login. */
const Credentials = z
  .object({
    username: z.string().max(textLimits.loginName),
    password: z.string().max(textLimits.currentPassword),
  })
  .meta({ id: 'Credentials' });

/** The token goes into the `authorization` header, as it is or behind `Bearer `. */
export const Session = z
  .object({
    token: z.string(),
    deletionCanceled: z.literal(true).optional().meta({
      description: 'The account was scheduled for deletion; logging in canceled that.',
    }),
  })
  .meta({ id: 'Session' });

/** An active session of the caller: one valid token. It contains no location. */
export const ActiveSession = z
  .object({
    id: z.uuid(),
    browser: z.string().meta({ description: 'From the User-Agent, such as Firefox; empty if unknown.' }),
    system: z.string().meta({ description: 'From the User-Agent, such as Android; empty if unknown.' }),
    since: Timestamp,
    current: z.boolean().meta({ description: 'Whether this call uses it.' }),
  })
  .meta({ id: 'OpenSession' });
export type ActiveSession = z.infer<typeof ActiveSession>;

/** The claims of a token (RS256 JWT, RFC 7519), after verification. */
export const TokenClaims = z.object({
  sub: z.string().transform(Number).pipe(Id),
  username: z.string(),
  admin: z.boolean(),
  jti: z.string(),
  iat: z
    .number()
    .meta({ description: 'Issued at, in seconds with fractions: a revocation can fall within a second.' }),
  exp: z.number(),
  generation: z.int().nonnegative().optional().meta({
    description:
      'How often all tokens of the account had been revoked when this one was issued. Absent in older tokens, which count as 0.',
  }),
  registeredAt: z.number().optional().meta({
    description: 'When the account was created, in seconds. Absent for older accounts.',
  }),
});
export type TokenClaims = z.infer<typeof TokenClaims>;

const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';

/**
 * An e-mail address: what browsers take in `<input type="email">` (HTML standard), with the dots where mail servers want them
 * (RFC 5322, dot-atom) and a domain of two labels at least. A browser sends an international domain in Punycode, which can be
 * a top-level domain, too. The mail that confirms it decides the rest.
 */
export const emailAddress = (maxLength: number) =>
  z
    .email({
      pattern: new RegExp(`^${atom}(?:\\.${atom})*@${label}(?:\\.${label})+$`),
      error: 'must be an email address',
    })
    .max(maxLength);

/** An account's e-mail address. */
export const Email = emailAddress(textLimits.email);

const NewCredentials = z
  .object({
    username: Username,
    password: Password,
    invitation: InvitationCode.optional(),
    email: Email.optional().meta({
      description:
        'Where the account waits for approval: where to write once it is approved, with a link that confirms the address. Ignored elsewhere.',
    }),
  })
  .meta({ id: 'NewCredentials' });

/** The current password, required when a session is not fresh and the account has one. */
export const CurrentPassword = z.string().max(textLimits.currentPassword).optional();

/** The secret of a link in an e-mail. */
const LinkToken = z.string().min(1).max(200);

/** The caller's account settings, visible to the caller only. */
export const Account = z
  .object({
    email: z.string().meta({
      description: 'The confirmed e-mail address, to which links are sent; empty if there is none.',
    }),
    hasPassword: z.boolean().meta({
      description:
        'Whether the account has a password that it can be used with. False where only admins log in with one.',
    }),
    deletionGraceDays: z.int().optional().meta({
      description: 'How many days a login can cancel the deletion of the account. Absent in older versions.',
    }),
    google: z.enum(['linked', 'not-linked', 'not-configured']).optional().meta({
      description: 'Whether a Google account is linked. Absent in older versions.',
    }),
    openId: z.enum(['linked', 'not-linked', 'not-configured']).optional().meta({
      description: 'Whether an account of the OpenID Connect provider is linked. Absent in older versions.',
    }),
  })
  .meta({ id: 'Account' });
export type Account = z.infer<typeof Account>;

/** A public key that tokens are verified with (RFC 7517). */
const PublicKey = z
  .object({
    kty: z.literal('RSA'),
    n: z.string(),
    e: z.string(),
    kid: z.string().meta({ description: 'The key id in tokens: its thumbprint (RFC 7638).' }),
    alg: z.literal('RS256'),
    use: z.literal('sig'),
  })
  .meta({ id: 'PublicKey' });

/** Problems of operations that require re-authentication. */
export const reauthenticationProblems = [
  'unauthenticated',
  'password-required',
  'reauthentication-required',
  'invalid-credentials',
  'too-many-attempts',
] as const;

/** Problems of operations that create an account. */
export const registrationProblems = [
  'registration-closed',
  'registration-full',
  'invitation-required',
  'invitation-invalid',
] as const;

export const authOperations = {
  getRegistration: operation({
    service: 'auth',
    method: 'GET',
    path: '/auth/registration',
    access: 'public',
    summary: 'Get who can create an account here, and which ways to log in there are',
    status: [200],
    response: z.object({
      registration: RegistrationMode,
      openId: OpenIdOffer.nullable().optional().meta({
        description: 'Sign-in with OpenID Connect; null if it is not configured. Absent in older versions.',
      }),
      passwordLogin: PasswordLogin.optional().meta({
        description: '`off` if only admins log in with a password. Absent in older versions.',
      }),
    }),
    problems: [],
  }),
  signup: operation({
    service: 'auth',
    method: 'POST',
    path: '/auth/signup',
    access: 'public',
    creates: true,
    summary:
      'Create an account and log in. Where accounts need approval, the account is created and the response is the problem `account-waiting`',
    body: NewCredentials,
    status: [200],
    response: Session,
    problems: [
      'username-taken',
      ...registrationProblems,
      'account-waiting',
      'password-login-off',
      'too-many-attempts',
    ],
    plainTextErrors: true,
  }),
  login: operation({
    service: 'auth',
    method: 'POST',
    path: '/auth/login',
    access: 'public',
    summary: 'Log in by username and password',
    body: Credentials,
    status: [200],
    response: Session,
    problems: [
      'invalid-credentials',
      'account-waiting',
      'password-login-off',
      'suspended',
      'too-many-attempts',
    ],
    plainTextErrors: true,
  }),
  appealSuspension: operation({
    service: 'auth',
    method: 'POST',
    path: '/auth/appeal',
    access: 'public',
    summary:
      'Appeal once against a suspension. A suspended person has no session: the password authenticates them or, without a username, the cookie of a login without a password that was rejected for the suspension, once and within ten minutes',
    body: Credentials.partial().extend({
      comment: freeText(textLimits.report).min(1, 'must not be empty'),
    }),
    status: [204],
    problems: ['invalid-credentials', 'invalid-code', 'nothing-to-appeal', 'too-many-attempts'],
  }),
  logout: operation({
    service: 'auth',
    method: 'POST',
    path: '/auth/logout',
    access: 'member',
    summary: 'Log out: revoke the token of this call',
    status: [204],
    problems: ['unauthenticated'],
  }),
  listSessions: operation({
    service: 'auth',
    method: 'GET',
    path: '/auth/sessions',
    access: 'member',
    summary: 'List the caller’s sessions, newest first, at most 100',
    status: [200],
    response: z.array(ActiveSession),
    problems: ['unauthenticated'],
  }),
  endSession: operation({
    service: 'auth',
    method: 'DELETE',
    path: '/auth/sessions/{id}',
    access: 'owner',
    summary: 'End one session of the caller',
    params: z.object({ id: z.uuid() }),
    status: [204],
    problems: ['unauthenticated', 'forbidden', 'session-not-found'],
  }),
  endSessions: operation({
    service: 'auth',
    method: 'DELETE',
    path: '/auth/sessions',
    access: 'member',
    summary: 'End all sessions of the caller, including the current one',
    status: [204],
    problems: ['unauthenticated'],
  }),
  changePassword: operation({
    service: 'auth',
    method: 'PUT',
    path: '/auth/password',
    access: 'member',
    summary:
      'Change the password; all older tokens of the account are revoked, and the response contains a new one',
    body: z.object({ currentPassword: CurrentPassword, newPassword: Password }),
    status: [200],
    response: Session,
    problems: [...reauthenticationProblems, 'password-login-off'],
  }),
  getAccount: operation({
    service: 'auth',
    method: 'GET',
    path: '/auth/account',
    access: 'member',
    summary: 'Get the caller’s login and recovery methods',
    status: [200],
    response: Account,
    problems: ['unauthenticated'],
  }),
  deleteAccount: operation({
    service: 'auth',
    method: 'POST',
    path: '/auth/deletion',
    access: 'member',
    summary: 'End all sessions and schedule the deletion of the account; a login before that cancels it',
    body: z.object({ currentPassword: CurrentPassword }),
    status: [200],
    response: z.object({ deletesAt: Timestamp.meta({ description: 'Until then a login cancels it.' }) }),
    problems: reauthenticationProblems,
  }),
  startGoogleLink: operation({
    service: 'auth',
    method: 'POST',
    path: '/auth/google/link',
    access: 'member',
    summary: 'Start linking a Google account: navigate to the returned URL',
    body: z.object({ currentPassword: CurrentPassword }),
    status: [200],
    response: z.object({ location: z.string() }),
    problems: [...reauthenticationProblems, 'not-configured'],
  }),
  finishGoogleLink: operation({
    service: 'auth',
    method: 'PUT',
    path: '/auth/google',
    access: 'member',
    summary: 'Link the Google account of a one-time code',
    body: z.object({ code: z.string().min(1).max(200) }),
    status: [204],
    problems: ['unauthenticated', 'invalid-code', 'google-in-use', 'too-many-attempts'],
  }),
  unlinkGoogle: operation({
    service: 'auth',
    method: 'POST',
    path: '/auth/google/unlink',
    access: 'member',
    summary: 'Unlink the Google account; rejected if it is the only login method',
    body: z.object({ currentPassword: CurrentPassword }),
    status: [204],
    problems: [...reauthenticationProblems, 'last-login-method'],
  }),
  startOpenIdLink: operation({
    service: 'auth',
    method: 'POST',
    path: '/auth/openid/link',
    access: 'member',
    summary: 'Start linking an account of the OpenID Connect provider: navigate to the returned URL',
    body: z.object({ currentPassword: CurrentPassword }),
    status: [200],
    response: z.object({ location: z.string() }),
    problems: [...reauthenticationProblems, 'not-configured', 'openid-unavailable'],
  }),
  finishOpenIdLink: operation({
    service: 'auth',
    method: 'PUT',
    path: '/auth/openid',
    access: 'member',
    summary: 'Link the account of the OpenID Connect provider of a one-time code',
    body: z.object({ code: z.string().min(1).max(200) }),
    status: [204],
    problems: ['unauthenticated', 'invalid-code', 'openid-in-use', 'too-many-attempts'],
  }),
  unlinkOpenId: operation({
    service: 'auth',
    method: 'POST',
    path: '/auth/openid/unlink',
    access: 'member',
    summary: 'Unlink the account of the OpenID Connect provider; rejected if it is the only login method',
    body: z.object({ currentPassword: CurrentPassword }),
    status: [204],
    problems: [...reauthenticationProblems, 'last-login-method'],
  }),
  changeEmail: operation({
    service: 'auth',
    method: 'PUT',
    path: '/auth/email',
    access: 'member',
    summary:
      'Send a confirmation link to a new e-mail address, or remove the account’s; PUT /auth/me calls this first',
    body: z.object({ email: z.union([z.literal(''), Email]), currentPassword: CurrentPassword }),
    status: [204],
    problems: reauthenticationProblems,
  }),
  confirmEmail: operation({
    service: 'auth',
    method: 'POST',
    path: '/auth/email/confirm',
    access: 'public',
    summary: 'Confirm an e-mail address with its link',
    body: z.object({ token: LinkToken }),
    status: [204],
    problems: ['invalid-link', 'too-many-attempts'],
  }),
  forgotPassword: operation({
    service: 'auth',
    method: 'POST',
    path: '/auth/forgot',
    access: 'public',
    summary: 'Send a password reset link, if an account has the e-mail address',
    body: z.object({ email: Email }),
    status: [204],
    problems: ['password-login-off', 'too-many-attempts'],
  }),
  getResetLink: operation({
    service: 'auth',
    method: 'POST',
    path: '/auth/reset/account',
    access: 'public',
    summary: 'Get the username of the account that a password reset link is for, without using up the link',
    body: z.object({ token: LinkToken }),
    status: [200],
    response: z.object({ username: Username }),
    problems: ['invalid-link', 'too-many-attempts'],
  }),
  resetPassword: operation({
    service: 'auth',
    method: 'POST',
    path: '/auth/reset',
    access: 'public',
    summary: 'Reset the password with a link; all tokens of the account are revoked',
    body: z.object({ token: LinkToken, password: Password }),
    status: [204],
    problems: ['invalid-link', 'password-login-off', 'too-many-attempts'],
  }),
  changeUsername: operation({
    service: 'auth',
    method: 'PUT',
    path: '/auth/username',
    access: 'member',
    summary: 'Change the caller’s username; PUT /auth/me calls this first',
    body: z.object({ username: Username, currentPassword: CurrentPassword }),
    status: [200],
    response: z.object({ id: Id, username: Username, version: z.int(), changedAt: Timestamp }),
    problems: [...reauthenticationProblems, 'username-taken'],
  }),
  getPublicKeys: operation({
    service: 'auth',
    method: 'GET',
    path: '/.well-known/jwks.json',
    access: 'public',
    summary:
      'Get the public keys that tokens are verified with; fetch again for a token with an unknown key id',
    status: [200],
    response: z.object({ keys: z.array(PublicKey) }),
    problems: [],
  }),
  startGoogleLogin: operation({
    service: 'auth',
    method: 'GET',
    path: '/api/googleOauth',
    access: 'public',
    summary:
      'Redirect to Google to sign in or sign up; the invitation counts if there is no account for the Google account yet',
    query: z.object({ invitation: InvitationCode.optional() }),
    status: [302],
    problems: [],
    navigation: true,
  }),
  finishGoogleLogin: operation({
    service: 'auth',
    method: 'GET',
    path: '/api/googleOauth/callback',
    access: 'public',
    summary:
      'Callback of Google; redirects to /login with a one-time code in the fragment, and `new=1` for a new account, or with a `problem`, or to /settings with a code for linking an account',
    status: [302],
    // Each call is one of the provider's token endpoint.
    problems: ['too-many-attempts'],
    navigation: true,
  }),
  startOpenIdLogin: operation({
    service: 'auth',
    method: 'GET',
    path: '/auth/openid',
    access: 'public',
    summary: 'Redirect to the OpenID Connect provider to sign in or sign up',
    status: [302],
    problems: [],
    navigation: true,
  }),
  finishOpenIdLogin: operation({
    service: 'auth',
    method: 'GET',
    path: '/auth/openid/callback',
    access: 'public',
    summary:
      'Callback of the OpenID Connect provider; redirects as that of Google does, for linking an account with the code in `openid-link`',
    status: [302],
    // Each call is one of the provider's token endpoint.
    problems: ['too-many-attempts'],
    navigation: true,
  }),
  exchangeLoginCode: operation({
    service: 'auth',
    method: 'POST',
    path: '/auth/code',
    access: 'public',
    summary: 'Exchange the one-time code of a sign-in with Google or OpenID Connect for a token',
    body: z.object({ code: z.string().min(1).max(200) }),
    status: [200],
    response: Session,
    problems: ['invalid-code', 'account-waiting', 'suspended', 'too-many-attempts'],
  }),
};
