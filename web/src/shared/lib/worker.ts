/** The browser's service workers; undefined where it has none, or does not let this page use them. */
export function serviceWorkers(): ServiceWorkerContainer | undefined {
  try {
    return navigator.serviceWorker;
  } catch {
    return undefined;
  }
}

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
  const workers = serviceWorkers();
  if (!import.meta.env.PROD || !workers) return undefined;
  try {
    const registration = await workers.register('/sw.js');
    const coming = registration.installing ?? registration.waiting;
    if (!registration.active && coming) await activated(coming);
    return registration.active ? registration : undefined;
  } catch {
    return undefined;
  }
}
