import { BuildError } from '../src/backing/backing-service.ts';
import { startBackingService } from '../src/backing/backing-services.ts';
import { describeWith, findBackingAddress } from '../src/index.ts';

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
