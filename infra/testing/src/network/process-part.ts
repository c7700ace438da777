import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../backing/program.ts';
import { type Part, type PartOptions, waitUntilReady } from './part.ts';

/** Resolves packages as this one does: in a checkout, or as installed. */
const { resolve } = createRequire(import.meta.url);

/** From their sources if this module is a source, otherwise from their builds. */
const fromSource = import.meta.filename.endsWith('.ts');
const flags = fromSource ? ['--import', resolve('tsx'), '--conditions=@wayquest/source'] : [];
const traces = resolve('@wayquest/platform/traces');
const main = fromSource ? 'main.ts' : 'main.js';

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

interface ProcessPartOptions extends PartOptions {
  /** By default the loopback address, and free ports. */
  host?: string;
  port?: number;
  managementPort?: number;
}

/** Creates a part in its own process, as in production. */
export async function createProcessPart({
  name,
  print,
  host = '127.0.0.1',
  ...ports
}: ProcessPartOptions): Promise<Part> {
  const { port = await freePort(), managementPort = await freePort() } = ports;
  const managementUrl = `http://${host}:${managementPort}`;
  const program = join(dirname(resolve(`@wayquest/${name}`)), main);
  let child: ChildProcess | undefined;

  const terminate = async (signal: NodeJS.Signals) => {
    const running = child;
    child = undefined;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    const exited = once(running, 'exit');
    running.kill(signal);
    // A paused process receives the signal only now.
    running.kill('SIGCONT');
    await exited;
  };

  return {
    name,
    url: `http://${host}:${port}`,
    managementUrl,
    async start(env) {
      const started = spawn(process.execPath, [...flags, '--import', traces, program], {
        env: {
          PATH: process.env.PATH,
          ...env,
          HOST: host,
          PORT: String(port),
          MANAGEMENT_PORT: String(managementPort),
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      child = started;
      running.add(started);
      started.once('exit', () => running.delete(started));
      for (const stream of [started.stdout, started.stderr])
        createInterface({ input: stream }).on('line', print);
      await waitUntilReady(name, managementUrl, () => {
        const how = started.exitCode ?? started.signalCode;
        return how === null ? undefined : String(how);
      });
    },
    pause: async () => void child?.kill('SIGSTOP'),
    resume: async () => void child?.kill('SIGCONT'),
    kill: () => terminate('SIGKILL'),
    stop: () => terminate('SIGTERM'),
  };
}
