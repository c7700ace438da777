/** What a step to /login or /signup carries along. */
export interface ReturnTo {
  /** Where to go afterwards. */
  from: string;
  /** The challenge that was to be joined, by its id. */
  joins?: number;
}

/** A path of our own; anything else would let a link send people elsewhere. */
export const isOwnPath = (path: unknown): path is string =>
  typeof path === 'string' && /^\/(?![/\\])/.test(path);

function fromOf(state: unknown): string | undefined {
  if (typeof state !== 'object' || state === null || !('from' in state)) return undefined;
  return isOwnPath(state.from) ? state.from : undefined;
}

/** Where a person goes after logging in. */
export const placeBefore = (state: unknown) => fromOf(state) ?? '/home';

/** The challenge that was to be joined, if one was. */
export function joinsOf(state: unknown): number | undefined {
  if (typeof state !== 'object' || state === null || !('joins' in state)) return undefined;
  return typeof state.joins === 'number' ? state.joins : undefined;
}
