// Collects the files that each program needs at run time in a folder, with the paths of this repository: its workspace, the
// workspaces it depends on, and the packages of all of them. A workspace lists additional files in `files` of its package.json.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { serviceNames } from '@wayquest/contracts';

const root = resolve(import.meta.dirname, '../..');
const [folder] = process.argv.slice(2);

/** The main module of each program, and the additional contents of its image. */
const programs = {
  gateway: { main: 'gateway/dist/main.js', files: ['web/dist'] },
  // Only this container can read the private key, so it also generates the keys and runs the operators' commands.
  auth: {
    main: 'services/auth/dist/main.js',
    workspaces: ['infra/admin'],
    files: ['infra/docker/make-keys.mjs'],
  },
  ...Object.fromEntries(
    serviceNames
      .filter((name) => name !== 'auth')
      .map((name) => [name, { main: `services/${name}/dist/main.js` }]),
  ),
};

/** Files for the development with a package. */
const isForDevelopers = (path) => /\.(map|md|markdown|d\.[cm]?ts|tsbuildinfo)$/.test(path);
/** Builds for bundlers, which Node does not load. OpenTelemetry's packages contain three builds. */
const isForBundlers = (path) => /\/@opentelemetry\/[^/]+\/(build\/(esm|esnext)$|dist\/.*\.mjs$)/.test(path);
const copy = (from, to) => cpSync(from, to, { recursive: true, filter: (path) => !isForDevelopers(path) });

const manifestOf = (directory) => JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));

/** Resolves a package from a directory as Node does; undefined if it is not installed. */
function find(name, from) {
  for (let directory = from; directory.startsWith(root); directory = dirname(directory)) {
    const found = join(directory, 'node_modules', name);
    if (existsSync(found)) return found;
  }
  return undefined;
}

function requirementsOf({
  name,
  dependencies,
  optionalDependencies,
  peerDependencies,
  peerDependenciesMeta = {},
}) {
  const peers = Object.keys(peerDependencies ?? {}).filter((peer) => !peerDependenciesMeta[peer]?.optional);
  const required = { ...dependencies };
  for (const other of Object.keys(optionalDependencies ?? {})) delete required[other];
  return {
    name,
    required: Object.keys(required),
    optional: [...Object.keys(optionalDependencies ?? {}), ...peers],
  };
}

function collect(target, workspaces) {
  const copied = new Set();

  const copyPackage = (directory) => {
    if (copied.has(directory)) return;
    copied.add(directory);
    const manifest = manifestOf(directory);
    const to = join(target, relative(root, directory));
    if (directory.includes('/node_modules/')) {
      // Nested packages are copied only if they are needed.
      cpSync(directory, to, {
        recursive: true,
        filter: (path) =>
          !isForDevelopers(path) && !isForBundlers(path) && path !== join(directory, 'node_modules'),
      });
    } else {
      for (const file of ['package.json', ...(manifest.files ?? ['dist'])])
        copy(join(directory, file), join(to, file));
    }
    const { name, required, optional } = requirementsOf(manifest);
    for (const other of [...required, ...optional]) {
      const found = find(other, directory);
      if (found) link(found);
      else if (required.includes(other)) throw new Error(`${name} needs ${other}, which is not installed`);
    }
  };

  const link = (found) => {
    const real = realpathSync(found);
    const path = join(target, relative(root, found));
    if (real !== found && !existsSync(path)) {
      mkdirSync(dirname(path), { recursive: true });
      symlinkSync(relative(dirname(found), real), path);
    }
    copyPackage(real);
  };

  for (const workspace of workspaces) copyPackage(join(root, workspace));
}

for (const [name, { main, workspaces = [], files = [] }] of Object.entries(programs)) {
  const target = join(folder, name);
  collect(target, [dirname(dirname(main)), ...workspaces]);
  for (const file of files) copy(join(root, file), join(target, file));
  copy(join(root, 'package.json'), join(target, 'package.json'));
  writeFileSync(join(target, 'start.mjs'), `import './${main}';\n`);
}
