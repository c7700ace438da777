import { z } from 'zod';
import { operation } from './operation.ts';
import { Id, Moment } from './primitives.ts';

/** 3–30 letters, digits, dots, underscores and hyphens; unique without regard to case. */
export const Username = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9._-]{3,30}$/, 'must have 3 to 30 letters, digits, dots, underscores or hyphens');

export const Password = z.string().min(8, 'must have at least 8 characters').max(200);

const NewCredentials = z.object({ username: Username, password: Password }).meta({ id: 'NewCredentials' });

/** Whatever was typed: a wrong form of it is simply a login that fails. */
const Credentials = z
  .object({ username: z.string().max(200), password: z.string().max(1000) })
  .meta({ id: 'Credentials' });

/** The token goes into the `authorization` header, as it is or behind `Bearer `. */
export const Session = z.object({ token: z.string() }).meta({ id: 'Session' });

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
});
export type TokenClaims = z.infer<typeof TokenClaims>;

/** An address that mails go to. */
export const Email = z.email('must be an e-mail address').max(200);

/** Whatever was typed; asked of a session that is not young any more, where an account has one. */
export const CurrentPassword = z.string().max(1000).optional();

/** What came with a link of a mail. */
const LinkToken = z.string().min(1).max(200);

/** What somebody's account has, for themselves alone. */
export const Account = z
  .object({
    email: z
      .string()
      .meta({ description: 'The address that was confirmed, where links go; empty if none was.' }),
    hasPassword: z.boolean().meta({ description: 'Not so for who only ever came through Google.' }),
  })
  .meta({ id: 'Account' });
export type Account = z.infer<typeof Account>;

/** Of what only the owner of an account may do, not whoever sits at a browser that was left open. */
const ownersProblems = [
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
    problems: ['invalid-credentials', 'too-many-attempts'],
    plainTextErrors: true,
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
      'Come back from Google; goes on to /login with a one-time code in the fragment, and `new=1` for a new account',
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
    problems: ['invalid-code', 'too-many-attempts'],
  }),
};
