import { type ComponentType, lazy } from 'react';

/** Timeout for loading a part of the app, in milliseconds. */
const partTimeoutMs = 20_000;

/**
 * Adds a timeout to a promise, which rejects with a TimeoutError. For what cannot be aborted, such as an import, which
 * would otherwise wait forever on a connection without a response.
 */
export function withTimeout<T>(promise: Promise<T>, timeoutMs = partTimeoutMs): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new DOMException('it did not arrive in time', 'TimeoutError')),
      timeoutMs,
    );
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

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
