// Collects the files that each program needs at run time in a folder: its bundles, the packages outside of them, and what its
// workspaces read, with the paths of this repository. A workspace lists its files in `files` of its package.json.
import { cpSync, existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { serviceNames } from '@wayquest/contracts';
import { traced, writeBundles } from './bundle.mjs';

const root = resolve(import.meta.dirname, '../..');
const [folder] = process.argv.slice(2);

/** The main modules of each program by the names of their bundles, and the additional contents of its image. */
const programs = {
  gateway: { start: 'gateway/dist/main.js', files: ['web/dist'] },
  // Only this container can read the private key, so it also generates the keys and runs the operators' commands.
  auth: {
    start: 'services/auth/dist/main.js',
    commands: {
      admin: 'infra/admin/dist/admin.js',
      backups: 'infra/admin/dist/backups.js',
      'mongo-users': 'infra/admin/dist/mongo-users.js',
    },
    files: ['infra/docker/make-keys.mjs'],
  },
  ...Object.fromEntries(
    serviceNames
      .filter((name) => name !== 'auth')
      .map((name) => [name, { start: `services/${name}/dist/main.js` }]),
  ),
};

/** Files for the development with a package. */
const isForDevelopers = (path) => /\.(map|md|markdown|d\.[cm]?ts|tsbuildinfo)$/.test(path);
/** Compiled modules are in the bundle. */
const isBundled = (path) => /\/dist\/.*\.js$/.test(path);

const manifestOf = (directory) => JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));

/** Finds a package from a directory as Node does; undefined if it is not installed. */
function find(name, from) {
  for (let directory = from; directory.startsWith(root); directory = dirname(directory)) {
    const found = join(directory, 'node_modules', name);
    if (existsSync(found)) return found;
  }
  return undefined;
}

/** The packages that a package needs, and those that it uses where they are installed. */
function requirementsOf({
  dependencies,
  optionalDependencies = {},
  peerDependencies,
  peerDependenciesMeta = {},
}) {
  const peers = Object.keys(peerDependencies ?? {}).filter((peer) => !peerDependenciesMeta[peer]?.optional);
  const required = Object.keys(dependencies ?? {}).filter((name) => !(name in optionalDependencies));
  return { required, optional: [...Object.keys(optionalDependencies), ...peers] };
}

/** Copies a package from the registry with all that it needs. */
function copyPackage(target, directory, copied) {
  if (copied.has(directory)) return;
  copied.add(directory);
  // Nested packages are copied only if they are needed.
  const nested = join(directory, 'node_modules');
  cpSync(directory, join(target, relative(root, directory)), {
    recursive: true,
    filter: (path) => !isForDevelopers(path) && path !== nested,
  });
  const { required, optional } = requirementsOf(manifestOf(directory));
  for (const name of [...required, ...optional]) {
    const found = find(name, directory);
    if (found) copyPackage(target, found, copied);
    else if (required.includes(name)) throw new Error(`${directory} needs ${name}, which is not installed`);
  }
}

/** Copies what a workspace, and those that it depends on, read beside their modules. */
function copyFiles(target, workspace, copied) {
  if (copied.has(workspace)) return;
  copied.add(workspace);
  const { files = ['dist'], dependencies = {} } = manifestOf(workspace);
  for (const file of ['package.json', ...files]) {
    const from = join(workspace, file);
    cpSync(from, join(target, relative(root, from)), {
      recursive: true,
      filter: (path) => !isForDevelopers(path) && !isBundled(path),
    });
  }
  for (const name of Object.keys(dependencies).filter((one) => one.startsWith('@wayquest/')))
    copyFiles(target, realpathSync(find(name, workspace)), copied);
}

for (const [name, { start, commands = {}, files = [] }] of Object.entries(programs)) {
  const target = join(folder, name);
  const mains = Object.fromEntries(
    Object.entries(commands).map(([command, file]) => [command, join(root, file)]),
  );
  const packages = await writeBundles({ start: traced(join(root, start)), ...mains }, target, root);
  const copiedPackages = new Set();
  for (const one of packages) copyPackage(target, join(root, 'node_modules', one), copiedPackages);
  const copiedWorkspaces = new Set();
  for (const main of [start, ...Object.values(commands)])
    copyFiles(target, join(root, dirname(dirname(main))), copiedWorkspaces);
  for (const file of ['package.json', ...files])
    cpSync(join(root, file), join(target, file), {
      recursive: true,
      filter: (path) => !isForDevelopers(path),
    });
}
