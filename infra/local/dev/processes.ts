import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { environmentWith } from './settings.ts';

/** Flags with which Node runs the sources without a build. */
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
  /** Runs Node with these settings in addition to the environment; each line of output is prefixed with the name. */
  run(name: string, args: string[], settings?: Record<string, string>, cwd?: string): ChildProcess;
  /** Stops all processes, and waits until they have exited. */
  stop(): Promise<void>;
}

/** Creates a group of processes that are stopped together. */
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
      const exited = [...children].map((child) => new Promise((resolve) => child.once('exit', resolve)));
      for (const child of children) child.kill('SIGTERM');
      await Promise.all(exited);
    },
  };
}
