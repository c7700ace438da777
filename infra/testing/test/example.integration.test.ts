import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../../..');
const example = resolve(import.meta.dirname, '../example');
const scope = '@wayquest/';

const Versions = z.record(z.string(), z.string()).default({});
const Manifest = z.object({
  dependencies: Versions,
  devDependencies: Versions,
  peerDependencies: Versions,
});
const manifestIn = async (folder: string) =>
  Manifest.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')));

/** Returns the folder of a package in this checkout, as resolved from `folder`. */
async function resolvePackage(name: string, folder: string): Promise<string> {
  const { paths } = createRequire(join(folder, 'package.json')).resolve;
  for (const path of paths(name) ?? [])
    if (await manifestIn(join(path, name)).catch(() => undefined)) return join(path, name);
  throw new Error(`${name} is not installed`);
}

/** Links third-party packages into a folder's `node_modules`. */
async function link(names: string[], from: string, to: string): Promise<void> {
  for (const name of names.filter((one) => !one.startsWith(scope))) {
    const place = join(to, 'node_modules', name);
    await mkdir(dirname(place), { recursive: true });
    await symlink(await resolvePackage(name, from), place);
  }
}

/** Returns the folders of a package and of its transitive dependencies in this workspace, by name. */
async function workspaceDependencies(
  name: string,
  found = new Map<string, string>(),
): Promise<Map<string, string>> {
  const folder = await resolvePackage(name, root);
  found.set(name, folder);
  const { dependencies } = await manifestIn(folder);
  for (const one of Object.keys(dependencies))
    if (one.startsWith(scope) && !found.has(one)) await workspaceDependencies(one, found);
  return found;
}

/** Installs a package from archives as `npm install` does: with its declared dependencies, and nothing else of the checkout. */
async function install(name: string, directory: string): Promise<void> {
  const packages = await workspaceDependencies(name);
  const packed = join(directory, 'packed');
  await mkdir(packed);
  const workspaces = [...packages.keys()].map((one) => `--workspace=${one}`);
  await run('npm', ['pack', '--silent', '--ignore-scripts', `--pack-destination=${packed}`, ...workspaces], {
    cwd: root,
  });
  const files = await readdir(packed);
  for (const [one, folder] of packages) {
    const place = join(directory, 'node_modules', one);
    await mkdir(place, { recursive: true });
    const file = files.find((archive) => archive.startsWith(`${one.replace('@', '').replace('/', '-')}-`));
    await run('tar', ['-xzf', join(packed, file ?? one), '--strip-components=1', '-C', place]);
    // npm installs a package's peers beside it, where another package depends on them.
    const { dependencies, peerDependencies } = await manifestIn(place);
    await link(Object.keys({ ...dependencies, ...peerDependencies }), folder, place);
  }
}

test('the example passes in another repository, with packed packages and Node’s test runner', async () => {
  await run(process.execPath, [resolve(root, 'node_modules/typescript/bin/tsc'), '-b', 'infra/testing'], {
    cwd: root,
  });
  const directory = await mkdtemp(join(tmpdir(), 'wayquest-example-'));
  try {
    await cp(example, directory, { recursive: true });
    await install('@wayquest/testing', directory);
    await link(Object.keys((await manifestIn(directory)).devDependencies), root, directory);
    // The inner run must not see the variables of this one.
    const variables = Object.keys(process.env).filter((name) => /^(WAYQUEST|NODE_TEST|JEST|npm)_/.test(name));
    const env = { ...process.env, ...Object.fromEntries(variables.map((name) => [name, undefined])) };
    const { stdout, stderr } = await run('npm', ['test'], { cwd: directory, env }).catch((failed) => failed);
    expect(stdout + stderr).toMatch(/pass 1\n(.|\n)*fail 0/);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
