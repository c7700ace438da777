import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { serviceNames } from '@wayquest/contracts';
import { parse } from 'yaml';

const root = resolve(import.meta.dirname, '../../..');
const script = 'infra/release/deployment.mjs';
const programs = ['gateway', ...serviceNames];
const digests = Object.fromEntries(
  programs.map((name, index) => [name, `sha256:${index.toString(16).padStart(64, '0')}`]),
);

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wayquest-deployment-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

interface ComposeService {
  image: string;
  build?: object;
  pull_policy?: string;
  volumes?: string[];
}

const servicesOf = (): [string, ComposeService][] => {
  const compose: { services: Record<string, ComposeService> } = parse(
    readFileSync(join(folder, 'wayquest-compose-1.2.3/docker-compose.yml'), 'utf8'),
    { merge: true },
  );
  return Object.entries(compose.services);
};

const kubernetesImages = () =>
  parse(
    readFileSync(
      join(folder, 'wayquest-kubernetes-1.2.3/infra/k8s/overlays/production/kustomization.yaml'),
      'utf8',
    ),
  ).images;

function writeDeployment(images: string, ...options: string[]): void {
  execFileSync(process.execPath, [script, '--version', '1.2.3', '--images', images, ...options, folder], {
    cwd: root,
  });
}

function writeDigests(content: object): string {
  const file = join(folder, 'digests.json');
  writeFileSync(file, JSON.stringify(content));
  return file;
}

it('pins every image of the version to its digest in the registry, and builds none', () => {
  writeDeployment('registry.example/wayquest', '--digests', writeDigests(digests));
  const services = servicesOf();
  expect(services.filter(([, { build }]) => build)).toEqual([]);
  const own = services.filter(([, { image }]) => image.startsWith('registry.example/'));
  // The programs, and the four that run a command of auth's image.
  expect(own).toHaveLength(programs.length + 4);
  for (const [, { image, pull_policy }] of own) {
    const [, name = ''] = /wayquest-([a-z]+):1\.2\.3@/.exec(image) ?? [];
    expect(image).toBe(`registry.example/wayquest-${name}:1.2.3@${digests[name]}`);
    expect(pull_policy).toBeUndefined();
  }
  expect(kubernetesImages()).toEqual(
    programs.map((name) => ({
      name: `wayquest-${name}`,
      newName: `registry.example/wayquest-${name}`,
      digest: digests[name],
    })),
  );
});

it('never pulls an image that has to be loaded from the archive', () => {
  writeDeployment('wayquest');
  const own = servicesOf().filter(([, { image }]) => image.startsWith('wayquest-'));
  expect(own).toHaveLength(programs.length + 4);
  for (const [, service] of own) expect(service).toMatchObject({ pull_policy: 'never' });
  expect(kubernetesImages()).toContainEqual({
    name: 'wayquest-chat',
    newName: 'wayquest-chat',
    newTag: '1.2.3',
  });
});

it('contains every file that its containers mount', () => {
  writeDeployment('wayquest');
  const mounted = servicesOf()
    .flatMap(([, { volumes = [] }]) => volumes)
    .flatMap((volume) => /^\.\/([^:]+):/.exec(volume)?.[1] ?? []);
  expect(mounted.length).toBeGreaterThan(3);
  const files = [...mounted, 'infra/edge/haproxy.cfg', 'docker-compose.edge.yml'];
  const missing = files.filter((file) => !existsSync(join(folder, 'wayquest-compose-1.2.3', file)));
  expect(missing).toEqual([]);
});

it('fails if an image has no digest', () => {
  const { chat: _, ...others } = digests;
  const file = writeDigests(others);
  const args = [script, '--version', '1.2.3', '--images', 'wayquest', '--digests', file, folder];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr).toContain('no digest of the image of chat');
});

it('releases nothing but the version of a tagged commit', () => {
  const release = (...args: string[]) =>
    spawnSync(process.execPath, ['infra/release/release.mjs', ...args], { cwd: root, encoding: 'utf8' });
  expect(release()).toMatchObject({
    status: 1,
    stderr: 'Name the version: make release VERSION=0.3.0\n',
  });
  expect(release('--version', '99.0.0')).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(
      /^This is version \S+\. Write 99\.0\.0 into every package\.json first\.\n$/,
    ),
  });
});
