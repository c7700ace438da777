import { z } from 'zod';
import { operation } from './operation.ts';
import { Id, Moment } from './primitives.ts';
import { freeText } from './text.ts';
import { textLimits } from './text-limits.ts';

/** 3–30 letters, digits, dots, underscores and hyphens; unique without regard to case. */
export const Username = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9._-]{3,30}$/, 'must have 3 to 30 letters, digits, dots, underscores or hyphens');

export const Password = z.string().min(8, 'must have at least 8 characters').max(textLimits.password);

const NewCredentials = z.object({ username: Username, password: Password }).meta({ id: 'NewCredentials' });

/** Whatever was typed: a wrong form of it is simply a login that fails. */
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
    deletionUndone: z.literal(true).optional().meta({
      description: 'The account was to be deleted; since its owner is back, it stays.',
    }),
  })
  .meta({ id: 'Session' });

/** Where somebody is logged in: a token of theirs that counts. Nothing of it says from which place. */
export const OpenSession = z
  .object({
    id: z.uuid(),
    browser: z
      .string()
      .meta({ description: 'As it calls itself, such as Firefox; empty if it does not say.' }),
    system: z.string().meta({ description: 'What that runs on, such as Android; empty if it does not say.' }),
    since: Moment,
    current: z.boolean().meta({ description: 'Whether this call is made with it.' }),
  })
  .meta({ id: 'OpenSession' });
export type OpenSession = z.infer<typeof OpenSession>;

/** The claims of a token (RS256 JWT, RFC 7519), after verification. */
export const TokenClaims = z.object({
  sub: z.string().transform(Number).pipe(Id),
  username: z.string(),
  admin: z.boolean(),
  jti: z.string(),
  iat: z.number().meta({ description: 'Seconds, with fractions: a revocation can fall within a second.' }),
  exp: z.number(),
  generation: z.int().nonnegative().optional().meta({
    description:
      'How often all tokens of the account had been revoked when this one was issued; not in those of before, which count as 0.',
  }),
  registeredAt: z.number().optional().meta({
    description: 'When the account was made, in seconds; older accounts and versions do not say.',
  }),
});
export type TokenClaims = z.infer<typeof TokenClaims>;

/** An address that mails go to. */
export const Email = z.email('must be an email address').max(textLimits.email);

/** Whatever was typed; asked of a session that is not young any more, where an account has one. */
export const CurrentPassword = z.string().max(textLimits.currentPassword).optional();

/** What came with a link of a mail. */
const LinkToken = z.string().min(1).max(200);

/** What somebody's account has, for themselves alone. */
export const Account = z
  .object({
    email: z
      .string()
      .meta({ description: 'The address that was confirmed, where links go; empty if none was.' }),
    hasPassword: z.boolean().meta({ description: 'Not so for who only ever came through Google.' }),
    deletionGraceDays: z.int().optional().meta({
      description: 'For how long a login undoes the wish to be deleted; older versions do not say.',
    }),
    google: z.enum(['linked', 'not-linked', 'not-set-up']).optional().meta({
      description: 'Whether a Google account gets in; older versions do not say.',
    }),
  })
  .meta({ id: 'Account' });
export type Account = z.infer<typeof Account>;

/** A key that tokens are verified with (RFC 7517), and nothing that could sign one. */
const PublicKey = z
  .object({
    kty: z.literal('RSA'),
    n: z.string(),
    e: z.string(),
    kid: z.string().meta({ description: 'What a token names it by: its thumbprint (RFC 7638).' }),
    alg: z.literal('RS256'),
    use: z.literal('sig'),
  })
  .meta({ id: 'PublicKey' });

/** Of what only the owner of an account may do, not whoever sits at a browser that was left open. */
export const ownersProblems = [
  'unauthenticated',
  'password-needed',
  'login-again',
  'invalid-credentials',
  'too-many-attempts',
] as const;

