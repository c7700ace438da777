import { findAccount, type StoreReference } from '@wayquest/auth';
import { maxSuspensionDays, textLimits } from '@wayquest/contracts';
import { endSuspension, suspendUser } from '@wayquest/moderation';
import { isProblem } from '@wayquest/platform/core';
import { type AdminSettings, noteOf, numberOf, optionsOf, printLine } from './command.ts';
import { onAccount, onServiceStore } from './store.ts';

const dayMs = 24 * 60 * 60 * 1_000;

/** The note of a decision without one: its line in the audit log names no admin. */
const byCommand = 'By command.';

interface SuspensionOptions {
  username: string;
  /** Length in days. */
  days: number;
  /** The reason, for admins. */
  note: string;
}

/**
 * Reads whom an operator wants to suspend: for a week, unless they say otherwise. Exits with a sentence if a value is invalid.
 *
 * @returns Undefined if there is something else in it, or nobody.
 */
export function suspensionOf(args: string[]): SuspensionOptions | undefined {
  const { options, rest: [username, ...more] = [] } = optionsOf(args, ['days', 'note']) ?? {};
  if (!options || !username || more.length) return undefined;
  const { days = '7', note = byCommand } = options;
  return {
    username,
    days: numberOf('days', days, maxSuspensionDays),
    note: noteOf(note, textLimits.report),
  };
}

/** Decides about somebody whom auth knows. Throws a sentence if moderation does not, or if they have the state already. */
async function decide(
  settings: AdminSettings,
  username: string,
  decision: (user: { userId: number } & StoreReference) => Promise<void>,
): Promise<string> {
  const { id: userId, username: found } = await onAccount(settings, username, findAccount);
  try {
    await onServiceStore(settings, (store) => decision({ ...store, userId }));
  } catch (error) {
    if (isProblem(error, 'user-not-found'))
      throw new Error(
        `Moderation has no replica of ${found} yet. Try again in half a minute, while Wayquest runs.`,
      );
    if (isProblem(error, 'nothing-to-decide')) throw new Error(`${found} is not suspended.`);
    throw error;
  }
  return found;
}

/** Suspends somebody. Throws a sentence if nobody has the username. */
export async function suspend(
  settings: AdminSettings,
  { username, days, note }: SuspensionOptions,
): Promise<void> {
  const until = new Date(Date.now() + days * dayMs);
  const found = await decide(settings, username, (user) => suspendUser({ ...user, until, note }));
  printLine(
    `${found} is suspended until ${until.toISOString()}: within half a minute, or when Wayquest starts.`,
  );
}

/** Ends somebody's suspension. Throws a sentence if nobody has the username, or they are not suspended. */
export async function endSuspensionOf(settings: AdminSettings, username: string): Promise<void> {
  const found = await decide(settings, username, (user) => endSuspension({ ...user, note: byCommand }));
  printLine(`${found} is not suspended any more: within half a minute, or when Wayquest starts.`);
}
