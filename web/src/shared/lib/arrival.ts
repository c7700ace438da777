/** What a step to /login or /signup carries along: where to go afterwards. */
export interface Arrival {
  from: string;
}

const memory = 'wayquest-from';

/** A path of our own; anything else would let a link send people elsewhere. */
const isOwnPath = (path: unknown): path is string => typeof path === 'string' && /^\/(?![/\\])/.test(path);

function fromOf(state: unknown): string | undefined {
  if (typeof state !== 'object' || state === null || !('from' in state)) return undefined;
  return isOwnPath(state.from) ? state.from : undefined;
}

/** Where a person goes who has just logged in. */
export const placeBefore = (state: unknown) => fromOf(state) ?? '/home';

/** Keeps the way back over a visit to another site (Google). */
export function rememberPlace(state: unknown) {
  sessionStorage.setItem(memory, placeBefore(state));
}

/** The way back, after that visit. */
export const rememberedPlace = (): Arrival => ({ from: sessionStorage.getItem(memory) ?? '/home' });
