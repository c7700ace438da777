import { randomBytes } from 'node:crypto';
import { createClient } from '@wayquest/contracts';
import { createLogger } from '@wayquest/platform/telemetry';
import {
  connectTestRedis,
  describeWith,
  dropDatabases,
  startDedicated,
  startInProcessBus,
  storeUrl,
  testServiceDeps,
} from '@wayquest/testing';
import { createPlacesService } from '../src/index.ts';
import {
  expectOneRequestPerSecond,
  json,
  type MapServers,
  photonHouse,
  startMapServers,
} from './map-servers.ts';

let maps: MapServers;
beforeAll(async () => {
  maps = await startMapServers();
});
afterAll(() => maps?.stop());

const contact = 'maps@wayquest.example';
const unavailable = { status: 503, problem: { code: 'places-unavailable' } };

let spots = 0;
/** Returns a point that was not requested before. */
const newSpot = () => `40.7${++spots + 100},-73.83`;

(await describeWith('redis'))('one request a second with Redis', () => {
  it('limits all instances together, and calls nothing while Redis is unavailable', async () => {
    const { address, shutDown } = await startDedicated('redis');
    const logger = createLogger({ name: 'test', level: 'silent' });
    const bus = startInProcessBus(logger);
    const databasePrefix = `test_${randomBytes(6).toString('hex')}`;
    const outside = { geocoder: { kind: 'photon', url: maps.url } as const, contact, requestsPerSecond: 1 };
    const startInstance = async () => {
      const redis = await connectTestRedis(address);
      const service = createPlacesService({
        ...testServiceDeps({ logger, bus, databasePrefix }),
        redis,
        outside,
        queueTimeoutMs: 60_000,
      });
      await service.start();
      return { service, redis, client: createClient({ baseUrl: service.url() }) };
    };
    const instances = [await startInstance(), await startInstance()];
    try {
      maps.respondWith(json(photonHouse()));
      const [first, second] = instances.map(
        ({ client }) =>
          () =>
            client.reversePlace({ query: { at: newSpot() } }),
      );
      await expectOneRequestPerSecond(4, () => Promise.all([first?.(), second?.(), first?.(), second?.()]));
      expect(maps.requests).toHaveLength(4);

      await shutDown();
      await expect(first?.()).rejects.toMatchObject(unavailable);
      expect(maps.requests).toHaveLength(4);
    } finally {
      for (const { service, redis } of instances) {
        await service.stop();
        redis.disconnect();
      }
      await dropDatabases(storeUrl(), [`${databasePrefix}_places`]);
    }
  });
});
