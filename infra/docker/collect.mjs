// Collects the files of each image in a folder: `node infra/docker/collect.mjs <folder>`.
import { join } from 'node:path';
import { programs } from './images.mjs';
import { copyPackages, writeProgram } from './program.mjs';

const [folder] = process.argv.slice(2);

for (const [name, program] of Object.entries(programs)) {
  const target = join(folder, name);
  copyPackages(target, await writeProgram(target, program));
}
