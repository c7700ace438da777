import { findBackingService, startBackingService } from '@wayquest/testing/backing-services';
import { say, settings } from './settings.ts';

/** MongoDB, wherever it can be had, or the embedded store where it was asked for or there is nothing else. */
export async function startStore() {
  for (const kind of ['mongodb', 'embedded-store'] as const) {
    if (settings.STORE && settings.STORE !== kind) continue;
    for (const way of await findBackingService(kind)) {
      const store = await startBackingService(kind, [way], say);
      if (store) {
        say(`store: ${kind}, ${way.how}`);
        return store;
      }
    }
  }
  throw new Error('there is no store here');
}
