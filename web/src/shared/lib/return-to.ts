/** Navigation state for /login and /signup. */
export interface ReturnTo {
  /** Where to return to afterwards. */
  from: string;
}

/** Whether a path is on this site; anything else would be an open redirect. */
export const isLocalPath = (path: unknown): path is string =>
  typeof path === 'string' && /^\/(?![/\\])/.test(path);

function fromOf(state: unknown): string | undefined {
  if (typeof state !== 'object' || state === null || !('from' in state)) return undefined;
  return isLocalPath(state.from) ? state.from : undefined;
}

/** Where to go after logging in. */
export const returnPath = (state: unknown) => fromOf(state) ?? '/home';
