import type { Navigator } from '../shared/lib/navigator.ts';
import { isOwnPath } from '../shared/lib/return-to.ts';
import { serviceWorkers } from '../shared/lib/worker.ts';

/** The path in a navigation message of the service worker; undefined for any other message. */
function pathIn(message: unknown): string | undefined {
  if (typeof message !== 'object' || message === null || !('go' in message)) return undefined;
  return isOwnPath(message.go) ? message.go : undefined;
}

/** Opens the page of a clicked notification by the router, since a page load would lose unsaved input. */
export function followWorkerNavigation(navigator: Navigator): void {
  serviceWorkers()?.addEventListener('message', ({ data, ports: [port] }: MessageEvent<unknown>) => {
    const path = pathIn(data);
    if (!path) return;
    navigator.go(path);
    port?.postMessage('gone');
  });
}
