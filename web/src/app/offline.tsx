import { createRoot } from 'react-dom/client';
import { sessionRetryRequested } from '../entities/auth/slice.ts';
import { catalogue } from '../shared/i18n/catalogue.ts';
import english from '../shared/i18n/en/offline.ts';
import { serviceWorkers, workerRegistration } from '../shared/lib/service-worker.ts';
import { resourcesCleared } from '../shared/saga/request.ts';
import classes from './offline.module.css';
import type { Store } from './store.ts';

const { useTranslations } = catalogue('offline', english);

/** Interval between probes of an unreachable server, and the timeout of one, in milliseconds. */
const probeIntervalMs = 10_000;
const probeTimeoutMs = 2_000;
/** How long to wait after a refresh for a response from the cache, in milliseconds. */
const refreshDelayMs = 1_000;

function OfflineBar() {
  const t = useTranslations();
  return <div className={classes.bar}>{t('offline')}</div>;
}

/** The browser itself only knows whether there is any network. */
const isServerReachable = () =>
  fetch('/favicon.svg', {
    method: 'HEAD',
    cache: 'no-store',
    signal: AbortSignal.timeout(probeTimeoutMs),
  }).then(
    ({ ok }) => ok,
    () => false,
  );

/** Has the worker store the page's style sheets, and what the page fetched before there was a worker. */
async function startWorker(): Promise<void> {
  // Not while the page itself still needs the network.
  if (document.readyState !== 'complete')
    await new Promise((resolve) => addEventListener('load', resolve, { once: true }));
  const isFirst = !serviceWorkers()?.controller;
  const registration = await workerRegistration();
  // A prerendered page contains its styles, and names their sheets without loading them: no worker has seen those.
  const sheets = document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]');
  const fetched = isFirst ? performance.getEntriesByType('resource').map(({ name }) => name) : [];
  const names = [...fetched, ...[...sheets].map(({ href }) => href)].map((name) => new URL(name));
  const paths = names.filter(({ origin }) => origin === location.origin).map(({ pathname }) => pathname);
  registration?.active?.postMessage(paths);
}

/** Has the worker store what members need without a network, also that of a new build. */
function keepMemberFiles(store: Store): void {
  const workers = serviceWorkers();
  const isMember = () => store.getState().auth.status === 'member';
  const keep = () => {
    if (isMember()) workers?.controller?.postMessage('keep-member-files');
  };
  let wasMember = isMember();
  store.subscribe(() => {
    if (isMember() && !wasMember) keep();
    wasMember = isMember();
  });
  workers?.addEventListener('controllerchange', keep);
  keep();
}

/** Deletes the cached responses of a person when their session ends. */
function clearCacheAfterSession(store: Store): void {
  let isMember = store.getState().auth.status === 'member';
  store.subscribe(() => {
    const wasMember = isMember;
    isMember = store.getState().auth.status === 'member';
    if (wasMember && !isMember)
      serviceWorkers()
        ?.ready.then(({ active }) => active?.postMessage('delete-responses'))
        .catch(() => {});
  });
}

/** Shows on every page that the server is unreachable, and reloads the page's data when it is reachable again. */
export function trackNetwork(store: Store): void {
  const html = document.documentElement;
  const container = document.createElement('div');
  container.role = 'status';
  document.body.prepend(container);
  const bar = createRoot(container);
  /** Whether the server is unreachable; initially, whether the page itself is from the cache. */
  let offline = html.hasAttribute('data-offline');
  /** Whether some data of this page is from the cache, or missing. */
  let stale = offline;
  /** Whether a file of the app could not be loaded. */
  let broken = false;
  /** The path at which the person has typed something. */
  let editedPath = '';
  let timer: ReturnType<typeof setInterval> | undefined;

  const show = () => {
    html.toggleAttribute('data-offline', offline);
    bar.render(offline && <OfflineBar />);
    clearInterval(timer);
    if (offline) timer = setInterval(probe, probeIntervalMs);
  };

  const refresh = () => {
    if (broken) return location.reload();
    store.dispatch(sessionRetryRequested());
    // A refresh would lose unsaved input.
    if (stale && editedPath !== location.pathname) {
      store.dispatch(resourcesCleared());
      dispatchEvent(new Event('wayquest:refresh'));
    }
    stale = false;
  };

  const probe = async () => {
    const isReachable = await isServerReachable();
    if (isReachable !== offline) return;
    if (isReachable) {
      refresh();
      // If the reloaded data comes from the worker again, the bar stays.
      await new Promise((resolve) => setTimeout(resolve, refreshDelayMs));
      if (stale) return;
    }
    offline = !isReachable;
    show();
  };

  addEventListener('online', probe);
  addEventListener('offline', probe);
  addEventListener('vite:preloadError', () => {
    broken ||= offline;
  });
  addEventListener('input', () => {
    editedPath = location.pathname;
  });
  serviceWorkers()?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (data !== 'cached-response-used') return;
    stale = true;
    if (offline) return;
    // Also if the gateway is reachable and a service is not.
    offline = true;
    show();
  });
  show();
  if (offline) void probe();
  clearCacheAfterSession(store);
  void startWorker().then(() => keepMemberFiles(store));
}
