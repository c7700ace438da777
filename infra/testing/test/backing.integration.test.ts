import { backing, describeWith } from '../src/index.ts';

for (const kind of ['mongodb', 'redis', 'rabbitmq'] as const) {
  (await describeWith(kind))(kind, () => {
    test('has an address', async () => {
      expect(await backing(kind)).toMatch(/^\w+:\/\//);
    });
  });
}
