import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCrashes } from './crashes.ts';

const rounds = Number(process.argv[2] ?? 20);
const directory = mkdtempSync(join(tmpdir(), 'embedded-mongo-crash-'));
const results = await runCrashes(directory, rounds, (round, number) => {
  const { acknowledged, undecided, lost, unexpected, mismatches } = round;
  console.log(
    `round ${number}: ${acknowledged} acknowledged, ${undecided} undecided, ${lost.length} lost, ` +
      `${unexpected.length} rejected but stored, ${mismatches.length} index mismatches`,
  );
  if (lost.length + unexpected.length + mismatches.length > 0) console.log(lost, unexpected, mismatches);
});
rmSync(directory, { recursive: true });
process.exitCode = results.some(
  ({ lost, unexpected, mismatches }) => lost.length + unexpected.length + mismatches.length > 0,
)
  ? 1
  : 0;
