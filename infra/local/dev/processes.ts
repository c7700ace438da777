import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { environmentWith } from './settings.ts';

/** Node's flags for running sources as they are. */
export const fromSource = ['--import', 'tsx', '--conditions=@wayquest/source'];

/** The same, restarting when a source changes. */
export const tsxWatch = [
  'node_modules/tsx/dist/cli.mjs',
  'watch',
  '--clear-screen=false',
  '--conditions=@wayquest/source',
  ...['--import', '@wayquest/platform/traces'],
];

export interface Processes {
  /** Runs node with these settings beside those of this process; what it prints is shown behind its name. */
  run(name: string, args: string[], settings?: Record<string, string>, cwd?: string): ChildProcess;
  /** Ends all of them and waits until they are gone. */
  stop(): Promise<void>;
}

/** Processes that live and end together. */
export function createProcesses(): Processes {
  const children = new Set<ChildProcess>();
  process.once('exit', () => {
    for (const child of children) child.kill('SIGKILL');
  });
  return {
    run(name, args, settings = {}, cwd = process.cwd()) {
      const child = spawn(process.execPath, args, {
        cwd,
        env: environmentWith(settings),
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      children.add(child);
      child.once('exit', () => children.delete(child));
      for (const stream of [child.stdout, child.stderr]) {
        createInterface({ input: stream }).on('line', (line) => {
          process.stdout.write(`${name.padEnd(13)} | ${line}\n`);
        });
      }
      return child;
    },
    async stop() {
      const gone = [...children].map((child) => new Promise((resolve) => child.once('exit', resolve)));
      for (const child of children) child.kill('SIGTERM');
      await Promise.all(gone);
    },
  };
}
