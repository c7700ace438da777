/** Where the session's token is kept between visits. */
export interface TokenStore {
  read(): string | null;
  write(token: string): void;
  clear(): void;
  /** Tells of changes made in another tab; answers how to stop listening. */
  watch(onChange: (token: string | null) => void): () => void;
}

const key = 'token';

/** The token in local storage, under `token`. */
export const browserTokens: TokenStore = {
  read: () => localStorage.getItem(key),
  write: (token) => localStorage.setItem(key, token),
  clear: () => localStorage.removeItem(key),
  watch(onChange) {
    const listen = (event: StorageEvent) => {
      if (event.storageArea !== localStorage) return;
      if (event.key === key || event.key === null) onChange(event.newValue);
    };
    addEventListener('storage', listen);
    return () => removeEventListener('storage', listen);
  },
};
