import { challengeToJoin, type ReturnTo, returnPath } from '../../shared/lib/return-to.ts';
import { safeSessionStorage, storedJson } from '../../shared/lib/storage.ts';

const storageKey = 'wayquest-from';

const returnToOf = (state: unknown): ReturnTo => {
  const joins = challengeToJoin(state);
  return { from: returnPath(state), ...(joins !== undefined && { joins }) };
};

/** Stores where to return to, during a visit to another site (Google). */
export function storeReturnTo(state: unknown) {
  safeSessionStorage.setItem(storageKey, JSON.stringify(returnToOf(state)));
}

/** Where to return to after that visit. */
export const storedReturnTo = (): ReturnTo => returnToOf(storedJson(safeSessionStorage, storageKey));
