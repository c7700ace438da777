import { type ComponentType, lazy } from 'react';
import { withTimeout } from './with-timeout.ts';

/** A lazily loaded component that the page needs. */
export const lazyComponent = <P extends object>(load: () => Promise<{ default: ComponentType<P> }>) =>
  lazy(() => withTimeout(load()));

/** A lazily loaded component that the page can do without if it cannot be loaded. */
export const lazyOptional = <P extends object>(load: () => Promise<ComponentType<P>>) =>
  lazy(async (): Promise<{ default: ComponentType<P> }> => {
    try {
      return { default: await withTimeout(load()) };
    } catch {
      return { default: () => null };
    }
  });
