import { connectTestRedis, describeWith, eventually, startDedicated } from '@wayquest/testing';
import type { Gateway, GatewayDeps } from '../src/index.ts';
import { cleanUp, cleanUpLater, echo, startGateway, startUpstream } from './support.ts';

afterEach(cleanUp);

const login = async (gateway: Gateway) =>
  (await fetch(`${gateway.url()}/auth/login`, { method: 'POST', body: '{}' })).status;

/** Starts two gateways that count in the same Redis. */
async function startTwo(rateLimits: NonNullable<GatewayDeps['rateLimits']>) {
  const { address, shutDown } = await startDedicated('redis');
  const { url } = await startUpstream(echo);
  const connections = await Promise.all([connectTestRedis(address), connectTestRedis(address)]);
  for (const redis of connections) cleanUpLater(async () => redis.disconnect());
  const [one, other] = await Promise.all(
    connections.map((redis) => startGateway(url, { redis, rateLimits })),
  );
  if (!one || !other) throw new Error('two gateways were started');
  return { one, other, shutDown };
}

(await describeWith('redis'))('limits with Redis', () => {
  it('count attempts of all gateways together, and separately while Redis is unavailable', async () => {
    const { one, other, shutDown } = await startTwo({ attempts: { max: 2, seconds: 600 } });
    expect([await login(one), await login(other), await login(one), await login(other)]).toEqual([
      200, 200, 429, 429,
    ]);

    await shutDown();
    expect([await login(one), await login(one), await login(one)]).toEqual([200, 200, 429]);
  });

  it('count the calls of an address at all gateways together, within seconds', async () => {
    const { one, other } = await startTwo({
      perAddress: { max: 1_000, seconds: 600 },
      perToken: { max: 1_000_000, seconds: 600 },
    });
    const getStatus = async (gateway: Gateway) => (await fetch(`${gateway.url()}/api/users/1`)).status;
    for (let n = 0; n < 600; n++) await Promise.all([getStatus(one), getStatus(other)]);
    // Neither gateway reaches the limit of a thousand by itself.
    await eventually(async () => expect([await getStatus(one), await getStatus(other)]).toEqual([429, 429]), {
      everyMs: 300,
    });
  });
});
