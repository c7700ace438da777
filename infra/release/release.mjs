// Makes all files of a version in `release/<version>`, after `make build`: see README.md.
//
//   node infra/release/release.mjs --version 0.3.0 [--registry registry.example/owner]
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  createReadStream,
  createWriteStream,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { createGzip } from 'node:zlib';
import { manifestOf } from '../docker/bundle.mjs';
import { programs } from '../docker/images.mjs';
import { root } from '../docker/program.mjs';

const { values } = parseArgs({ options: { version: { type: 'string' }, registry: { type: 'string' } } });
const { version, registry } = values;
const prefix = registry ? `${registry}/wayquest` : 'wayquest';
const folder = join(root, 'release', version ?? '');

/** Runs a program in the repository; returns what it prints. */
const output = (program, ...args) =>
  execFileSync(program, args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 }).trim();
const run = (program, args, options) =>
  execFileSync(program, args, { cwd: root, stdio: 'inherit', ...options });

/** The version's part of the changelog. */
function notesOf(version) {
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  const parts = changelog.split(/^## /m);
  return parts
    .find((part) => part.startsWith(`[${version}]`))
    ?.replace(/^.*\n/, '')
    .trim();
}

/** Why this commit cannot be released; undefined if it can. */
function obstacle() {
  if (!version) return 'Name the version: make release VERSION=0.3.0';
  const current = manifestOf(root).version;
  if (current !== version)
    return `This is version ${current}. Write ${version} into every package.json first.`;
  if (!notesOf(version)) return `CHANGELOG.md has no part [${version}].`;
  const tag = `v${version}`;
  if (!output('git', 'tag', '--points-at', 'HEAD').split('\n').includes(tag))
    return `This commit is not tagged: git tag ${tag}`;
  if (output('git', 'status', '--porcelain'))
    return 'There are changes that are not committed. Commit or remove them first.';
  return undefined;
}

const imageOf = (name) => `${prefix}-${name}:${version}`;

/** Writes the images into one archive, in which they share their layers. */
async function saveImages(file) {
  const save = spawn('docker', ['save', ...Object.keys(programs).map(imageOf)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(save, 'exit');
  await pipeline(save.stdout, createGzip(), createWriteStream(file));
  const [code] = await exited;
  if (code !== 0) throw new Error(`docker save exited with ${code}`);
}

/** Pushes an image; returns its digest in the registry. */
function push(name) {
  const image = imageOf(name);
  run('docker', ['push', '--quiet', image]);
  const digests = JSON.parse(
    output('docker', 'image', 'inspect', '--format', '{{json .RepoDigests}}', image),
  );
  const [, digest] = digests.map((one) => one.split('@')).find(([owner]) => owner === `${prefix}-${name}`);
  return digest;
}

async function sha256(file) {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

async function release() {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const node = (script, ...args) => run(process.execPath, [join(import.meta.dirname, script), ...args]);
  writeFileSync(join(folder, 'NOTES.md'), `${notesOf(version)}\n`);
  writeFileSync(
    join(folder, 'sbom.json'),
    output('npm', 'sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'),
  );
  node('package.mjs', folder);

  run('docker', ['compose', 'build'], {
    env: { ...process.env, WAYQUEST_VERSION: version, WAYQUEST_IMAGE: prefix },
  });
  await saveImages(join(folder, `wayquest-images-${version}.tar.gz`));
  const options = ['--version', version, '--images', prefix];
  if (registry) {
    const digests = Object.fromEntries(Object.keys(programs).map((name) => [name, push(name)]));
    writeFileSync(join(folder, 'digests.json'), `${JSON.stringify(digests, null, 2)}\n`);
    options.push('--digests', join(folder, 'digests.json'));
  }
  node('deployment.mjs', ...options, folder);
  for (const name of [`wayquest-compose-${version}`, `wayquest-kubernetes-${version}`]) {
    run('tar', ['-czf', `${name}.tar.gz`, name], { cwd: folder });
    rmSync(join(folder, name), { recursive: true });
  }

  const sums = [];
  for (const file of readdirSync(folder)) sums.push(`${await sha256(join(folder, file))}  ${file}\n`);
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
  console.log(`Written: ${folder}`);
}

const reason = obstacle();
if (reason) {
  console.error(reason);
  process.exitCode = 1;
} else await release();
