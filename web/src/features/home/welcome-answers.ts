import { type PlaceCategory, placeCategories } from '@wayquest/contracts';
import { parseOption } from '../../shared/lib/query-params.ts';
import { safeSessionStorage, storedJson } from '../../shared/lib/storage.ts';

/** A new member's answers so far. Their position is not stored, only that the device knows it. */
export interface WelcomeAnswers {
  where?: 'here' | { town: string } | null;
  liked?: PlaceCategory[];
}

const keyOf = (userId: number) => `wayquest-first-minute-${userId}`;

const whereIn = (stored: object): WelcomeAnswers['where'] => {
  if (!('where' in stored)) return undefined;
  const { where } = stored;
  if (where === 'here' || where === null) return where;
  if (typeof where !== 'object' || !('town' in where)) return undefined;
  return typeof where.town === 'string' ? { town: where.town } : undefined;
};

/** The answers stored in this tab; null if there are none. */
export function readAnswers(userId: number): WelcomeAnswers | null {
  const stored = storedJson(safeSessionStorage, keyOf(userId));
  if (typeof stored !== 'object' || stored === null) return null;
  const where = whereIn(stored);
  const names: unknown = 'liked' in stored ? stored.liked : undefined;
  const liked = Array.isArray(names)
    ? names
        .map((name) => parseOption(placeCategories, String(name)))
        .filter((placeCategory) => placeCategory !== null)
    : undefined;
  return { ...(where !== undefined && { where }), ...(liked && { liked }) };
}

export const storeAnswers = (userId: number, answers: WelcomeAnswers): void =>
  void safeSessionStorage.setItem(keyOf(userId), JSON.stringify(answers));

export const clearAnswers = (userId: number): void => safeSessionStorage.removeItem(keyOf(userId));
