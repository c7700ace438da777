import { type PlaceCategory, placeCategories } from '@wayquest/contracts';
import { among } from '../../shared/lib/query-params.ts';
import { safeSessionStorage, storedJson } from '../../shared/lib/storage.ts';

/** A new member's answers so far. Their position is not stored, only that the device knows it. */
export interface Answered {
  where?: 'here' | { town: string } | null;
  liked?: PlaceCategory[];
}

const keyOf = (userId: number) => `wayquest-first-minute-${userId}`;

const whereIn = (kept: object): Answered['where'] => {
  if (!('where' in kept)) return undefined;
  const { where } = kept;
  if (where === 'here' || where === null) return where;
  if (typeof where !== 'object' || !('town' in where)) return undefined;
  return typeof where.town === 'string' ? { town: where.town } : undefined;
};

/** The answers stored in this tab; null if there are none. */
export function readAnswered(userId: number): Answered | null {
  const kept = storedJson(safeSessionStorage, keyOf(userId));
  if (typeof kept !== 'object' || kept === null) return null;
  const where = whereIn(kept);
  const names: unknown = 'liked' in kept ? kept.liked : undefined;
  const liked = Array.isArray(names)
    ? names
        .map((name) => among(placeCategories, String(name)))
        .filter((placeCategory) => placeCategory !== null)
    : undefined;
  return { ...(where !== undefined && { where }), ...(liked && { liked }) };
}

export const keepAnswered = (userId: number, answered: Answered): void =>
  safeSessionStorage.setItem(keyOf(userId), JSON.stringify(answered));

export const forgetAnswered = (userId: number): void => safeSessionStorage.removeItem(keyOf(userId));
