import type { Position } from '@wayquest/contracts';
import { type KeyValueStorage, safeSessionStorage, storedJson } from '../../shared/lib/storage.ts';
import type { PlaceFinder, Suggestion } from './map/map.ts';

/** The values of the spec, section 9. */
export const debounceMs = 200;
const ttlMs = 86_400 * 1_000;

const key = 'wayquest-suggestions';

type CachedSuggestions = Record<string, { at: number; found: Suggestion[] }>;

const isStored = (value: unknown): value is CachedSuggestions =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((entry) => typeof entry?.at === 'number' && Array.isArray(entry.found));

function read(storage: KeyValueStorage, now: number): CachedSuggestions {
  const stored = storedJson(storage, key);
  if (!isStored(stored)) return {};
  return Object.fromEntries(Object.entries(stored).filter(([, { at }]) => now - at < ttlMs));
}

/**
 * Caches a finder's suggestions in session storage. Nearby places come first, so the key contains the position, rounded
 * to about 10 km.
 */
export const cacheSuggestions =
  (finder: Pick<PlaceFinder, 'suggest'>, storage: KeyValueStorage = safeSessionStorage) =>
  async (text: string, near: Position): Promise<Suggestion[]> => {
    const query = `${text.trim().toLowerCase()}@${near.lat.toFixed(1)},${near.lng.toFixed(1)}`;
    const now = Date.now();
    const known = read(storage, now)[query];
    if (known) return known.found;
    const { found, isFallback } = await finder.suggest(text.trim(), near);
    if (isFallback) return found;
    try {
      storage.setItem(key, JSON.stringify({ ...read(storage, now), [query]: { at: now, found } }));
    } catch {
      // If the storage is full, suggestions are requested again.
    }
    return found;
  };
