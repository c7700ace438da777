import { createChallengesService } from '@wayquest/challenges';
import { connectMongo } from '@wayquest/platform/store';
import { longTimeouts, type Network, startInProcessBus, testKeys } from '@wayquest/testing';

/** Starts another instance of the service on a network's store, with its own bus, until the end of the test. */
export async function startAnother({ logger, mongoUrl, databasePrefix }: Network): Promise<void> {
  const bus = startInProcessBus(logger, ['challenges']);
  const { publicKey } = testKeys();
  const service = createChallengesService({
    logger,
    bus,
    mongoUrl,
    databasePrefix,
    publicKey,
    port: 0,
    timeouts: longTimeouts,
    placesUrl: () => 'http://127.0.0.1:9',
    allowances: { perMinute: 1_000, perDay: 1_000 },
  });
  onTestFinished(async () => {
    await service.stop();
    await bus.close();
  });
  await service.start();
}

type Connection = Awaited<ReturnType<typeof connectMongo>>;

/** Gives a test direct access to the service's database. */
export async function withStore<T>(
  { logger, mongoUrl, databasePrefix }: Network,
  work: (database: Connection) => Promise<T>,
): Promise<T> {
  const connection = await connectMongo({
    timeouts: longTimeouts,
    url: mongoUrl,
    database: `${databasePrefix}_challenges`,
    logger,
  });
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}
