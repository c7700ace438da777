import type { Caller } from './token-guard.ts';

/** Limits are lower in an account's first hours: each action counts `weight` times. */
export interface NewAccounts {
  hours: number;
  weight: number;
}

const hourMs = 3_600_000;

/**
 * How many times an action of the caller counts against a limit. A token without a registration time is not a new
 * account's.
 */
export function weightOf(
  { hours, weight }: NewAccounts,
  { claims: { registeredAt } }: Pick<Caller, 'claims'>,
  now = Date.now(),
): number {
  const isNew = registeredAt !== undefined && now < registeredAt * 1_000 + hours * hourMs;
  return isNew ? weight : 1;
}
