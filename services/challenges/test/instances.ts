import { createChallengesService } from '@wayquest/challenges';
import { afterTest, type Network, startInProcessBus, testServiceDeps } from '@wayquest/testing';

/** Starts another instance of the service on a network's store, with its own bus, until the end of the test. */
export async function startAnother({ logger, databasePrefix }: Network): Promise<void> {
  const bus = startInProcessBus(logger, ['challenges']);
  const service = createChallengesService({
    ...testServiceDeps({ logger, bus, databasePrefix }),
    placesUrl: () => 'http://127.0.0.1:9',
    allowances: { perMinute: 1_000, perDay: 1_000 },
  });
  afterTest(async () => {
    await service.stop();
    await bus.close();
  });
  await service.start();
}
