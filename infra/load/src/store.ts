import { findBackingService, startBackingService } from '@wayquest/testing/backing-services';
import { printLine, settings } from './settings.ts';

/** Starts MongoDB, or the embedded store if that was requested or MongoDB is unavailable. */
export async function startStore() {
  for (const kind of ['mongodb', 'embedded-store'] as const) {
    if (settings.STORE && settings.STORE !== kind) continue;
    for (const way of await findBackingService(kind)) {
      const store = await startBackingService(kind, [way], printLine);
      if (store) {
        printLine(`store: ${kind}, ${way.description}`);
        return store;
      }
    }
  }
  throw new Error('there is no store here');
}
