import { readFileSync } from 'node:fs';
import { collectLibraries } from '../build/libraries.ts';

const manifest: { dependencies: Record<string, string> } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
);

test('every dependency of the web app is listed, with its version, license and purpose', () => {
  const libraries = new Map(collectLibraries().map((library) => [library.name, library]));
  for (const name of Object.keys(manifest.dependencies).filter((each) => !each.startsWith('@wayquest/'))) {
    expect(libraries.get(name)).toMatchObject({
      runtime: true,
      version: expect.stringMatching(/^\d/),
      license: expect.stringMatching(/./),
      purpose: expect.stringMatching(/./),
      usedBy: expect.arrayContaining(['web']),
    });
  }
});

test('packages of Wayquest itself are not listed', () => {
  expect(collectLibraries().filter(({ name }) => name.startsWith('@wayquest/'))).toEqual([]);
});
