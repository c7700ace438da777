import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { freePort } from '@wayquest/testing';
import { eventually } from '@wayquest/testing/eventually';

const root = resolve(import.meta.dirname, '../../..');

/** A service in its own process, as in production. */
export interface Program {
  url: string;
  start(): Promise<void>;
  /** kill -9 */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

const children = new Set<() => void>();
process.once('exit', () => {
  for (const kill of children) kill();
});

/** A built program with its ports; `start` resolves when it is ready. */
export async function createProgram(main: string, env: Record<string, string>): Promise<Program> {
  const [port, managementPort] = [await freePort(), await freePort()];
  let child: ChildProcess | undefined;

  const end = async (signal: NodeJS.Signals) => {
    const running = child;
    child = undefined;
    if (!running || running.exitCode !== null) return;
    const gone = once(running, 'exit');
    running.kill(signal);
    await gone;
  };
  children.add(() => child?.kill('SIGKILL'));

  return {
    url: `http://127.0.0.1:${port}`,
    async start() {
      child = spawn(process.execPath, [resolve(root, main)], {
        env: {
          PATH: process.env.PATH,
          LOG_LEVEL: process.env.LOG_LEVEL || 'fatal',
          ...env,
          PORT: String(port),
          MANAGEMENT_PORT: String(managementPort),
        },
        stdio: ['ignore', 'inherit', 'inherit'],
      });
      const ready = async () => (await fetch(`http://127.0.0.1:${managementPort}/readyz`)).ok;
      await eventually(ready, { withinMs: 60_000, everyMs: 100 });
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  };
}
