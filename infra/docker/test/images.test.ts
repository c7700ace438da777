import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

const read = (path: string) => readFile(resolve(import.meta.dirname, '../../..', path), 'utf8');

it('pins official images by digest', async () => {
  const compose = await read('docker-compose.yml');
  const defaults = new Map(
    [...compose.matchAll(/\$\{(\w+_IMAGE):-([^}]+:[^}]+)\}/g)].map(
      ([, name, image = '']) => [name, image] as const,
    ),
  );
  // Images of monitoring are pinned by version only.
  for (const watcher of ['GRAFANA_IMAGE', 'JAEGER_IMAGE', 'OTEL_COLLECTOR_IMAGE', 'PROMETHEUS_IMAGE']) {
    expect(defaults.get(watcher)).toMatch(/^[a-z]+\/[a-z-]+:v?\d+\.\d+\.\d+(@sha256:[0-9a-f]{64})?$/);
    defaults.delete(watcher);
  }
  expect([...defaults.keys()].sort()).toEqual(['MONGO_IMAGE', 'NODE_IMAGE', 'RABBITMQ_IMAGE', 'REDIS_IMAGE']);
  for (const image of defaults.values()) expect(image).toMatch(/^[a-z]+:[\w.-]+@sha256:[0-9a-f]{64}$/);
  const dockerfile = await read('infra/docker/Dockerfile');
  expect(/^ARG NODE_IMAGE=(.+)$/m.exec(dockerfile)?.[1]).toBe(defaults.get('NODE_IMAGE'));
});

it('the lockfile contains the optional packages of other platforms', async () => {
  const { packages }: { packages: Record<string, { optionalDependencies?: Record<string, string> }> } =
    JSON.parse(await read('package-lock.json'));
  const missing = Object.entries(packages)
    .filter(([path]) => path.startsWith('node_modules/'))
    .flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (name) => !packages[`${path}/node_modules/${name}`] && !packages[`node_modules/${name}`],
      ),
    );
  expect(missing).toEqual([]);
});
