import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'infra/docs/required-packages.md'), 'utf8');
const rows = [...page.matchAll(/^\| (\S+) \| (\S+\.\w+) \| (\S+) \|$/gm)].map(
  ([, name = '', program = '', file = '']) => ({ name, program, file }),
);

/** Imports whose value is used when the program runs; those of types only are erased. */
const imported = /(?:^|\n)(?:import|export)(?! type\b)[^'";]*?'([^']+)'|(?:import|resolve)\('([^']+)'\)/g;

/** Our packages' source files, by what imports them. */
const sources = new Map<string, string>();
const manifests = ['services/shared', 'services', 'infra', '.']
  .flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => join(root, folder, name, 'package.json')),
  )
  .filter(existsSync);
for (const manifest of manifests) {
  const { name, exports = {} } = JSON.parse(readFileSync(manifest, 'utf8'));
  for (const [path, target] of Object.entries<Record<string, string>>(exports)) {
    const source = target['@wayquest/source'];
    if (source) sources.set(join(name, path), join(dirname(manifest), source));
  }
}

/** Returns what a file imports: our files by their path, packages by their name. */
function importsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(imported)].map(([, statement, call]) => {
    const name = statement ?? call ?? '';
    return name.startsWith('.') ? join(dirname(file), name.replace(/\?.*/, '')) : (sources.get(name) ?? name);
  });
}

/** Returns our files that a program loads. */
function filesOf(program: string): Set<string> {
  const files = new Set([program]);
  for (const file of files) {
    for (const name of importsOf(file)) if (name.startsWith('/') && /\.m?tsx?$/.test(name)) files.add(name);
  }
  return files;
}

it('lists all of them', () => {
  expect(rows.map(({ name }) => name).sort()).toEqual(
    [
      ...['@react-google-maps/api', '@reduxjs/toolkit', '@socket.io/redis-adapter', 'amqplib', 'express'],
      ...['http-proxy-middleware', 'ioredis', 'jest', 'jsonwebtoken', 'mongoose', 'passport-google-oauth20'],
      ...['react', 'react-dom', 'react-router-dom', 'redux-saga', 'socket.io', 'testcontainers'],
    ].sort(),
  );
});

it.each(rows)('$name is imported by what runs', ({ name, program, file }) => {
  expect([...filesOf(join(root, program))]).toContain(join(root, file));
  expect(importsOf(join(root, file)).map((one) => (one.startsWith(`${name}/`) ? name : one))).toContain(name);
});
