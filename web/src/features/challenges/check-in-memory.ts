import { safeLocalStorage } from '../../shared/lib/storage.ts';

const key = 'wayquest-check-in';

/** Whether a user chose to check in, in this browser. */
export const checkInMemory = {
  read(userId: number): boolean {
    return safeLocalStorage.getItem(key) === String(userId);
  },
  write(userId: number, wanted: boolean): void {
    if (wanted) safeLocalStorage.setItem(key, String(userId));
    else safeLocalStorage.removeItem(key);
  },
};
