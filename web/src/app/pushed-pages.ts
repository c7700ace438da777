import type { Navigator } from '../shared/lib/navigator.ts';
import { isOwnPath } from '../shared/lib/return-to.ts';
import { serviceWorkers } from '../shared/lib/worker.ts';

/** The address to go to that the worker sent; undefined in any other message. */
function addressIn(message: unknown): string | undefined {
  if (typeof message !== 'object' || message === null || !('go' in message)) return undefined;
  return isOwnPath(message.go) ? message.go : undefined;
}

/** Goes to what a pressed notification is about, by the router: another load would lose what was typed. */
export function followPushed(navigator: Navigator): void {
  serviceWorkers()?.addEventListener('message', ({ data, ports: [port] }: MessageEvent<unknown>) => {
    const address = addressIn(data);
    if (!address) return;
    navigator.go(address);
    port?.postMessage('gone');
  });
}
