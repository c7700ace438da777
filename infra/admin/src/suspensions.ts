import { findAccount } from '@wayquest/auth';
import { maxSuspensionDays, textLimits } from '@wayquest/contracts';
import { endSuspension, suspendUser } from '@wayquest/moderation';
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

/** Suspends somebody. Throws a sentence if nobody has the username. */
export async function suspend(
  settings: AdminSettings,
  { username, days, note }: SuspensionOptions,
): Promise<void> {
  const { id: userId, username: found } = await onAccount(settings, username, findAccount);
  const until = new Date(Date.now() + days * dayMs);
  await onServiceStore(settings, (store) => suspendUser({ ...store, userId, until, note }));
  printLine(
    `${found} is suspended until ${until.toISOString()}: within half a minute, or when Wayquest starts.`,
  );
}

/** Ends somebody's suspension. Throws a sentence if nobody has the username, or they are not suspended. */
export async function liftSuspension(settings: AdminSettings, username: string): Promise<void> {
  const { id: userId, username: found } = await onAccount(settings, username, findAccount);
  await onServiceStore(settings, (store) => endSuspension({ ...store, userId, note: byCommand }));
  printLine(`${found} is not suspended any more: within half a minute, or when Wayquest starts.`);
}
