import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mutate } from '../src/mutate.ts';
import { openSuites, type Suites } from '../src/suites.ts';

const suite = join(import.meta.dirname, 'fixtures/suite.ts');

describe('a suite with mutants', () => {
  const path = join(import.meta.dirname, 'fixtures/is-park.ts');
  const { code, mutants } = mutate(path, readFileSync(path, 'utf8'), 0);
  let suites: Suites;
  beforeAll(async () => {
    suites = await openSuites({ [path]: code });
  });
  afterAll(() => suites?.stop());

  it('passes without a mutant, and reaches all of them', async () => {
    const { failed, covered } = await suites.run({ suite }, 60_000);
    expect(failed).toBeUndefined();
    expect(covered.sort()).toEqual(mutants.map(({ id }) => id).sort());
  });

  it.each(mutants)('fails with the mutant "$from" → "$to"', async ({ id }) => {
    expect((await suites.run({ suite, mutant: id }, 60_000)).failed).toBeDefined();
  });
});
