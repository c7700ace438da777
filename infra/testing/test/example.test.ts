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
const ours = '@wayquest/';

const Versions = z.record(z.string(), z.string()).default({});
const Manifest = z.object({
  dependencies: Versions,
  devDependencies: Versions,
  peerDependencies: Versions,
});
const manifestIn = async (folder: string) =>
  Manifest.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')));

/** A package as this checkout has it, for whom is in `folder`. */
async function installed(name: string, folder: string): Promise<string> {
  const { paths } = createRequire(join(folder, 'package.json')).resolve;
  for (const path of paths(name) ?? [])
    if (await manifestIn(join(path, name)).catch(() => undefined)) return join(path, name);
  throw new Error(`${name} is not installed`);
}

/** Lets a folder find somebody else's packages, and no others than it asks for. */
async function link(names: string[], from: string, to: string): Promise<void> {
  for (const name of names.filter((one) => !one.startsWith(ours))) {
    const place = join(to, 'node_modules', name);
    await mkdir(dirname(place), { recursive: true });
    await symlink(await installed(name, from), place);
  }
}

/** A package and all of ours that it is built on, by name, and where each is. */
async function builtOn(name: string, found = new Map<string, string>()): Promise<Map<string, string>> {
  const folder = await installed(name, root);
  found.set(name, folder);
  const { dependencies } = await manifestIn(folder);
  for (const one of Object.keys(dependencies))
    if (one.startsWith(ours) && !found.has(one)) await builtOn(one, found);
  return found;
}

/** As `npm install` does of packages that were packed: what each says that it needs beside it, and nothing of the checkout. */
async function install(name: string, directory: string): Promise<void> {
  const packages = await builtOn(name);
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

test('the example runs in another repository, with packages instead of this checkout, and Node’s own runner', async () => {
  await run(process.execPath, [resolve(root, 'node_modules/typescript/bin/tsc'), '-b', 'infra/testing'], {
    cwd: root,
  });
  const directory = await mkdtemp(join(tmpdir(), 'somebody-elses-'));
  try {
    await cp(example, directory, { recursive: true });
    await install('@wayquest/testing', directory);
    await link(Object.keys((await manifestIn(directory)).devDependencies), root, directory);
    // Of this run, of which a runner in it knows nothing.
    const told = Object.keys(process.env).filter((name) => /^(WAYQUEST|NODE_TEST|JEST|npm)_/.test(name));
    const env = { ...process.env, ...Object.fromEntries(told.map((name) => [name, undefined])) };
    const { stdout, stderr } = await run('npm', ['test'], { cwd: directory, env }).catch((failed) => failed);
    expect(stdout + stderr).toMatch(/pass 1\n(.|\n)*fail 0/);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
