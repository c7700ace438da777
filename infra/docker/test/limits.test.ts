import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { serviceNames } from '@wayquest/contracts';
import { parse } from 'yaml';

const root = resolve(import.meta.dirname, '../../..');
const reset = { tag: '!reset', collection: 'seq', resolve: () => 'none' } as const;

const services = ['docker-compose.yml', 'docker-compose.edge.yml'].flatMap((file) => {
  const { services }: { services: Record<string, { image?: string; mem_limit?: string; deploy?: object }> } =
    parse(readFileSync(resolve(root, file), 'utf8'), { merge: true, customTags: [reset] });
  // Without an image, it extends a service of the other file.
  return Object.entries(services).filter(([, { image }]) => image);
});

test.each(services)('%s has memory and log limits', (_name, service) => {
  expect(service).toMatchObject({
    mem_limit: expect.stringMatching(/^\$\{\w+:-\d+[mg]\}$/),
    memswap_limit: service.mem_limit,
    logging: {
      driver: 'json-file',
      options: { 'max-size': expect.stringMatching(/^\d+m$/), 'max-file': expect.stringMatching(/^\d+$/) },
    },
  });
});

test.each(serviceNames)('%s has a number of instances that a later `up` keeps', (name) => {
  const [, service] = services.find(([one]) => one === name) ?? [];
  const variable = `${name.toUpperCase()}_REPLICAS`;
  expect(service?.deploy).toEqual({ replicas: `\${${variable}:-\${REPLICAS:-1}}` });
});
