// Puts into a folder, for each program, all that it needs to run and nothing else, as it lies in this repository: its workspace,
// those that it depends on, and the packages of all of them. A workspace says by `files` what it needs beside `dist`.
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

/** What starts each program, and what else is in its image. */
const programs = {
  gateway: { main: 'gateway/dist/main.js', files: ['web/dist'] },
  // Who may sign tokens makes the keys, and who runs Wayquest gives its commands there.
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

/** What only those read who develop with a package. */
const isForDevelopers = (path) => /\.(map|md|markdown|d\.[cm]?ts|tsbuildinfo)$/.test(path);
/** What only those read who bundle a package; Node reads the other build of it. OpenTelemetry has three of each. */
const isForBundlers = (path) => /\/@opentelemetry\/[^/]+\/(build\/(esm|esnext)$|dist\/.*\.mjs$)/.test(path);
const copy = (from, to) => cpSync(from, to, { recursive: true, filter: (path) => !isForDevelopers(path) });

const manifestOf = (directory) => JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));

/** Where a package finds another one, as Node looks for it; undefined if it is not installed. */
function find(name, from) {
  for (let directory = from; directory.startsWith(root); directory = dirname(directory)) {
    const found = join(directory, 'node_modules', name);
    if (existsSync(found)) return found;
  }
  return undefined;
}

function neededBy({ name, dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta = {} }) {
  const peers = Object.keys(peerDependencies ?? {}).filter((peer) => !peerDependenciesMeta[peer]?.optional);
  const must = { ...dependencies };
  for (const other of Object.keys(optionalDependencies ?? {})) delete must[other];
  return { name, must: Object.keys(must), may: [...Object.keys(optionalDependencies ?? {}), ...peers] };
}

function collect(target, workspaces) {
  const taken = new Set();

  const take = (directory) => {
    if (taken.has(directory)) return;
    taken.add(directory);
    const manifest = manifestOf(directory);
    const to = join(target, relative(root, directory));
    if (directory.includes('/node_modules/')) {
      // Packages of its own lie in it, and are taken if they are needed.
      cpSync(directory, to, {
        recursive: true,
        filter: (path) =>
          !isForDevelopers(path) && !isForBundlers(path) && path !== join(directory, 'node_modules'),
      });
    } else {
      for (const file of ['package.json', ...(manifest.files ?? ['dist'])])
        copy(join(directory, file), join(to, file));
    }
    const { name, must, may } = neededBy(manifest);
    for (const other of [...must, ...may]) {
      const found = find(other, directory);
      if (found) link(found);
      else if (must.includes(other)) throw new Error(`${name} needs ${other}, which is not installed`);
    }
  };

  const link = (found) => {
    const real = realpathSync(found);
    const place = join(target, relative(root, found));
    if (real !== found && !existsSync(place)) {
      mkdirSync(dirname(place), { recursive: true });
      symlinkSync(relative(dirname(found), real), place);
    }
    take(real);
  };

  for (const workspace of workspaces) take(join(root, workspace));
}

for (const [name, { main, workspaces = [], files = [] }] of Object.entries(programs)) {
  const target = join(folder, name);
  collect(target, [dirname(dirname(main)), ...workspaces]);
  for (const file of files) copy(join(root, file), join(target, file));
  copy(join(root, 'package.json'), join(target, 'package.json'));
  writeFileSync(join(target, 'start.mjs'), `import './${main}';\n`);
}
