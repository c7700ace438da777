const activated = (worker: ServiceWorker) =>
  new Promise<void>((resolve) => {
    worker.addEventListener('statechange', () => {
      if (worker.state === 'activated' || worker.state === 'redundant') resolve();
    });
  });

/**
 * The registration of our service worker, once it does its work; none where there can be none: during development,
 * in a browser that has or allows none, or while its parts do not arrive.
 */
export async function workerRegistration(): Promise<ServiceWorkerRegistration | undefined> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return undefined;
  try {
    const registration = await navigator.serviceWorker.register('/sw.js');
    const coming = registration.installing ?? registration.waiting;
    if (!registration.active && coming) await activated(coming);
    return registration.active ? registration : undefined;
  } catch {
    return undefined;
  }
}
