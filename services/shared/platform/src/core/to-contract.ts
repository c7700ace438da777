import type { z } from 'zod';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** The paths of the input that the output does not have; undefined values are not sent anyway. */
function omittedPaths(input: unknown, output: unknown, path = ''): string[] {
  if (!isRecord(input) || !isRecord(output)) return [];
  return Object.entries(input).flatMap(([key, value]) => {
    if (value === undefined) return [];
    return Object.hasOwn(output, key) ? omittedPaths(value, output[key], `${path}${key}.`) : [path + key];
  });
}

/**
 * Reduces a value to what its contract names, so that nothing private is sent by accident.
 *
 * @throws ZodError if the value does not match the contract; in tests also an error for a key that the contract does not name.
 */
export function toContract<S extends z.ZodType>(contract: S, value: unknown): z.output<S> {
  const parsed = contract.parse(value);
  if (process.env.NODE_ENV === 'test') {
    const paths = omittedPaths(value, parsed);
    if (paths.length) throw new Error(`the contract does not name ${paths.join(', ')}`);
  }
  return parsed;
}
