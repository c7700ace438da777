import { Problem } from '../core/problem.ts';

/** The problem for a suspended user; undefined after the suspension. */
export function suspensionProblem(until: Date | null | undefined): Problem | undefined {
  if (!until || until.getTime() <= Date.now()) return undefined;
  const day = until.toISOString().slice(0, 16).replace('T', ' ');
  return new Problem('suspended', { detail: `Your account is suspended until ${day} (UTC).` });
}
