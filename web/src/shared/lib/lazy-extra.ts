import { type ComponentType, lazy } from 'react';
import { inTime } from './in-time.ts';

/** A lazily loaded component that the page needs. */
export const lazyPart = <P extends object>(load: () => Promise<{ default: ComponentType<P> }>) =>
  lazy(() => inTime(load()));

/** A lazily loaded component that the page can do without if it cannot be loaded. */
export const lazyExtra = <P extends object>(load: () => Promise<ComponentType<P>>) =>
  lazy(async (): Promise<{ default: ComponentType<P> }> => {
    try {
      return { default: await inTime(load()) };
    } catch {
      return { default: () => null };
    }
  });
