import type { z } from 'zod';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** The paths of what was given and not kept; what is undefined would not have left anyway. */
function leftOut(given: unknown, kept: unknown, path = ''): string[] {
  if (!isRecord(given) || !isRecord(kept)) return [];
  return Object.entries(given).flatMap(([key, value]) => {
    if (value === undefined) return [];
    return Object.hasOwn(kept, key) ? leftOut(value, kept[key], `${path}${key}.`) : [path + key];
  });
}

/**
 * What may leave by a contract: all that it names and nothing else, so that what is private cannot slip out with the
 * rest. Throws on what does not keep to the contract; in tests also on what would have slipped out.
 */
export function present<S extends z.ZodType>(contract: S, given: unknown): z.output<S> {
  const kept = contract.parse(given);
  if (process.env.NODE_ENV === 'test') {
    const paths = leftOut(given, kept);
    if (paths.length) throw new Error(`the contract does not name ${paths.join(', ')}`);
  }
  return kept;
}
