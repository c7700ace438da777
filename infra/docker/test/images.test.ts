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
  for (const watcher of [
    'ALERTMANAGER_IMAGE',
    'GRAFANA_IMAGE',
    'JAEGER_IMAGE',
    'OTEL_COLLECTOR_IMAGE',
    'PROMETHEUS_IMAGE',
  ]) {
    expect(defaults.get(watcher)).toMatch(/^[a-z]+\/[a-z-]+:v?\d+\.\d+\.\d+(@sha256:[0-9a-f]{64})?$/);
    defaults.delete(watcher);
  }
  // So is the proxy, which has to be new.
  expect(defaults.get('CADDY_IMAGE')).toMatch(/^caddy:\d+\.\d+\.\d+(@sha256:[0-9a-f]{64})?$/);
  defaults.delete('CADDY_IMAGE');
  expect([...defaults.keys()].sort()).toEqual(['MONGO_IMAGE', 'NODE_IMAGE', 'RABBITMQ_IMAGE', 'REDIS_IMAGE']);
  for (const image of defaults.values()) expect(image).toMatch(/^[a-z]+:[\w.-]+@sha256:[0-9a-f]{64}$/);
  const dockerfile = await read('infra/docker/Dockerfile');
  expect(/^ARG NODE_IMAGE=(.+)$/m.exec(dockerfile)?.[1]).toBe(defaults.get('NODE_IMAGE'));
});

it('names Wayquest’s images by its version (55.4)', async () => {
  const { version }: { version: string } = JSON.parse(await read('package.json'));
  const images = [
    ...(await read('docker-compose.yml')).matchAll(/image: \$\{WAYQUEST_IMAGE:-wayquest\}(.*)$/gm),
  ];
  expect(images.length).toBeGreaterThan(10);
  for (const [, name] of images) expect(name).toMatch(/^-[a-z]+:\$\{WAYQUEST_VERSION:-[\d.]+\}$/);
  for (const [, name] of images) expect(name).toContain(`:-${version}}`);
  const tags = [
    ...(await read('infra/k8s/overlays/production/kustomization.yaml')).matchAll(/newTag: (.+) \}/g),
  ];
  expect(new Set(tags.map(([, tag]) => tag))).toEqual(new Set([version]));
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
