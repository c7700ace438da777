// Every package that the lockfile names has to be free to use, change and pass on, for anybody and any purpose.
import { readFile } from 'node:fs/promises';

const lockfile = new URL('../../package-lock.json', import.meta.url);

const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-4.0',
  'CC0-1.0',
  'ISC',
  'LGPL-3.0-or-later',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'OFL-1.1',
  'Unlicense',
]);

/** They say it where npm does not look: in a list of before SPDX, or in their README alone. */
const saidElsewhere = {
  buildcheck: 'MIT',
  'cpu-features': 'MIT',
  'passport-strategy': 'MIT',
  pause: 'MIT',
  ssh2: 'MIT',
  'xmlhttprequest-ssl': 'MIT',
};

/** An SPDX expression as they are in practice: AND binds closer than OR. */
const isAllowed = (expression) =>
  expression
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((licence) => allowed.has(licence)));

const { packages } = JSON.parse(await readFile(lockfile, 'utf8'));
const refused = Object.entries(packages)
  .filter(([path, { link }]) => path.includes('node_modules/') && !link)
  .map(([path, { license }]) => {
    const name = path.split('node_modules/').pop();
    return { name, licence: license ?? saidElsewhere[name] ?? 'no licence' };
  })
  .filter(({ licence }) => !isAllowed(licence));

for (const { name, licence } of refused)
  console.error(`${name} is under ${licence}, which is not on the list`);
if (refused.length) process.exitCode = 1;
