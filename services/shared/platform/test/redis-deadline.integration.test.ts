import { isRedisUnavailable } from '@wayquest/platform/core';
import { connectRedis, type Redis } from '@wayquest/platform/redis';
import { createLogger } from '@wayquest/platform/telemetry';
import { describeWith, eventually, startDedicated } from '@wayquest/testing';

const logger = createLogger({ name: 'test', level: 'silent' });

(await describeWith('redis'))('a command to Redis', () => {
  let server: Awaited<ReturnType<typeof startDedicated>>;
  let redis: Redis;

  beforeAll(async () => {
    server = await startDedicated('redis');
  });
  beforeEach(async () => {
    redis = connectRedis(server.address, logger, { commandMs: 100 });
    await eventually(() => redis.status === 'ready');
  });
  afterEach(async () => {
    await server.resume();
    redis.disconnect();
  });

  const unavailable = async (command: Promise<unknown>) =>
    isRedisUnavailable(
      await command.then(
        () => undefined,
        (error) => error,
      ),
    );

  it('fails as unavailable if Redis does not respond in time, with all later ones, until Redis responds', async () => {
    await server.pause();
    const commands = Array.from({ length: 3 }, () => redis.get('a'));
    expect(await Promise.all(commands.map(unavailable))).toEqual([true, true, true]);
    await eventually(() => redis.status !== 'ready');
    expect(await unavailable(redis.get('a'))).toBe(true);
    await server.resume();
    await eventually(async () => expect(await redis.ping()).toBe('PONG'));
  });

  it('succeeds if the process stalls for longer than the timeout', async () => {
    // In the phase in which timers run before arrived data is read.
    await new Promise((resolve) => setImmediate(resolve));
    const reply = redis.ping();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
    await expect(reply).resolves.toBe('PONG');
    expect(redis.status).toBe('ready');
  });
});
