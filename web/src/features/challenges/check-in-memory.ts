const key = 'wayquest-check-in';

/** Whether somebody wants to check in with what they complete, in this browser. */
export const checkInMemory = {
  read(userId: number): boolean {
    try {
      return localStorage.getItem(key) === String(userId);
    } catch {
      return false;
    }
  },
  write(userId: number, wanted: boolean): void {
    if (wanted) localStorage.setItem(key, String(userId));
    else localStorage.removeItem(key);
  },
};
