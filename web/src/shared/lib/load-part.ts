/** Timeout for loading a part of the app, in milliseconds. */
const timeoutMs = 20_000;

const tooLate = new DOMException('it did not arrive in time', 'TimeoutError');

/** Rejects after the timeout: an import cannot be aborted, and would wait forever on a connection without a response. */
function withTimeout<T>(promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(reject, timeoutMs, tooLate);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Style sheets that could not be loaded. */
const failedStyles = new Set<HTMLLinkElement>();

// Errors of elements do not bubble. In the worker, and while pages are prerendered, there is no document.
if (typeof document !== 'undefined')
  addEventListener(
    'error',
    ({ target }) => {
      if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failedStyles.add(target);
    },
    true,
  );

const reload = (link: HTMLLinkElement) =>
  new Promise((onload, onerror) => {
    const { rel, href } = link;
    link.replaceWith(Object.assign(document.createElement('link'), { rel, href, onload, onerror }));
  });

/** Resolves once those of the last call are loaded. */
let reloaded: Promise<unknown> = Promise.resolve();

/** Loads style sheets again that failed: Vite requests each once, and would then load the part without it. */
function reloadStyles(): Promise<unknown> {
  if (failedStyles.size > 0) reloaded = Promise.all([...failedStyles].map(reload));
  failedStyles.clear();
  return reloaded;
}

/** By how much each pause is longer than the one before. */
const pauseStepMs = 1_000;

/** Resolves after a pause, or once the network is back. */
const pause = (ms: number) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
    addEventListener('online', resolve, { once: true });
  });

/** How often a part is requested until it counts as lost. */
const maxAttempts = 3;

/**
 * Loads a part of the app by a function that imports it. What fails, as when the network changes, is requested again with
 * growing pauses. (Browsers from before 2026 remember a module that failed; `wayquest:part-lost` reloads the page then.)
 *
 * @param isOptional - Whether nobody waits for it: it is requested until it is there, instead of rejecting.
 */
export async function loadPart<T>(load: () => Promise<T>, isOptional = false): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      if (attempt > 1) await reloadStyles();
      return await withTimeout(load());
    } catch (error) {
      if (attempt === maxAttempts) dispatchEvent(new Event('wayquest:part-lost'));
      if (!isOptional && (attempt >= maxAttempts || error === tooLate || !navigator.onLine)) throw error;
      await pause(attempt * pauseStepMs);
    }
  }
}
