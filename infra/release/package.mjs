// Makes the npm package `wayquest`, which runs everything in one process: `node infra/release/package.mjs <folder>` writes
// its archive there, after `make build`, and prints the archive's path.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { manifestOf } from '../docker/bundle.mjs';
import { root, writeProgram } from '../docker/program.mjs';

const allInOne = {
  start: 'infra/local/dist/main.js',
  commands: { admin: 'infra/admin/dist/admin.js' },
  files: ['LICENSE', 'web/dist'],
};

/** Node caches what it compiled, where it can (from 22.1 on). */
const command = (bundle) => `#!/usr/bin/env node
import module from 'node:module';

module.enableCompileCache?.();
await import('./${bundle}.mjs');
`;

const readme = `# Wayquest

A social web app in which people challenge themselves to explore where they live.

    npx wayquest

runs all of it in one process, at http://localhost:8080; its data is in \`.data\` of the current folder. \`PORT\`, \`DATA_DIR\` and \`DEMO=0\`
set others, or no demo data.

    npx -p wayquest wayquest-admin

lists the commands for operators, such as \`grant <username>\`. They need the same \`DATA_DIR\`. For many people, run it in containers.
`;

/**
 * @param {string} folder - Where the archive is written.
 * @returns {Promise<string>} The path of the archive.
 */
async function makePackage(folder) {
  const target = mkdtempSync(join(tmpdir(), 'wayquest-package-'));
  try {
    const packages = await writeProgram(target, allInOne);
    const { version, description, license, engines } = manifestOf(root);
    const commands = { wayquest: 'start', 'wayquest-admin': 'admin' };
    for (const [name, bundle] of Object.entries(commands)) {
      writeFileSync(join(target, `${name}.mjs`), command(bundle));
      chmodSync(join(target, `${name}.mjs`), 0o755);
    }
    writeFileSync(join(target, 'README.md'), readme);
    const versionOf = (name) => manifestOf(join(root, 'node_modules', name)).version;
    const manifest = {
      ...{ name: 'wayquest', version, description, license, engines },
      type: 'module',
      bin: Object.fromEntries(Object.keys(commands).map((name) => [name, `${name}.mjs`])),
      files: readdirSync(target),
      // As tested: some are patched (infra/docs/patched-libraries.md).
      dependencies: Object.fromEntries(packages.sort().map((name) => [name, versionOf(name)])),
    };
    writeFileSync(join(target, 'package.json'), JSON.stringify(manifest, null, 2));
    const [{ filename }] = JSON.parse(
      execFileSync('npm', ['pack', '--json', '--pack-destination', resolve(folder)], {
        cwd: target,
        encoding: 'utf8',
      }),
    );
    return join(folder, filename);
  } finally {
    rmSync(target, { recursive: true });
  }
}

const [folder] = process.argv.slice(2);
console.log(await makePackage(folder));
