import { useSyncExternalStore } from 'react';

/** The same text everywhere, so that the display and screen readers agree. */
export const countText = (count: number) => (count > 99 ? '99+' : String(count));

/** The number of unread notifications, and how many changes the server reported. */
interface Unread {
  count: number;
  changes: number;
}

let unread: Unread = { count: 0, changes: 0 };
const listeners = new Set<() => void>();

const set = (next: Unread) => {
  unread = next;
  for (const listener of listeners) listener();
};

/** Sets the number after the person read some. */
export const setUnread = (count: number): void => set({ ...unread, count });

/** Sets the number that the server reported. */
export const unreadChanged = (count: number): void => set({ count, changes: unread.changes + 1 });

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
const current = () => unread;

export const useUnreadNotifications = (): Unread => useSyncExternalStore(subscribe, current, current);
