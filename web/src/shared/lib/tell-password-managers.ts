import { loadPart } from './load-part.ts';

/**
 * Tells password managers what changed about passkeys or the username, where the browser can. The code is loaded for it, since that is
 * rare. Nothing depends on it: without a network they are not told.
 */
export const tellPasswordManagers = (
  tell: (passkeys: typeof import('./passkeys.ts')) => Promise<void>,
): Promise<void> =>
  loadPart(() => import('./passkeys.ts'))
    .then(tell)
    .catch(() => {});
