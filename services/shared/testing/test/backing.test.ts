import { backing } from '@wayquest/testing';

test.each(['mongodb', 'redis', 'rabbitmq'] as const)('gives the address of %s', async (kind) => {
  expect(await backing(kind)).toMatch(/^\w+:\/\//);
});
