/** The part of the browser's Storage that the app uses. */
export type KeyValueStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** A storage that never throws, and says what it holds. */
export interface SafeStorage extends KeyValueStorage {
  /** Returns whether the value is stored beyond the page; otherwise it is only in memory. */
  setItem(key: string, value: string): boolean;
  /** The keys with this prefix. */
  keys(prefix: string): string[];
  /** Calls back for changes in other tabs, with the key, null for all, and its new value. Returns a function to stop that. */
  watch(onChange: (key: string | null, value: string | null) => void): () => void;
}

/**
 * A storage that never throws. A browser may block its storage, so that any access throws, or reject writes when it is
 * full: such values are kept in memory until the page is closed.
 */
export function safeStorage(open: () => Storage): SafeStorage {
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
    const isStored = stored(key) === value;
    if (isStored) memory.delete(key);
    else memory.set(key, value);
    return isStored;
  };

  const isArea = (area: Storage | null): boolean => {
    try {
      return area === open();
    } catch {
      return false;
    }
  };

  const storedKeys = (): string[] => {
    try {
      const storage = open();
      return Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '');
    } catch {
      return [];
    }
  };

  return {
    getItem: (key) => memory.get(key) ?? (memory.has(key) ? null : stored(key)),
    setItem: (key, value) => change(key, value, (storage) => storage.setItem(key, value)),
    removeItem: (key) => void change(key, null, (storage) => storage.removeItem(key)),
    keys: (prefix) =>
      [...new Set([...storedKeys(), ...memory.keys()])].filter(
        (key) => key.startsWith(prefix) && memory.get(key) !== null,
      ),
    watch(onChange) {
      const listen = ({ key, newValue, storageArea }: StorageEvent) => {
        if (isArea(storageArea)) onChange(key, newValue);
      };
      addEventListener('storage', listen);
      return () => removeEventListener('storage', listen);
    },
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

/** Local storage, or memory. */
export const safeLocalStorage = safeStorage(() => localStorage);

/** Session storage, or memory. */
export const safeSessionStorage = safeStorage(() => sessionStorage);
