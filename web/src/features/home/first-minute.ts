import { type Scene, scenes } from '@wayquest/contracts';
import { among } from '../../shared/lib/query-params.ts';
import { safeSessionStorage, storedJson } from '../../shared/lib/storage.ts';

/** What a new member has answered so far. Where they are is not kept: that they are to be found by the device is. */
export interface Answered {
  where?: 'here' | { town: string } | null;
  liked?: Scene[];
}

const keyOf = (userId: number) => `wayquest-first-minute-${userId}`;

const whereIn = (kept: object): Answered['where'] => {
  if (!('where' in kept)) return undefined;
  const { where } = kept;
  if (where === 'here' || where === null) return where;
  if (typeof where !== 'object' || !('town' in where)) return undefined;
  return typeof where.town === 'string' ? { town: where.town } : undefined;
};

/** As far as somebody has come in this tab; null for who has nothing to be asked. */
export function readAnswered(userId: number): Answered | null {
  const kept = storedJson(safeSessionStorage, keyOf(userId));
  if (typeof kept !== 'object' || kept === null) return null;
  const where = whereIn(kept);
  const names: unknown = 'liked' in kept ? kept.liked : undefined;
  const liked = Array.isArray(names)
    ? names.map((name) => among(scenes, String(name))).filter((scene) => scene !== null)
    : undefined;
  return { ...(where !== undefined && { where }), ...(liked && { liked }) };
}

export const keepAnswered = (userId: number, answered: Answered): void =>
  safeSessionStorage.setItem(keyOf(userId), JSON.stringify(answered));

export const forgetAnswered = (userId: number): void => safeSessionStorage.removeItem(keyOf(userId));
