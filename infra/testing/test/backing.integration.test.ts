import { OursIsBroken } from '../src/backing/backing-service.ts';
import { startBackingService } from '../src/backing/backing-services.ts';
import { backing, describeWith } from '../src/index.ts';

for (const kind of ['mongodb', 'redis', 'rabbitmq'] as const) {
  (await describeWith(kind))(kind, () => {
    test('has an address', async () => {
      expect(await backing(kind)).toMatch(/^\w+:\/\//);
    });
  });
}

const failingBy = (error: Error) => ({ how: 'here', start: () => Promise.reject(error) });
const here = { how: 'there', start: async () => ({ address: 'a', stop: async () => {} }) };

test('the next way is used if one fails', async () => {
  const said: string[] = [];
  const providers = [failingBy(new Error('no program')), here];
  expect(await startBackingService('redis', providers, (sentence) => said.push(sentence))).toMatchObject({
    address: 'a',
  });
  expect(said).toEqual(['redis: here did not start (no program)']);
});

test('images that cannot be built fail the suites that need them', async () => {
  const providers = [failingBy(new OursIsBroken('no build')), here];
  await expect(startBackingService('images', providers, () => {})).rejects.toThrow('no build');
});
