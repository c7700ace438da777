import { once } from 'node:events';
import { connectRedis } from '@wayquest/platform/redis';
import { createLogger } from '@wayquest/platform/telemetry';
import { describeWith, ownBacking } from '@wayquest/testing';
import type { Gateway } from '../src/index.ts';
import { cleanUp, cleanUpLater, echo, startGateway, startUpstream } from './support.ts';

afterEach(cleanUp);

const login = async (gateway: Gateway) =>
  (await fetch(`${gateway.url()}/auth/login`, { method: 'POST', body: '{}' })).status;

(await describeWith('redis'))('limits with Redis', () => {
  it('count attempts for all gateways together, and for each alone while Redis is away', async () => {
    const { address, goAway } = await ownBacking('redis');
    const logger = createLogger({ name: 'test', level: 'silent' });
    const { url } = await startUpstream(echo);
    const connections = [connectRedis(address, logger), connectRedis(address, logger)];
    for (const redis of connections) cleanUpLater(async () => redis.disconnect());
    await Promise.all(connections.map((redis) => once(redis, 'ready')));
    const [one, other] = await Promise.all(
      connections.map((redis) =>
        startGateway(url, { redis, rateLimits: { attempts: { points: 2, seconds: 600 } } }),
      ),
    );
    if (!one || !other) throw new Error('two gateways were started');

    expect([await login(one), await login(other), await login(one), await login(other)]).toEqual([
      200, 200, 429, 429,
    ]);

    await goAway();
    expect([await login(one), await login(one), await login(one)]).toEqual([200, 200, 429]);
  });
});
