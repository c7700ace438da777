// First: layers get their precedence in the order in which they are named.
import './shared/ui/base.css';
import '@fontsource-variable/nunito-sans/wght.css';
import './shared/ui/fallback-fonts.css';
import '@mantine/core/styles/baseline.layer.css';
import '@mantine/core/styles/default-css-variables.layer.css';
import '@mantine/core/styles/global.layer.css';
import '@mantine/core/styles/UnstyledButton.layer.css';
import '@mantine/core/styles/VisuallyHidden.layer.css';
import '@mantine/core/styles/Group.layer.css';
import '@mantine/core/styles/Stack.layer.css';
import '@mantine/core/styles/Loader.layer.css';
import '@mantine/core/styles/Text.layer.css';
import '@mantine/core/styles/Title.layer.css';
import '@mantine/core/styles/Button.layer.css';
import '@mantine/core/styles/ActionIcon.layer.css';
import '@mantine/core/styles/CloseButton.layer.css';
import '@mantine/core/styles/Paper.layer.css';
import '@mantine/core/styles/Skeleton.layer.css';
import '@mantine/core/styles/Avatar.layer.css';
import { StrictMode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { App } from './app/App.tsx';
import { loadPage } from './app/routes.tsx';
import { createStore } from './app/store.ts';
import { supportPageTranslation } from './app/translated-page.ts';
import { startLanguage } from './shared/i18n/language.ts';
import { lazyClient } from './shared/lib/api.ts';
import { devicePosition } from './shared/lib/device-position.ts';
import { browserFormDrafts } from './shared/lib/form-drafts.ts';
import { whenIdle } from './shared/lib/lazy-loading.ts';
import { loadPart } from './shared/lib/load-part.ts';
import { createNavigator, type Navigator } from './shared/lib/navigator.ts';
import { isLocalPath } from './shared/lib/return-to.ts';
import { askServerTime } from './shared/lib/server-time.ts';
import { serviceWorkers } from './shared/lib/service-worker.ts';
import { safeSessionStorage } from './shared/lib/storage.ts';
import { browserTokens } from './shared/lib/tokens.ts';
import { browserUnsentItems } from './shared/lib/unsent-items.ts';
import { resourcesInvalidated } from './shared/saga/request.ts';

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
function resetReloadAttempts(): void {
  safeSessionStorage.removeItem('wayquest-tries');
}

/** Reloads the page, once, if an update removed a file that it has not loaded yet. */
function reloadAfterUpdate(): void {
  addEventListener('wayquest:part-lost', async () => {
    if ((await isServerReachable()) && isFirstReload()) location.reload();
  });
}

/** The path in a navigation message of the service worker; undefined for any other message. */
function pathIn(message: unknown): string | undefined {
  if (typeof message !== 'object' || message === null || !('go' in message)) return undefined;
  return isLocalPath(message.go) ? message.go : undefined;
}

/** Opens the page of a clicked notification by the router, since a page load would lose unsaved input. */
function followWorkerNavigation(navigator: Navigator): void {
  serviceWorkers()?.addEventListener('message', ({ data, ports: [port] }: MessageEvent<unknown>) => {
    const path = pathIn(data);
    if (!path) return;
    navigator.go(path);
    port?.postMessage('gone');
  });
}

async function start(root: HTMLElement) {
  await startLanguage();
  const navigator = createNavigator();
  const api = lazyClient(browserTokens, (outdated) => store.dispatch(resourcesInvalidated(outdated)));
  const store = createStore({
    api,
    socket: async () => {
      await whenIdle();
      return (await loadPart(() => import('./entities/realtime/socket.ts'))).openSocket;
    },
    tokens: browserTokens,
    formDrafts: browserFormDrafts,
    unsentItems: browserUnsentItems,
    navigator,
    // Not loaded when it is needed: that may be without a network.
    devicePosition,
    askServerTime,
  });
  const trackNetwork = () =>
    loadPart(() => import('./app/offline.tsx'))
      .then((part) => part.trackNetwork(store))
      .catch(() => {});
  // Shown before the page, so that the page does not move later.
  const isOffline = root.closest('[data-offline]');
  if (isOffline) await trackNetwork();
  // Before the page, which may be used as soon as it is there.
  void loadPart(() => import('./app/restore-focus.ts'), true).then((part) => part.restoreFocus());
  // The prerendered page stays until the code of the page is loaded. The page itself shows an error if that fails.
  await loadPage(location.pathname).catch(() => {});
  const focused = document.activeElement?.getAttribute('href');
  for (const mark of ['session', 'language']) delete document.documentElement.dataset[mark];
  delete root.dataset.prerendered;
  flushSync(() =>
    createRoot(root).render(
      <StrictMode>
        <App store={store} navigator={navigator} />
      </StrictMode>,
    ),
  );
  followWorkerNavigation(navigator);
  if (!isOffline) void trackNetwork();
  // A link that had the focus keeps it.
  if (focused)
    root.querySelector<HTMLElement>(`[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
}

supportPageTranslation();
resetReloadAttempts();
reloadAfterUpdate();
const root = document.getElementById('root');
// No top-level await: other chunks could then share no code with this one, and there would be forty more of them.
if (root) void start(root);
