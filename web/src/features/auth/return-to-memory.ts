import { challengeToJoin, type ReturnTo, returnPath } from '../../shared/lib/return-to.ts';
import { safeSessionStorage, storedJson } from '../../shared/lib/storage.ts';

const memory = 'wayquest-from';

const arrivalOf = (state: unknown): ReturnTo => {
  const joins = challengeToJoin(state);
  return { from: returnPath(state), ...(joins !== undefined && { joins }) };
};

/** Stores where to return to, during a visit to another site (Google). */
export function rememberPlace(state: unknown) {
  safeSessionStorage.setItem(memory, JSON.stringify(arrivalOf(state)));
}

/** Where to return to after that visit. */
export const rememberedPlace = (): ReturnTo => arrivalOf(storedJson(safeSessionStorage, memory));
