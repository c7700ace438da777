import { useSyncExternalStore } from 'react';

/** The same text everywhere, so that the display and screen readers agree. */
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
