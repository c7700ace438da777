import {
  accountsIn,
  createAccount,
  createInvitation,
  invitationsIn,
  type NewInvitation,
  revokeInvitation,
} from '@wayquest/auth';
import { invitationLimits, textLimits } from '@wayquest/contracts';
import { type AdminSettings, noteOf, numberOf, optionsOf, printLine } from './command.ts';
import { onServiceStore } from './store.ts';

const linkTo = ({ PUBLIC_URL = '' }: AdminSettings, path: string): string => PUBLIC_URL + path;

/**
 * Reads what an operator wants of an invitation: for one account and a week, unless they say otherwise. Exits with a sentence
 * if a value is invalid.
 *
 * @returns Undefined if there is something else in it.
 */
export function invitationOf(args: string[]): NewInvitation | undefined {
  const { options, rest } = optionsOf(args, ['uses', 'days', 'note']) ?? {};
  if (!options || rest?.length) return undefined;
  const { uses = '1', days = '7', note } = options;
  return {
    uses: numberOf('uses', uses, invitationLimits.uses),
    days: numberOf('days', days, invitationLimits.days),
    note: note && noteOf(note, textLimits.invitationNote),
  };
}

const timesOf = (count: number): string => (count === 1 ? 'once' : `${count} times`);

/** Prints a link with a new invitation; nothing else can show its code again. */
export async function invite(settings: AdminSettings, invitation: NewInvitation): Promise<void> {
  const { code, id, uses, expiresAt } = await onServiceStore(settings, (store) =>
    createInvitation({ ...store, invitation }),
  );
  printLine(linkTo(settings, `/signup?invitation=${code}`));
  printLine(`It can be used ${timesOf(uses)}, until ${expiresAt.toISOString()}. Its id is ${id}.`);
}

/** Prints the invitations that have not expired. */
export async function listInvitations(settings: AdminSettings): Promise<void> {
  const invitations = await onServiceStore(settings, invitationsIn);
  for (const { id, uses, usesLeft, expiresAt, note } of invitations)
    printLine(`${id}  ${usesLeft} of ${uses} left  until ${expiresAt.toISOString()}  ${note}`.trimEnd());
  printLine(`${invitations.length} not expired`);
}

/** Makes an invitation invalid. Throws a sentence if there is none with the id. */
export async function removeInvitation(settings: AdminSettings, id: string): Promise<void> {
  await onServiceStore(settings, (store) => revokeInvitation({ ...store, id }));
  printLine('The invitation is invalid now. Accounts that were created with it stay.');
}

/** Prints accounts, whose username contains a text if one is given. */
export async function listAccounts(settings: AdminSettings, search: string | undefined): Promise<void> {
  const accounts = await onServiceStore(settings, (store) => accountsIn({ ...store, search }));
  for (const { id, username, since, admin, suspendedUntil, waitingUntil } of accounts) {
    const states = [
      ...(admin ? ['admin'] : []),
      ...(waitingUntil ? [`waiting for approval until ${waitingUntil.toISOString()}`] : []),
      ...(suspendedUntil ? [`suspended until ${suspendedUntil.toISOString()}`] : []),
    ];
    printLine(`${id}  ${username}  ${since?.toISOString() ?? '-'}  ${states.join(', ')}`.trimEnd());
  }
  printLine(`${accounts.length} ${accounts.length === 1 ? 'account' : 'accounts'}`);
}

/** Prints a link that sets the password of an account. */
export function printPasswordLink(
  settings: AdminSettings,
  { username, token }: { username: string; token: string },
): void {
  printLine(linkTo(settings, `/reset#token=${token}`));
  printLine(`It sets the password of ${username}, once, within an hour.`);
}

/** Creates an account, and prints a link that sets its password. */
export async function addAccount(settings: AdminSettings, username: string): Promise<void> {
  printPasswordLink(
    settings,
    await onServiceStore(settings, (store) => createAccount({ ...store, username })),
  );
}
