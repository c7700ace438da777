/** What the app uses of a storage of the browser's. */
export type KeyValueStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/**
 * A storage that never throws. A browser may block it, which throws as soon as it is read, or refuse to write when it is
 * full: what it does not keep is kept in memory, for as long as this page is open.
 */
export function safeStorage(open: () => Storage): KeyValueStorage {
  /** What the browser did not keep; null for what it did not remove. */
  const memory = new Map<string, string | null>();

  const stored = (key: string): string | null => {
    try {
      return open().getItem(key);
    } catch {
      return null;
    }
  };

  /** Some browsers keep nothing without saying so, so that it is read again. */
  const change = (key: string, value: string | null, write: (storage: Storage) => void) => {
    try {
      write(open());
    } catch {
      // Seen below.
    }
    if (stored(key) === value) memory.delete(key);
    else memory.set(key, value);
  };

  return {
    getItem: (key) => memory.get(key) ?? (memory.has(key) ? null : stored(key)),
    setItem: (key, value) => change(key, value, (storage) => storage.setItem(key, value)),
    removeItem: (key) => change(key, null, (storage) => storage.removeItem(key)),
  };
}

/** What is stored under a key as JSON; null where there is nothing that can be read. */
export function storedJson(storage: Pick<KeyValueStorage, 'getItem'>, key: string): unknown {
  try {
    return JSON.parse(storage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

/** Whether a storage event is about local storage. */
export function isLocalStorage(area: Storage | null): boolean {
  try {
    return area === localStorage;
  } catch {
    return false;
  }
}

/** Local storage, as far as there is one. */
export const safeLocalStorage = safeStorage(() => localStorage);

/** Session storage, as far as there is one. */
export const safeSessionStorage = safeStorage(() => sessionStorage);
