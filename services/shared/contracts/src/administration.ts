import { z } from 'zod';
import { Email, Username } from './auth.ts';
import { operation } from './operation.ts';
import { Cursor, Id, IdText, limit, singleLineText, Timestamp } from './primitives.ts';
import { textLimits } from './text.ts';
import { invitationLimits } from './values.ts';

/** Which accounts an admin looks at. */
export const accountFilters = ['all', 'waiting', 'suspended', 'admins'] as const;
export type AccountFilter = (typeof accountFilters)[number];

/** An account, as admins see it. */
export const ManagedAccount = z
  .object({
    id: Id,
    username: Username,
    email: z.string().meta({
      description:
        'The confirmed e-mail address or, while the account waits for approval, the one that its person named; empty if there is none.',
    }),
    registeredAt: Timestamp.nullable().meta({ description: 'Null for accounts of older versions.' }),
    admin: z.boolean(),
    waitingUntil: Timestamp.nullable().meta({
      description: 'When it will be deleted, unless it is approved; null if it is not waiting for approval.',
    }),
    suspendedUntil: Timestamp.nullable(),
    deletesAt: Timestamp.nullable().meta({
      description: 'When it will be deleted, as its owner requested; null if it will not be.',
    }),
  })
  .meta({ id: 'ManagedAccount' });
export type ManagedAccount = z.infer<typeof ManagedAccount>;

/** A link for a password: either it was mailed, or the admin hands over its secret. */
const PasswordLink = {
  token: z.string().optional().meta({
    description: 'Of the link `/reset#token=…`, which nothing shows again. Absent if it was mailed.',
  }),
  mailedTo: z.string().optional().meta({ description: 'Where the link was mailed to.' }),
};

/** An invitation that has not expired, without its code, of which only a hash is stored. */
export const InvitationSummary = z
  .object({
    id: z.string(),
    uses: z.int().positive().meta({ description: 'For how many accounts it is.' }),
    usesLeft: z.int().nonnegative(),
    expiresAt: Timestamp,
    note: z.string(),
  })
  .meta({ id: 'Invitation' });
export type InvitationSummary = z.infer<typeof InvitationSummary>;

const adminProblems = ['unauthenticated', 'admins-only'] as const;
const accountParams = z.object({ id: IdText });

/** What admins do with accounts and invitations. They suspend people in moderation, by `decide`. */
export const administrationOperations = {
  listAccounts: operation({
    service: 'auth',
    method: 'GET',
    path: '/auth/accounts',
    access: 'admin',
    weight: 4,
    summary: 'List accounts by username',
    query: z.object({
      filter: z.enum(accountFilters).optional().meta({ description: 'Default: all.' }),
      search: singleLineText(textLimits.search).optional().meta({
        description: 'How usernames begin or, with an @, confirmed e-mail addresses; without regard to case.',
      }),
      limit: limit(100).optional(),
      cursor: Cursor.optional(),
    }),
    status: [200],
    response: z.array(ManagedAccount),
    problems: adminProblems,
  }),
  createAccount: operation({
    service: 'auth',
    method: 'POST',
    path: '/auth/accounts',
    access: 'admin',
    creates: true,
    invalidates: ['listAccounts'],
    summary:
      'Create an account for somebody, whoever can sign up, with a link that sets its password within three days. With an e-mail address the link is mailed, if there is a mail server, and confirms the address; otherwise the response contains it',
    body: z.object({ username: Username, email: Email.optional() }),
    status: [201],
    response: z.object({ account: ManagedAccount, ...PasswordLink }),
    problems: [...adminProblems, 'username-taken', 'password-login-off'],
  }),
  approveAccount: operation({
    service: 'auth',
    method: 'PUT',
    path: '/auth/accounts/{id}/approval',
    access: 'admin',
    invalidates: ['listAccounts'],
    summary: 'Approve an account that waits for it; another one stays as it is',
    params: accountParams,
    status: [200],
    response: ManagedAccount,
    problems: [...adminProblems, 'user-not-found'],
  }),
  declineAccount: operation({
    service: 'auth',
    method: 'DELETE',
    path: '/auth/accounts/{id}/approval',
    access: 'admin',
    invalidates: ['listAccounts'],
    summary: 'Decline an account that waits for approval, which deletes it',
    params: accountParams,
    status: [204],
    problems: [...adminProblems, 'user-not-found', 'account-not-waiting'],
  }),
  createPasswordLink: operation({
    service: 'auth',
    method: 'POST',
    path: '/auth/accounts/{id}/password-link',
    access: 'admin',
    summary:
      'Make a link that sets the password of an account other than the caller’s, within an hour. It is mailed to the confirmed e-mail address, if there are one and a mail server; otherwise the response contains it',
    params: accountParams,
    status: [200],
    response: z.object(PasswordLink),
    problems: [...adminProblems, 'forbidden', 'user-not-found', 'account-waiting', 'password-login-off'],
  }),
  changeRights: operation({
    service: 'auth',
    method: 'PUT',
    path: '/auth/accounts/{id}/rights',
    access: 'admin',
    invalidates: ['listAccounts'],
    summary:
      'Grant or revoke admin rights, which ends all sessions of the account. Nobody revokes their own, nor those of the only admin',
    params: accountParams,
    body: z.object({ admin: z.boolean() }),
    status: [200],
    response: ManagedAccount,
    problems: [...adminProblems, 'user-not-found', 'account-waiting', 'own-rights', 'last-admin'],
  }),
  listInvitations: operation({
    service: 'auth',
    method: 'GET',
    path: '/auth/invitations',
    access: 'admin',
    summary: 'List the invitations that have not expired, the oldest first',
    status: [200],
    response: z.array(InvitationSummary),
    problems: adminProblems,
  }),
  createInvitation: operation({
    service: 'auth',
    method: 'POST',
    path: '/auth/invitations',
    access: 'admin',
    creates: true,
    invalidates: ['listInvitations'],
    summary: 'Make an invitation to sign up',
    body: z.object({
      uses: z.int().min(1).max(invitationLimits.uses),
      days: z.int().min(1).max(invitationLimits.days),
      note: singleLineText(textLimits.invitationNote).default('').meta({ description: 'For admins.' }),
    }),
    status: [201],
    response: InvitationSummary.extend({
      code: z.string().meta({
        description: 'For the link `/signup?invitation=…`. Nothing else shows it again.',
      }),
    }),
    problems: adminProblems,
  }),
  revokeInvitation: operation({
    service: 'auth',
    method: 'DELETE',
    path: '/auth/invitations/{id}',
    access: 'admin',
    invalidates: ['listInvitations'],
    summary: 'Withdraw an invitation; accounts that were created with it stay',
    params: z.object({ id: z.string().regex(/^[\da-f]{32}$/, 'must be the id of an invitation') }),
    status: [204],
    problems: [...adminProblems, 'invitation-not-found'],
  }),
};
