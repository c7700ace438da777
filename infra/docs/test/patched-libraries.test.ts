import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../../..');
const versionIn = (path: string): string => JSON.parse(readFileSync(join(root, path), 'utf8')).version;

const page = readFileSync(join(root, 'infra/docs/patched-libraries.md'), 'utf8');
const rows = [...page.matchAll(/^\| ([@a-z\d./-]+) \| (\d+\.\d+\.\d+) \|/gm)].map(
  ([, library = '', version]) => [library, version] as const,
);

it('lists every patched library (51.8)', () => {
  const libraries = [
    '@socket.io/redis-adapter',
    'amqplib',
    'ioredis',
    'mongodb',
    'mongodb',
    'mongoose',
    'passport-oauth2',
    'socket.io-adapter',
    'undici',
  ];
  expect(rows.map(([library]) => library).sort()).toEqual(libraries);
});

it.each(rows)('%s is patched as of the version that is installed', (library, version) => {
  expect(versionIn(`node_modules/${library}/package.json`)).toBe(version);
});
