import { readFile, writeFile } from 'node:fs/promises';
import { FinalState } from './check.ts';
import { Call } from './history.ts';

/** Writes one call per line, and the final state last. */
export async function writeHistory(file: string, calls: Call[], ending: FinalState): Promise<void> {
  await writeFile(file, [...calls, ending].map((line) => `${JSON.stringify(line)}\n`).join(''));
}

export async function readHistory(file: string): Promise<{ calls: Call[]; ending: FinalState }> {
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  const parsed: unknown[] = lines.map((line) => JSON.parse(line));
  return {
    calls: parsed.slice(0, -1).map((line) => Call.parse(line)),
    ending: FinalState.parse(parsed.at(-1)),
  };
}
