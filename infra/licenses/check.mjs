// Checks that every package of the lockfile has a license that allows everybody to use, change and distribute it.
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

/** Packages that state their license where npm does not read it: in the former `licenses` list, or only in their README. */
const statedElsewhere = {
  buildcheck: 'MIT',
  'cpu-features': 'MIT',
  'passport-strategy': 'MIT',
  pause: 'MIT',
  ssh2: 'MIT',
  'xmlhttprequest-ssl': 'MIT',
};

/** Evaluates an SPDX expression: AND has precedence over OR, and parentheses, which none of them needs, are ignored. */
const isAllowed = (expression) =>
  expression
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((license) => allowed.has(license)));

const { packages } = JSON.parse(await readFile(lockfile, 'utf8'));
const refused = Object.entries(packages)
  .filter(([path, { link }]) => path.includes('node_modules/') && !link)
  .map(([path, { license }]) => {
    const name = path.split('node_modules/').pop();
    return { name, license: license ?? statedElsewhere[name] ?? 'no license' };
  })
  .filter(({ license }) => !isAllowed(license));

for (const { name, license } of refused)
  console.error(`${name} has the license ${license}, which is not on the list`);
if (refused.length) process.exitCode = 1;
