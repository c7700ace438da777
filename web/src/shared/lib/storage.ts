/** The part of the browser's Storage that the app uses. */
export type KeyValueStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/**
 * A storage that never throws. A browser may block its storage, so that any access throws, or reject writes when it is
 * full: such values are kept in memory until the page is closed.
 */
export function safeStorage(open: () => Storage): KeyValueStorage {
  /** Values that the browser did not store; null for those that it did not remove. */
  const memory = new Map<string, string | null>();

  const stored = (key: string): string | null => {
    try {
      return open().getItem(key);
    } catch {
      return null;
    }
  };

  /** Reads the value again, since some browsers silently store nothing. */
  const change = (key: string, value: string | null, write: (storage: Storage) => void) => {
    try {
      write(open());
    } catch {
      // Detected below.
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

/** The parsed JSON under a key; null if it is missing or invalid. */
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

/** Local storage, or memory. */
export const safeLocalStorage = safeStorage(() => localStorage);

/** Session storage, or memory. */
export const safeSessionStorage = safeStorage(() => sessionStorage);
