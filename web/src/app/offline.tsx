import { createRoot } from 'react-dom/client';
import { sessionWanted } from '../entities/auth/slice.ts';
import { catalogue } from '../shared/i18n/catalogue.ts';
import english from '../shared/i18n/en/offline.ts';
import { serviceWorkers, workerRegistration } from '../shared/lib/worker.ts';
import classes from './offline.module.css';
import type { Store } from './store.ts';

const { useTranslations } = catalogue('offline', english);

/** How often the server is looked for while it is out of reach, and how long it may take, in milliseconds. */
const pause = 10_000;
const probeTimeoutMs = 2_000;
/** How long a refreshed page may take to find a service away once more. */
const refreshDelayMs = 1_000;

function OfflineBar() {
  const t = useTranslations();
  return <div className={classes.bar}>{t('offline')}</div>;
}

/** The browser says only whether there is any network. */
const isServerThere = () =>
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

/** Has all that was answered to a person forgotten once they are gone. */
function forgetWithSession(store: Store): void {
  let isMember = store.getState().auth.status === 'member';
  store.subscribe(() => {
    const wasMember = isMember;
    isMember = store.getState().auth.status === 'member';
    if (wasMember && !isMember)
      serviceWorkers()
        ?.ready.then(({ active }) => active?.postMessage('forget'))
        .catch(() => {});
  });
}

/** Says on every page when the server is out of reach, and has the page ask anew once it is there again. */
export function followNetwork(store: Store): void {
  const html = document.documentElement;
  const place = document.createElement('div');
  place.role = 'status';
  document.body.prepend(place);
  const bar = createRoot(place);
  /** From the start where the worker had to answer for the server. */
  let away = html.hasAttribute('data-offline');
  /** Whether something of this page is older than the network would have it, or is not there. */
  let stale = away;
  /** Whether a part of the app did not arrive. */
  let broken = false;
  /** Where somebody has begun to write. */
  let written = '';
  let timer: ReturnType<typeof setInterval> | undefined;

  const show = () => {
    html.toggleAttribute('data-offline', away);
    bar.render(away && <OfflineBar />);
    clearInterval(timer);
    if (away) timer = setInterval(look, pause);
  };

  const refresh = () => {
    if (broken) return location.reload();
    store.dispatch(sessionWanted());
    // What is being written is worth more than what could be newer.
    if (stale && written !== location.pathname) dispatchEvent(new Event('wayquest:refresh'));
    stale = false;
  };

  const look = async () => {
    const isThere = await isServerThere();
    if (isThere !== away) return;
    if (isThere) {
      refresh();
      // If the reloaded data comes from the worker again, the bar stays.
      await new Promise((resolve) => setTimeout(resolve, refreshDelayMs));
      if (stale) return;
    }
    away = !isThere;
    show();
  };

  addEventListener('online', look);
  addEventListener('offline', look);
  addEventListener('vite:preloadError', () => {
    broken ||= away;
  });
  addEventListener('input', () => {
    written = location.pathname;
  });
  serviceWorkers()?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (data !== 'kept') return;
    stale = true;
    if (away) return;
    // Also where the server is there and a service behind it is not.
    away = true;
    show();
  });
  show();
  if (away) void look();
  forgetWithSession(store);
  void startWorker();
}
