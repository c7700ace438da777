import './shared/ui/styles.ts';
import { StrictMode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { App } from './app/App.tsx';
import { reloadAfterUpdate, resetReloadAttempts } from './app/reload-after-update.ts';
import { loadPage } from './app/routes.tsx';
import { createStore } from './app/store.ts';
import { supportPageTranslation } from './app/translated-page.ts';
import { followWorkerNavigation } from './app/worker-navigation.ts';
import { startLanguage } from './shared/i18n/language.ts';
import { lazyClient } from './shared/lib/api.ts';
import { browserDrafts } from './shared/lib/drafts.ts';
import { browserFormDrafts } from './shared/lib/form-drafts.ts';
import { createNavigator } from './shared/lib/navigator.ts';
import { browserUnsent } from './shared/lib/outgoing-queue.ts';
import { browserPendingCompletions } from './shared/lib/pending-completions.ts';
import { browserTokens } from './shared/lib/tokens.ts';
import { whenIdle } from './shared/lib/when-idle.ts';
import { withTimeout } from './shared/lib/with-timeout.ts';

async function start(root: HTMLElement) {
  await startLanguage();
  const navigator = createNavigator();
  const api = lazyClient(browserTokens);
  const store = createStore({
    api,
    socket: async () => {
      await whenIdle();
      return (await import('./entities/realtime/socket.ts')).openSocket;
    },
    tokens: browserTokens,
    drafts: browserDrafts,
    formDrafts: browserFormDrafts,
    unsent: browserUnsent,
    pendingCompletions: browserPendingCompletions,
    navigator,
    devicePosition: async () => (await import('./shared/lib/device-position.ts')).devicePosition(),
  });
  const trackNetwork = () =>
    withTimeout(import('./app/offline.tsx'))
      .then((part) => part.trackNetwork(store))
      .catch(() => {});
  // Who is offline is told so at once, and what is shown does not move for it later.
  const isOffline = root.closest('[data-offline]');
  if (isOffline) await trackNetwork();
  // What the build drew of the page stays until all of it is here. What does not arrive is told by the page itself.
  await loadPage(location.pathname).catch(() => {});
  const focused = document.activeElement?.getAttribute('href');
  for (const mark of ['session', 'language']) delete document.documentElement.dataset[mark];
  delete root.dataset.drawn;
  flushSync(() =>
    createRoot(root).render(
      <StrictMode>
        <App api={api} store={store} navigator={navigator} />
      </StrictMode>,
    ),
  );
  followWorkerNavigation(navigator);
  if (!isOffline) void trackNetwork();
  void import('./app/restore-focus.ts').then((part) => part.restoreFocus()).catch(() => {});
  // Who was on a link already stays on it.
  if (focused)
    root.querySelector<HTMLElement>(`[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
}

supportPageTranslation();
resetReloadAttempts();
reloadAfterUpdate();
const root = document.getElementById('root');
// Not awaited here: then other chunks could share nothing with this one, and there would be forty.
if (root) void start(root);
