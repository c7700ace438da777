import { BuildError } from '../src/backing/backing-service.ts';
import { startBackingService } from '../src/backing/backing-services.ts';
import { afterTest, describeWith, findBackingAddress } from '../src/index.ts';
import { startBackingServer } from '../src/jest/backing-server.ts';

for (const kind of ['mongodb', 'redis', 'rabbitmq'] as const) {
  (await describeWith(kind))(kind, () => {
    test('has the address of a server', async () => {
      expect(await findBackingAddress(kind)).toMatch(/^\w+:\/\//);
    });
  });
}

const failingWith = (error: Error) => ({ description: 'first', start: () => Promise.reject(error) });
const working = { description: 'second', start: async () => ({ address: 'a', stop: async () => {} }) };

test('starts the next provider if one fails, and logs why', async () => {
  const logged: string[] = [];
  const providers = [failingWith(new Error('no program')), working];
  expect(await startBackingService('redis', providers, (message) => logged.push(message))).toMatchObject({
    address: 'a',
  });
  expect(logged).toEqual(['redis: first did not start (no program)']);
});

test('fails instead of using another provider if images cannot be built', async () => {
  const providers = [failingWith(new BuildError('no build')), working];
  await expect(startBackingService('images', providers, () => {})).rejects.toThrow('no build');
});

describe('a service that none of its providers can start', () => {
  const providers = { redis: [failingWith(new Error('no program'))] };

  async function requestRedis(requiredKinds: 'redis'[]) {
    const server = await startBackingServer(providers, requiredKinds, () => {});
    afterTest(() => server.close());
    const body = JSON.stringify({ action: 'get', kind: 'redis' });
    return fetch(server.url, { method: 'POST', body });
  }

  it('is missing if the run does not require it', async () => {
    const response = await requestRedis([]);
    expect({ status: response.status, body: await response.json() }).toEqual({ status: 200, body: {} });
  });

  it('fails the suites that need it if the run requires it', async () => {
    const response = await requestRedis(['redis']);
    expect(response.status).toBe(500);
    expect(await response.text()).toBe('this run requires redis, which did not start');
  });
});
