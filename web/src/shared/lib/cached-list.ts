import { type KeyValueStorage, storedJson } from './storage.ts';

/** A list that is kept in the browser between visits, for each person apart, as far as it can be. */
export interface KeptList<T> {
  read(userId: number): T[];
  write(userId: number, list: T[]): void;
}

/** A list in a storage of the browser's. What is no item of it is left out. */
export const keptIn = <T>(
  storage: KeyValueStorage,
  name: string,
  isItem: (value: object) => value is T & object,
): KeptList<T> => {
  const keyOf = (userId: number) => `wayquest-${name}-${userId}`;
  return {
    read(userId) {
      const kept = storedJson(storage, keyOf(userId));
      const items: unknown[] = Array.isArray(kept) ? kept : [];
      return items.filter((value) => typeof value === 'object' && value !== null).filter(isItem);
    },
    write(userId, list) {
      if (list.length > 0) storage.setItem(keyOf(userId), JSON.stringify(list));
      else storage.removeItem(keyOf(userId));
    },
  };
};
