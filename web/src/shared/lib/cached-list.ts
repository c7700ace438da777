import { type KeyValueStorage, storedJson } from './storage.ts';

/** A list stored in the browser for each person, if the browser allows it. */
export interface KeptList<T> {
  read(userId: number): T[];
  write(userId: number, list: T[]): void;
}

/** Stores a list as JSON; invalid items are ignored when it is read. */
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
