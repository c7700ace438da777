import { readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { isNewer } from '@wayquest/platform/store';
import { filesIn } from './files.ts';

const root = resolve(import.meta.dirname, '../../..');
const { version }: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const sources = ['services', 'gateway', 'web/src', 'infra']
  .flatMap((folder) => filesIn(join(root, folder), /\.tsx?$/))
  .filter((path) => path !== import.meta.filename);

/** Files with the version that removes them, or a part of them. */
const removals = sources.flatMap((path) => {
  const [, removedWith] = /Removed with (\d+\.\d+\.\d+)/.exec(readFileSync(path, 'utf8')) ?? [];
  return removedWith ? [{ path: relative(root, path), removedWith }] : [];
});

it('code for a former version is gone in the version that removes it (51.8)', () => {
  const overdue = removals.filter(({ removedWith }) => !isNewer(removedWith, version));
  expect(overdue).toEqual([]);
});

it('all code for stores and events of version 0.1.0 names the version that removes it (51.8)', () => {
  expect(removals.map(({ path }) => path)).toEqual(
    expect.arrayContaining([
      'services/shared/platform/src/former/events.ts',
      'services/shared/platform/src/former/migrations.ts',
      'web/src/worker/api-cache.ts',
    ]),
  );
  const migrations = sources.filter((path) => path.endsWith('/src/migrations.ts'));
  expect(removals.map(({ path }) => path)).toEqual(
    expect.arrayContaining(migrations.map((path) => relative(root, path))),
  );
});
