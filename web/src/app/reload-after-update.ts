import { safeSessionStorage } from '../shared/lib/storage.ts';

const memory = 'wayquest-reloaded';

/** The name of this build: it changes with that of every part of the app. */
const build = import.meta.url;

/** Whether this build is loaded anew for the first time. A browser that keeps nothing would do so for ever. */
function isFirstTime(): boolean {
  try {
    if (sessionStorage.getItem(memory) === build) return false;
    sessionStorage.setItem(memory, build);
    return sessionStorage.getItem(memory) === build;
  } catch {
    return false;
  }
}

/** Without a server there is nothing newer to be had, and the page would be lost. */
const isServerThere = () =>
  fetch(location.href, { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );

/** The app is here: should its first script not arrive once more, the page is loaded anew as soon as it was this time. */
export function forgetTries(): void {
  safeSessionStorage.removeItem('wayquest-tries');
}

/** An update takes the parts away that an open page has not loaded yet: the page is then loaded anew, once. */
export function reloadAfterUpdate(): void {
  addEventListener('vite:preloadError', async () => {
    if ((await isServerThere()) && isFirstTime()) location.reload();
  });
}
