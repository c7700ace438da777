import { type ComponentType, lazy } from 'react';
import { inTime } from './in-time.ts';

/** A part that has to be there, for as long as that may take. */
export const lazyPart = <P extends object>(load: () => Promise<{ default: ComponentType<P> }>) =>
  lazy(() => inTime(load()));

/** A part that comes after the page, and that the page does without where it cannot be loaded. */
export const lazyExtra = <P extends object>(load: () => Promise<ComponentType<P>>) =>
  lazy(async (): Promise<{ default: ComponentType<P> }> => {
    try {
      return { default: await inTime(load()) };
    } catch {
      return { default: () => null };
    }
  });
