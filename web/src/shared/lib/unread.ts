import { useSyncExternalStore } from 'react';

/** How many notifications are unread, and how often the server said that something about them changed. */
export interface Unread {
  count: number;
  changes: number;
}

let unread: Unread = { count: 0, changes: 0 };
const listeners = new Set<() => void>();

const set = (next: Unread) => {
  unread = next;
  for (const listener of listeners) listener();
};

/** What the person has just read themselves. */
export const setUnread = (count: number): void => set({ ...unread, count });

/** What the server says. */
export const unreadHeard = (count: number): void => set({ count, changes: unread.changes + 1 });

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
const current = () => unread;

export const useUnread = (): Unread => useSyncExternalStore(subscribe, current, current);
