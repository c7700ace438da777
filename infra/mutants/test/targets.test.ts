import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import targets from '../targets.json' with { type: 'json' };

const root = join(import.meta.dirname, '../../..');
const linesOf = (file: string) => readFileSync(join(root, file), 'utf8').split('\n');

describe('the targets of mutation testing', () => {
  it.each(targets.files)('%s exists', (file) => {
    expect(linesOf(file).length).toBeGreaterThan(1);
  });

  // An entry without a file applies to all of them.
  it.each(targets.accepted.filter(({ file }) => file))(
    'the accepted mutant of "$from" in $file still exists',
    ({ file, line, from }) => {
      expect(
        linesOf(file).filter((code) => code.includes(line) && code.includes(from.split('\n')[0] ?? '')),
      ).not.toEqual([]);
    },
  );
});
