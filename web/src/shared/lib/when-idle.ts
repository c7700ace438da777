/** The page is rendered by then, even if the browser is never idle or has no idle callback. */
const timeoutMs = 1_000;

/** Resolves when the browser is idle. */
export const whenIdle = () =>
  new Promise<void>((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: timeoutMs });
    else setTimeout(resolve, timeoutMs);
  });
