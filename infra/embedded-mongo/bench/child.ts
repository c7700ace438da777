import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A server in a child process; `startMs` is the time in milliseconds it took to open its folder. */
export type Child = { url: string; pid: number; process: ChildProcess; startMs: number; stderr(): string };

/** With BUILT, as for measurements of speed, the child runs the build instead of the sources. */
const CONDITIONS = process.env.BUILT ? [] : ['--conditions=@wayquest/source'];
const NODE = [process.execPath, '--expose-gc', ...CONDITIONS, '--import', 'tsx'];

/** Starts a server in a child process, so that it can be measured or killed; with `full`, it treats the disk as full. */
export async function startChild(directory: string, full = false): Promise<Child> {
  const script = fileURLToPath(new URL('./serve.ts', import.meta.url));
  const [file = '', ...args] = [...NODE, script, directory, ...(full ? ['Infinity'] : [])];
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const ready = once(createInterface(child.stdout), 'line').then(([line]) => JSON.parse(String(line)));
  const exited = once(child, 'exit').then(([code]) => {
    throw new Error(`the server exited with ${code} before it was ready: ${errors}`);
  });
  const { url, openMs } = await Promise.race([ready, exited]);
  exited.catch(() => {});
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

/** Kills a server. */
export async function killChild(child: Child): Promise<void> {
  const exit = once(child.process, 'exit');
  child.process.kill('SIGKILL');
  await exit;
}

/** Stops a server with SIGTERM, and waits for its exit. */
export async function stopChild(child: Child): Promise<void> {
  const exit = once(child.process, 'exit');
  child.process.kill('SIGTERM');
  await exit;
}
