import type { Caller } from './token-guard.ts';

/** What an account does in its first hours counts for several. */
export interface NewAccounts {
  hours: number;
  weight: number;
}

const hourMs = 3_600_000;

/** For how many counts what somebody does. Who has a token that does not say since when the account is, is not new. */
export function weightOf(
  { hours, weight }: NewAccounts,
  { claims: { registeredAt } }: Pick<Caller, 'claims'>,
  now = Date.now(),
): number {
  const isNew = registeredAt !== undefined && now < registeredAt * 1_000 + hours * hourMs;
  return isNew ? weight : 1;
}
