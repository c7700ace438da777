/** The browser's service workers; undefined if it has none, or blocks them. */
export function serviceWorkers(): ServiceWorkerContainer | undefined {
  try {
    return navigator.serviceWorker;
  } catch {
    return undefined;
  }
}

/**
 * Closes notifications that this device still shows.
 *
 * @param isRead - By the notification's id, which is its tag.
 */
export async function closeShownNotifications(isRead: (id: string) => boolean): Promise<void> {
  for (const shown of await shownNotifications()) if (isRead(shown.tag)) shown.close();
}

/** The notifications that this device still shows. */
export async function shownNotifications(): Promise<Notification[]> {
  try {
    const registration = await serviceWorkers()?.getRegistration();
    return (await registration?.getNotifications?.()) ?? [];
  } catch {
    // Some browsers have the API but reject its use.
    return [];
  }
}

const activated = (worker: ServiceWorker) =>
  new Promise<void>((resolve) => {
    worker.addEventListener('statechange', () => {
      if (worker.state === 'activated' || worker.state === 'redundant') resolve();
    });
  });

/**
 * The active registration of our service worker; undefined if there is none: during development, without support, or if
 * its script cannot be loaded.
 */
export async function workerRegistration(): Promise<ServiceWorkerRegistration | undefined> {
  const workers = serviceWorkers();
  if (!import.meta.env.PROD || !workers) return undefined;
  try {
    const registration = await workers.register('/sw.js');
    const pendingWorker = registration.installing ?? registration.waiting;
    if (!registration.active && pendingWorker) await activated(pendingWorker);
    return registration.active ? registration : undefined;
  } catch {
    return undefined;
  }
}
