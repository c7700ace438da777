/** The page is drawn by then also where the browser never rests, or cannot tell. */
const patience = 1_000;

/** Resolves when the browser has nothing to do. */
export const whenIdle = () =>
  new Promise<void>((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: patience });
    else setTimeout(resolve, patience);
  });
