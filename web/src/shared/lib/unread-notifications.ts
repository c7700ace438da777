import { useSyncExternalStore } from 'react';

/** A count where there is little room. Names for screen readers contain the exact number. */
export const countText = (count: number) => (count > 99 ? '99+' : String(count));

let unread = 0;
const listeners = new Set<() => void>();

export const setUnread = (count: number): void => {
  unread = count;
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
const current = () => unread;

/** The number of unread notifications. */
export const useUnreadNotifications = (): number => useSyncExternalStore(subscribe, current, current);
