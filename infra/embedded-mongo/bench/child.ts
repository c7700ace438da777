import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export type Child = { url: string; pid: number; process: ChildProcess; startMs: number; stderr(): string };

/** The sources, unless BUILT says that it is the build that counts, as when speed is measured. */
const CONDITIONS = process.env.BUILT ? [] : ['--conditions=@wayquest/source'];
const NODE = [process.execPath, '--expose-gc', ...CONDITIONS, '--import', 'tsx'];

/** Starts a server in a process of its own, so that it can be measured, or killed; `full` as where no disk has room. */
export async function startChild(directory: string, full = false): Promise<Child> {
  const script = fileURLToPath(new URL('./serve.ts', import.meta.url));
  const [file = '', ...args] = [...NODE, script, directory, ...(full ? ['Infinity'] : [])];
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const ready = once(createInterface(child.stdout), 'line').then(([line]) => JSON.parse(String(line)));
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the server ended with ${code} before it was ready: ${errors}`);
  });
  const { url, openMs } = await Promise.race([ready, ended]);
  ended.catch(() => {});
  child.stdout.resume();
  if (child.pid === undefined) throw new Error('the server has no process');
  return {
    url,
    pid: child.pid,
    process: child,
    startMs: openMs,
    stderr: () => errors,
  };
}

/** Ends a server without a chance to tidy up. */
export async function killChild(child: Child): Promise<void> {
  const gone = once(child.process, 'exit');
  child.process.kill('SIGKILL');
  await gone;
}

/** Ends a server as an operator would. */
export async function stopChild(child: Child): Promise<void> {
  const gone = once(child.process, 'exit');
  child.process.kill('SIGTERM');
  await gone;
}
