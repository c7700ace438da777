import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { afterFile } from '@wayquest/testing';

const root = resolve(import.meta.dirname, '../../..');

export interface AllInOneProcess {
  url: string;
  /** Returns its output so far. */
  output(): string;
  /** Sends a signal; resolves with the exit code, or the signal that ended the process. */
  end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals>;
}

export type ExitResult = { code: number | NodeJS.Signals; output: string };

/** Whether the make targets have built it: then what they serve is tested. */
const isBuilt = process.env.WAYQUEST_TEST_RUN !== undefined;
const flags = isBuilt
  ? []
  : ['--import', 'tsx', '--conditions=@wayquest/source', '--import', '@wayquest/platform/traces'];
const main = isBuilt ? 'infra/local/dist/bundle.mjs' : 'infra/local/src/main.ts';

const start = (env: NodeJS.ProcessEnv): ChildProcess => {
  const child = spawn(process.execPath, [...flags, main], {
    cwd: root,
    env: {
      ...process.env,
      MONGO_URL: '',
      AMQP_URL: '',
      REDIS_URL: '',
      DEMO: '0',
      STORE_TIMEOUT_MS: '30000',
      ...env,
    },
  });
  // A failed test may leave it running.
  afterFile(async () => child.kill('SIGKILL'));
  return child;
};

const exitOf = (child: ChildProcess) =>
  new Promise<number | NodeJS.Signals>((resolve) => {
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 0));
  });

/** Waits until a process has printed its URL. Rejects with its output if it exits before. */
export async function whenListening(child: ChildProcess): Promise<AllInOneProcess> {
  const exited = exitOf(child);
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const address = /Wayquest is at (\S+)/.exec(output)?.[1];
      if (address) resolve(address);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    void exited.then((code) => reject(new Error(`it exited with ${code}: ${output}`)));
  });
  return {
    url,
    output: () => output,
    async end(signal) {
      child.kill(signal);
      return exited;
    },
  };
}

/** Starts the all-in-one process, as `make start` does; resolves once it has printed its URL. */
export const startAllInOne = (env: NodeJS.ProcessEnv): Promise<AllInOneProcess> => whenListening(start(env));

/** Runs the all-in-one process until it exits by itself. */
export async function runAllInOne(env: NodeJS.ProcessEnv): Promise<ExitResult> {
  const child = start(env);
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  return { code: await exitOf(child), output };
}
