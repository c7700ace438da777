import { type KeyValueStorage, storedJson } from './storage.ts';

/** A list stored in the browser for each person, if the browser allows it. */
export interface CachedList<T> {
  read(userId: number): T[];
  write(userId: number, list: T[]): void;
}

/** Stores a list as JSON; invalid items are ignored when it is read. */
export const createCachedList = <T>(
  storage: KeyValueStorage,
  name: string,
  isItem: (value: object) => value is T & object,
): CachedList<T> => {
  const keyOf = (userId: number) => `wayquest-${name}-${userId}`;
  return {
    read(userId) {
      const stored = storedJson(storage, keyOf(userId));
      const items: unknown[] = Array.isArray(stored) ? stored : [];
      return items.filter((value) => typeof value === 'object' && value !== null).filter(isItem);
    },
    write(userId, list) {
      if (list.length > 0) storage.setItem(keyOf(userId), JSON.stringify(list));
      else storage.removeItem(keyOf(userId));
    },
  };
};
