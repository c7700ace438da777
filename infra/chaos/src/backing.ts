import { findBackingService, startBackingService } from '@wayquest/testing/backing-services';
import { say } from './settings.ts';

export interface Restartable {
  address: string;
  restart(awayMs: number): Promise<void>;
  stop(): Promise<void>;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Starts a backing service that can be taken away; throws if this machine has none. */
export async function startRestartable(kind: 'redis' | 'rabbitmq'): Promise<Restartable> {
  for (const way of await findBackingService(kind)) {
    const service = await startBackingService(kind, [way], say);
    const { goAway, comeBack } = service ?? {};
    if (service && goAway && comeBack) {
      say(`${kind}: ${way.how}`);
      return {
        address: service.address,
        stop: service.stop,
        async restart(awayMs) {
          await goAway();
          await pause(awayMs);
          await comeBack();
        },
      };
    }
    await service?.stop();
  }
  throw new Error(`there is no ${kind} here that can be restarted`);
}

/** MongoDB, or the store that comes with Wayquest where there is none. */
export async function startStore() {
  for (const kind of ['mongodb', 'embedded-store'] as const) {
    // Never in a database that somebody else uses.
    const ways = (await findBackingService(kind)).filter(({ how }) => how !== 'MONGO_URL');
    const store = await startBackingService(kind, ways, say);
    if (store) {
      say(`store: ${kind}`);
      return store;
    }
  }
  throw new Error('there is no store here');
}
