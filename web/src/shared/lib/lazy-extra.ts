import { type ComponentType, lazy } from 'react';

/** A part that comes after the page, and that the page does without where it cannot be loaded. */
export const lazyExtra = <P extends object>(load: () => Promise<ComponentType<P>>) =>
  lazy(async (): Promise<{ default: ComponentType<P> }> => {
    try {
      return { default: await load() };
    } catch {
      return { default: () => null };
    }
  });
