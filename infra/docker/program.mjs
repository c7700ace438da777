// Writes what a program needs at run time: its bundles, the packages outside of them, and what its workspaces read. A workspace
// lists its files in `files` of its package.json.
import { cpSync, existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { manifestOf, traced, writeBundles } from './bundle.mjs';

/** The folder of the repository. */
export const root = resolve(import.meta.dirname, '../..');

/** Files for the development with a package. */
const isForDevelopers = (path) => /\.(map|md|markdown|d\.[cm]?ts|tsbuildinfo)$/.test(path);
/** Compiled modules are in the bundle. */
const isBundled = (path) => /\/dist\/.*\.m?js$/.test(path);

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

/**
 * Writes a program without the packages outside of its bundles: the bundles, and what its workspaces read, with the paths
 * of this repository.
 *
 * @param target - The program's folder.
 * @param program - Its main module, those of its commands by the names of their bundles, and additional files.
 * @returns The packages outside of the bundles.
 */
export async function writeProgram(target, { start, commands = {}, files = [] }) {
  const mains = Object.fromEntries(
    Object.entries(commands).map(([command, file]) => [command, join(root, file)]),
  );
  const packages = await writeBundles({ start: traced(join(root, start)), ...mains }, target, root);
  const copied = new Set();
  for (const main of [start, ...Object.values(commands)])
    copyFiles(target, join(root, dirname(dirname(main))), copied);
  for (const file of files)
    cpSync(join(root, file), join(target, file), {
      recursive: true,
      filter: (path) => !isForDevelopers(path),
    });
  return packages;
}

/** Copies packages from the registry, with all that they need, into a program's folder. */
export function copyPackages(target, packages) {
  const copied = new Set();
  for (const name of packages) copyPackage(target, join(root, 'node_modules', name), copied);
}
