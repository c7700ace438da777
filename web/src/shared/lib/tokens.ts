import { safeLocalStorage } from './storage.ts';

/** Stores the session's token between visits. */
export interface TokenStore {
  read(): string | null;
  write(token: string): void;
  clear(): void;
  /** Calls back for changes in another tab; returns a function to stop that. */
  watch(onChange: (token: string | null) => void): () => void;
}

const key = 'token';

/** The token in local storage, under `token`. */
export const browserTokens: TokenStore = {
  read: () => safeLocalStorage.getItem(key),
  write: (token) => safeLocalStorage.setItem(key, token),
  clear: () => safeLocalStorage.removeItem(key),
  watch: (onChange) =>
    safeLocalStorage.watch((changed, token) => {
      if (changed === key || changed === null) onChange(token);
    }),
};
