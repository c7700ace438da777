import {
  afterTest,
  createRecordingLogger,
  createTestClock,
  describeWith,
  eventually,
  startDedicated,
  useShared,
} from '@wayquest/testing';
import { register } from 'prom-client';
import { startStoreMetrics } from '../src/store-metrics.ts';

/** The values of a metric by `state`. */
async function valuesOf(name: string): Promise<Record<string, number>> {
  const metric = await register.getSingleMetric(name)?.get();
  return Object.fromEntries((metric?.values ?? []).map(({ labels, value }) => [String(labels.state), value]));
}

(await describeWith('mongodb', 'redis'))('the metrics of the stores (55.12)', () => {
  test('say how full they are, and nothing of one that does not answer', async () => {
    const redis = await startDedicated('redis');
    const { logger, hasLogged } = createRecordingLogger();
    const clock = createTestClock();
    const stop = startStoreMetrics({
      ...{ mongoUrl: await useShared('mongodb'), redisUrl: redis.address, installation: 'wayquest' },
      ...{ logger, clock },
    });
    afterTest(stop);
    await eventually(async () =>
      expect(await valuesOf('wayquest_redis_memory_bytes')).toEqual({ used: expect.any(Number), max: 0 }),
    );
    expect(hasLogged('cannot be read')).toBe(false);

    await redis.shutDown();
    await clock.advance(60_000);
    await eventually(() => hasLogged('the state of a store cannot be read'));
    expect(await valuesOf('wayquest_redis_memory_bytes')).toEqual({});

    await redis.restart();
    await eventually(async () => {
      await clock.advance(60_000);
      expect(await valuesOf('wayquest_redis_memory_bytes')).toHaveProperty('used');
    });
  });
});
