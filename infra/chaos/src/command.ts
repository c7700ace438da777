import { wholeNumber } from '@wayquest/platform/settings';
import {
  type BackingService,
  type Cleanup,
  createCleanup,
  findBackingService,
  startBackingService,
} from '@wayquest/testing/backing-services';

export const printLine = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** A number of sentences, and the sentences. */
export const listOf = (title: string, sentences: string[]): string =>
  `${title}: ${sentences.length}${sentences.map((sentence) => `\n  ${sentence}`).join('')}`;

/** A setting with a positive integer. */
export const positiveInteger = (defaultValue: number) => wholeNumber({ min: 1 }).default(defaultValue);

/** Stops everything at the end of a command, also after an error. */
export function cleanUpAtExit(): Cleanup {
  const cleanup = createCleanup();
  process.on('uncaughtException', (error) => {
    process.stderr.write(`${error.stack}\n`);
    void cleanup.exit(1);
  });
  return cleanup;
}

/** A server that can be stopped and started again. */
export type Restartable = BackingService & Required<Pick<BackingService, 'shutDown' | 'restart'>>;

/** Starts one; throws if this machine has none. */
async function startRestartable(kind: 'redis' | 'rabbitmq'): Promise<Restartable> {
  for (const way of await findBackingService(kind)) {
    const service = await startBackingService(kind, [way], printLine);
    const { shutDown, restart } = service ?? {};
    if (service && shutDown && restart) {
      printLine(`${kind}: ${way.description}`);
      return { ...service, shutDown, restart };
    }
    await service?.stop();
  }
  throw new Error(`there is no ${kind} here that can be restarted`);
}

/** Starts MongoDB, or the embedded store if it is unavailable. */
async function startStore() {
  for (const kind of ['mongodb', 'embedded-store'] as const) {
    // Never uses an external database.
    const providers = (await findBackingService(kind)).filter(
      ({ description }) => description !== 'MONGO_URL',
    );
    const store = await startBackingService(kind, providers, printLine);
    if (store) {
      printLine(`store: ${kind}`);
      return store;
    }
  }
  throw new Error('there is no store here');
}

/** Starts all servers that Wayquest needs; the cleanup stops them. */
export const startServers = async ({ register }: Cleanup) => ({
  mongo: await register(startStore()),
  rabbitmq: await register(startRestartable('rabbitmq')),
  redis: await register(startRestartable('redis')),
});
