import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCrashes } from './crashes.ts';

const rounds = Number(process.argv[2] ?? 20);
const directory = mkdtempSync(join(tmpdir(), 'embedded-mongo-crash-'));
const results = await runCrashes(directory, rounds, (round, number) => {
  const { acknowledged, undecided, lost, ghosts, disagreements } = round;
  console.log(
    `round ${number}: ${acknowledged} acknowledged, ${undecided} undecided, ${lost.length} lost, ` +
      `${ghosts.length} refused but present, ${disagreements.length} disagreements of indexes`,
  );
  if (lost.length + ghosts.length + disagreements.length > 0) console.log(lost, ghosts, disagreements);
});
rmSync(directory, { recursive: true });
process.exitCode = results.some(
  ({ lost, ghosts, disagreements }) => lost.length + ghosts.length + disagreements.length > 0,
)
  ? 1
  : 0;
