/** By then the page is drawn, also if the browser is never idle or has no idle callback. */
const patience = 1_000;

/** Resolves when the browser has nothing to do. */
export const whenIdle = () =>
  new Promise<void>((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: patience });
    else setTimeout(resolve, patience);
  });
