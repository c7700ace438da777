import { existsSync, readFileSync } from 'node:fs';

const root = new URL('../../../', import.meta.url);
const page = readFileSync(new URL('infra/docs/security.md', root), 'utf8');

/** The tests that the page names: the file and, in “”, the title. */
const named = [...page.matchAll(/`((?:[\w.-]+\/)*test\/[\w/-]+)`(?: “([^”]+)”)?/g)].map(
  ([, path = '', name = '']) => ({ path, name }),
);

/** Returns the source of a suite, including its integration and long variants. */
const sourceOf = (path: string) =>
  ['test', 'integration.test', 'long.test']
    .map((kind) => new URL(`${path}.${kind}.ts`, root))
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');

it('quotes tests that exist', () => {
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter(({ path, name }) => !sourceOf(path).includes(name || '\n'))).toEqual([]);
});

it.each([
  ['2', 53],
  ['3', 18],
  ['4', 9],
  ['8', 15],
  ['11', 8],
])('states for each requirement of chapter %s whether it is met', (chapter, count) => {
  const rows = [...page.matchAll(new RegExp(`^\\| (${chapter}\\.[\\d.–]+) \\| [^|]+ \\| ([^|]+) \\|`, 'gm'))];
  const states = rows.map(([, , state]) => state);
  expect(
    [...new Set(states)].filter(
      (state) => !/^(met|\*\*(not met|in part)\*\*|not applicable)$/.test(state ?? ''),
    ),
  ).toEqual([]);
  const each = rows.flatMap(([, numbers = '']) => {
    const [first = '', last = first] = numbers.split('–');
    const numberOf = (requirement: string) => Number(requirement.split('.').at(-1));
    return Array.from({ length: numberOf(last) - numberOf(first) + 1 }, (_, index) => index);
  });
  expect(each).toHaveLength(count);
});