export const authOperations = {
  signup: operation({
    service: 'auth',
    method: 'POST',
    path: '/auth/signup',
    access: 'public',
    creates: true,
    summary: 'Make an account and log in',
    body: NewCredentials,
    status: [200],
    answer: Session,
    problems: ['username-taken', 'too-many-attempts'],
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
    answer: Session,
    problems: ['invalid-credentials', 'suspended', 'too-many-attempts'],
    plainTextErrors: true,
  }),
  appealSuspension: operation({
    service: 'auth',
    method: 'POST',
    path: '/auth/appeal',
    access: 'public',
    summary:
      'Appeal, once, against a suspension: who is suspended has no session; the password says who it is or, without a username, the cookie of a login by Google or passkey that was refused for it, once and within ten minutes',
    body: Credentials.partial().extend({
      words: freeText(textLimits.report).min(1, 'must not be empty'),
    }),
    status: [204],
    problems: ['invalid-credentials', 'invalid-code', 'nothing-to-appeal', 'too-many-attempts'],
  }),
  logout: operation({
    service: 'auth',
    method: 'POST',
    path: '/auth/logout',
    access: 'member',
    summary: 'Revoke the token this call is made with',
    status: [204],
    problems: ['unauthenticated'],
  }),
  listSessions: operation({
    service: 'auth',
    method: 'GET',
    path: '/auth/sessions',
    access: 'member',
    summary: 'Where the caller is logged in, the newest first, 100 at most',
    status: [200],
    answer: z.array(OpenSession),
    problems: ['unauthenticated'],
  }),
  endSession: operation({
    service: 'auth',
    method: 'DELETE',
    path: '/auth/sessions/{id}',
    access: 'owner',
    summary: 'Log the caller out in one place',
    params: z.object({ id: z.uuid() }),
    status: [204],
    problems: ['unauthenticated', 'forbidden', 'session-not-found'],
  }),
  endSessions: operation({
    service: 'auth',
    method: 'DELETE',
    path: '/auth/sessions',
    access: 'member',
    summary: 'Log the caller out everywhere, also where this call is made',
    status: [204],
    problems: ['unauthenticated'],
  }),
  changePassword: operation({
    service: 'auth',
    method: 'PUT',
    path: '/auth/password',
    access: 'member',
    summary: 'Set a new password; every older token of the account is revoked, the answer holds a new one',
    body: z.object({ currentPassword: CurrentPassword, newPassword: Password }),
    status: [200],
    answer: Session,
    problems: ownersProblems,
  }),
  getAccount: operation({
    service: 'auth',
    method: 'GET',
    path: '/auth/account',
    access: 'member',
    summary: 'How the caller gets in, and back in',
    status: [200],
    answer: Account,
    problems: ['unauthenticated'],
  }),
  deleteAccount: operation({
    service: 'auth',
    method: 'POST',
    path: '/auth/deletion',
    access: 'member',
    summary: 'Log the caller out everywhere and delete the account after a while, unless they log in before',
    body: z.object({ currentPassword: CurrentPassword }),
    status: [200],
    answer: z.object({ deletesAt: Moment.meta({ description: 'Until then a login undoes it.' }) }),
    problems: ownersProblems,
  }),
  startGoogleLink: operation({
    service: 'auth',
    method: 'POST',
    path: '/auth/google/link',
    access: 'member',
    summary:
      'Begin to link a Google account with the caller’s: the page goes on to the address of the answer',
    body: z.object({ currentPassword: CurrentPassword }),
    status: [200],
    answer: z.object({ location: z.string() }),
    problems: [...ownersProblems, 'not-set-up'],
  }),
  finishGoogleLink: operation({
    service: 'auth',
    method: 'PUT',
    path: '/auth/google',
    access: 'member',
    summary: 'Link the Google account that stands behind a one-time code which the caller came back with',
    body: z.object({ code: z.string().min(1).max(200) }),
    status: [204],
    problems: ['unauthenticated', 'invalid-code', 'google-in-use', 'too-many-attempts'],
  }),
  unlinkGoogle: operation({
    service: 'auth',
    method: 'POST',
    path: '/auth/google/unlink',
    access: 'member',
    summary: 'Let Google no longer get into the caller’s account, while there is another way in',
    body: z.object({ currentPassword: CurrentPassword }),
    status: [204],
    problems: [...ownersProblems, 'last-way-in'],
  }),
  changeEmail: operation({
    service: 'auth',
    method: 'PUT',
    path: '/auth/email',
    access: 'member',
    summary: 'Send a link to a new address, or take the account’s away; PUT /auth/me calls this first',
    body: z.object({ email: z.union([z.literal(''), Email]), currentPassword: CurrentPassword }),
    status: [204],
    problems: ownersProblems,
  }),
  confirmEmail: operation({
    service: 'auth',
    method: 'POST',
    path: '/auth/email/confirm',
    access: 'public',
    summary: 'Make an address the account’s, by its link',
    body: z.object({ token: LinkToken }),
    status: [204],
    problems: ['invalid-link', 'too-many-attempts'],
  }),
  forgotPassword: operation({
    service: 'auth',
    method: 'POST',
    path: '/auth/forgot',
    access: 'public',
    summary: 'Send a link for a new password, if an account has the address',
    body: z.object({ email: Email }),
    status: [204],
    problems: ['too-many-attempts'],
  }),
  resetPassword: operation({
    service: 'auth',
    method: 'POST',
    path: '/auth/reset',
    access: 'public',
    summary: 'Set a new password by its link; every token of the account is revoked',
    body: z.object({ token: LinkToken, password: Password }),
    status: [204],
    problems: ['invalid-link', 'too-many-attempts'],
  }),
  changeUsername: operation({
    service: 'auth',
    method: 'PUT',
    path: '/auth/username',
    access: 'member',
    summary: 'Claim a new username for the caller; PUT /auth/me calls this first',
    body: z.object({ username: Username, currentPassword: CurrentPassword }),
    status: [200],
    answer: z.object({ id: Id, username: Username, version: z.int(), changedAt: Moment }),
    problems: [...ownersProblems, 'username-taken'],
  }),
  getPublicKeys: operation({
    service: 'auth',
    method: 'GET',
    path: '/.well-known/jwks.json',
    access: 'public',
    summary: 'The public keys that tokens are verified with; whoever meets a token of another asks again',
    status: [200],
    answer: z.object({ keys: z.array(PublicKey) }),
    problems: [],
  }),
  startGoogleLogin: operation({
    service: 'auth',
    method: 'GET',
    path: '/api/googleOauth',
    access: 'public',
    summary: 'Go to Google to sign in or up',
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
      'Come back from Google; goes on to /login with a one-time code in the fragment, and `new=1` for a new account; to /profile with another one, where an account is to be linked',
    status: [302],
    problems: [],
    navigation: true,
  }),
  exchangeLoginCode: operation({
    service: 'auth',
    method: 'POST',
    path: '/auth/code',
    access: 'public',
    summary: 'Swap the one-time code of a Google sign-in for a token',
    body: z.object({ code: z.string().min(1).max(200) }),
    status: [200],
    answer: Session,
    problems: ['invalid-code', 'suspended', 'too-many-attempts'],
  }),
};
