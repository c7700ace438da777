// Writes what an operator of containers needs of a version, without sources and builds: a folder for Docker Compose and one for
// Kubernetes, whose images are those of this version and no others.
//
//   node infra/release/deployment.mjs --version 0.3.0 --images registry.example/wayquest [--digests digests.json] <folder>
//
// Images are named `<images>-gateway:<version>`. `digests.json` has their digests in the registry: `{"gateway": "sha256:…"}`.
// Without them, the images are expected to be loaded from an archive, and never pulled.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseDocument } from 'yaml';
import { programs } from '../docker/images.mjs';
import { root } from '../docker/program.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { version: { type: 'string' }, images: { type: 'string' }, digests: { type: 'string' } },
});
const { version, images: prefix } = values;
const [folder] = positionals;
const digests = values.digests ? JSON.parse(readFileSync(values.digests, 'utf8')) : undefined;

const isOfVersion = (name) => Object.hasOwn(programs, name);

function digestOf(name) {
  const digest = digests[name];
  if (!/^sha256:[0-9a-f]{64}$/.test(digest)) throw new Error(`no digest of the image of ${name}`);
  return digest;
}

const read = (file) => parseDocument(readFileSync(join(root, file), 'utf8'), { merge: true });
const write = (file, document) => writeFileSync(file, document.toString({ lineWidth: 0 }));

function copy(target, files) {
  for (const file of files) {
    mkdirSync(dirname(join(target, file)), { recursive: true });
    cpSync(join(root, file), join(target, file), {
      recursive: true,
      filter: (path) => !/\/test(\/|$)/.test(path.slice(root.length)),
    });
  }
}

function writeCompose(target) {
  copy(target, [
    'docker-compose.edge.yml',
    'infra/docker/next-steps.sh',
    'infra/docker/rabbitmq.conf',
    'infra/docs/operations.md',
    'infra/docs/settings.md',
    'infra/edge',
    'infra/observability',
    'infra/prometheus',
  ]);
  const compose = read('docker-compose.yml');
  for (const { key } of compose.get('services').items) {
    const path = ['services', key.value];
    const name = /^\$\{WAYQUEST_IMAGE:-wayquest\}-([a-z]+):/.exec(compose.getIn([...path, 'image']))?.[1];
    if (!name) continue;
    if (!isOfVersion(name)) throw new Error(`there is no image of ${name}`);
    const image = `${prefix}-${name}:${version}`;
    compose.setIn([...path, 'image'], digests ? `${image}@${digestOf(name)}` : image);
    if (!digests) compose.setIn([...path, 'pull_policy'], 'never');
    compose.deleteIn([...path, 'build']);
  }
  compose.delete('x-build');
  compose.delete('x-build-args');
  write(join(target, 'docker-compose.yml'), compose);
}

function writeKubernetes(target) {
  copy(target, ['infra/k8s']);
  const file = 'infra/k8s/overlays/production/kustomization.yaml';
  const overlay = read(file);
  for (const image of overlay.get('images').items) {
    const name = image.get('name').replace('wayquest-', '');
    image.set('newName', `${prefix}-${name}`);
    image.delete('newTag');
    if (digests) image.set('digest', digestOf(name));
    else image.set('newTag', version);
  }
  write(join(target, file), overlay);
}

writeCompose(join(folder, `wayquest-compose-${version}`));
writeKubernetes(join(folder, `wayquest-kubernetes-${version}`));
