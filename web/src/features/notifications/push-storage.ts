import { safeLocalStorage, storedJson } from '../../shared/lib/storage.ts';

/** The user whom this browser is subscribed for, and the login. */
interface StoredPush {
  userId: number;
  login: string;
  /** When the subscription was last sent to the server, in milliseconds. */
  sentAt?: number;
}

const key = 'wayquest-push';

const isMemory = (value: unknown): value is StoredPush =>
  typeof value === 'object' &&
  value !== null &&
  'userId' in value &&
  typeof value.userId === 'number' &&
  'login' in value &&
  typeof value.login === 'string';

export const pushStorage = {
  read(): StoredPush | undefined {
    const stored = storedJson(safeLocalStorage, key);
    return isMemory(stored) ? stored : undefined;
  },
  write: (memory: StoredPush): void => void safeLocalStorage.setItem(key, JSON.stringify(memory)),
  clear: (): void => safeLocalStorage.removeItem(key),
};
