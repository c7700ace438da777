import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { z } from 'zod';
import { type Figures, type Part, parts } from './table.ts';

/** `make bench`: runs the parts one after the other and prints the table; `PART=gateway,log` only runs these. */
const root = resolve(import.meta.dirname, '../../..');
const only = process.env.PART?.split(',');
const unknown = only?.filter((name) => !Object.hasOwn(parts, name));
if (unknown?.length) {
  process.stderr.write(
    `There is no part ${unknown.join(', ')}; there are ${Object.keys(parts).join(', ')}.\n`,
  );
  process.exit(1);
}

const BenchReport = z.object({ figures: z.record(z.string(), z.number()) });

/** Runs a program and returns its figures; none if it failed. */
async function figuresOf({ program, args = [], env = {} }: Part): Promise<Figures> {
  const child = fork(resolve(root, program), args, {
    cwd: root,
    execArgv: ['--import=tsx', '--conditions=@wayquest/source', '--no-warnings'],
    env: { ...env, ...process.env },
    // Only the table is written to standard output.
    stdio: ['ignore', process.stderr, process.stderr, 'ipc'],
  });
  const figures: Figures = {};
  child.on('message', (message) => Object.assign(figures, BenchReport.safeParse(message).data?.figures));
  await once(child, 'exit');
  return figures;
}

const print = (line: string) => process.stdout.write(`${line}\n`);
print('| what | measured | target | |\n|---|---|---|---|');
for (const [name, part] of Object.entries(parts)) {
  if (only && !only.includes(name)) continue;
  process.stderr.write(`\n— ${name}\n`);
  const figures = await figuresOf(part);
  for (const row of part.rows) {
    const measured = row.measured(figures);
    // A part that cannot run has printed the reason above.
    const isKnown = !measured.startsWith('NaN');
    const result = isKnown ? (row.met(figures) ? 'met' : 'not met') : '';
    print(`| ${row.what} | ${isKnown ? measured : 'not measured'} | ${row.target} | ${result} |`);
  }
}
