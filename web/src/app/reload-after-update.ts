import { safeSessionStorage } from '../shared/lib/storage.ts';

const storageKey = 'wayquest-reloaded';

/** Identifies this build: the name changes with the content of any file of the app. */
const build = import.meta.url;

/** Whether this build reloads the page for the first time. Without session storage it never does, to avoid a loop. */
function isFirstReload(): boolean {
  try {
    if (sessionStorage.getItem(storageKey) === build) return false;
    sessionStorage.setItem(storageKey, build);
    return sessionStorage.getItem(storageKey) === build;
  } catch {
    return false;
  }
}

/** If the server is unreachable, a reload would only lose the page. */
const isServerReachable = () =>
  fetch(location.href, { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );

/** Resets the number of reloads after the app's first script could not be loaded, now that it was. */
export function resetReloadAttempts(): void {
  safeSessionStorage.removeItem('wayquest-tries');
}

/** Reloads the page, once, if an update removed a file that it has not loaded yet. */
export function reloadAfterUpdate(): void {
  addEventListener('vite:preloadError', async () => {
    if ((await isServerReachable()) && isFirstReload()) location.reload();
  });
}
