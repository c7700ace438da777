import { connectRedis } from '@wayquest/platform/redis';
import { createLogger } from '@wayquest/platform/telemetry';
import { eventually } from '@wayquest/testing/eventually';

/** Makes Redis reject writes, as if it had no memory left, or accept them again. */
export const fillRedis =
  (url: string) =>
  async (isFull: boolean): Promise<void> => {
    const redis = connectRedis(url, createLogger({ name: 'chaos', level: 'silent' }));
    await eventually(() => redis.status === 'ready');
    await redis.config('SET', 'maxmemory-policy', 'noeviction');
    await redis.config('SET', 'maxmemory', isFull ? '1' : '0');
    redis.disconnect();
  };
