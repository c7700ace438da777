import {
  type BackingService,
  type Cleanup,
  findBackingService,
  startBackingService,
} from '@wayquest/testing/backing-services';
import { say } from './command.ts';

/** A server that can be stopped and started again. */
export type Restartable = BackingService & Required<Pick<BackingService, 'goAway' | 'comeBack'>>;

/** Starts one; throws if this machine has none. */
async function startRestartable(kind: 'redis' | 'rabbitmq'): Promise<Restartable> {
  for (const way of await findBackingService(kind)) {
    const service = await startBackingService(kind, [way], say);
    const { goAway, comeBack } = service ?? {};
    if (service && goAway && comeBack) {
      say(`${kind}: ${way.how}`);
      return { ...service, goAway, comeBack };
    }
    await service?.stop();
  }
  throw new Error(`there is no ${kind} here that can be restarted`);
}

/** Starts MongoDB, or the embedded store if it is unavailable. */
async function startStore() {
  for (const kind of ['mongodb', 'embedded-store'] as const) {
    // Never uses an external database.
    const providers = (await findBackingService(kind)).filter(({ how }) => how !== 'MONGO_URL');
    const store = await startBackingService(kind, providers, say);
    if (store) {
      say(`store: ${kind}`);
      return store;
    }
  }
  throw new Error('there is no store here');
}

/** Starts all servers that Wayquest needs; the cleanup stops them. */
export const startServers = async ({ keep }: Cleanup) => ({
  mongo: await keep(startStore()),
  rabbitmq: await keep(startRestartable('rabbitmq')),
  redis: await keep(startRestartable('redis')),
});
