import { type ComponentType, lazy } from 'react';
import { loadPart } from './load-part.ts';

/** The page is rendered by then, even if the browser is never idle or has no idle callback. */
const idleTimeoutMs = 1_000;

/** Resolves when the browser is idle. */
export const whenIdle = () =>
  new Promise<void>((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: idleTimeoutMs });
    else setTimeout(resolve, idleTimeoutMs);
  });

/** A lazily loaded component that the page needs. */
export const lazyComponent = <P extends object>(load: () => Promise<{ default: ComponentType<P> }>) =>
  lazy(() => loadPart(load));

/** A lazily loaded component that the page can do without until it can be loaded. */
export const lazyOptional = <P extends object>(load: () => Promise<ComponentType<P>>) =>
  lazy(async () => ({ default: await loadPart(load, true) }));
