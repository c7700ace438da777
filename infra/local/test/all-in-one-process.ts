import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../../..');

export interface AllInOneProcess {
  url: string;
  /** What it has printed so far. */
  output(): string;
  /** Resolves with the exit code, or the name of the signal that ended it. */
  end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals>;
}

export type Ended = { code: number | NodeJS.Signals; output: string };

/** As `make start`. The make targets have built it, which spares each process seconds of compiling. */
const isBuilt = process.env.WAYQUEST_TEST_RUN !== undefined;
const flags = [
  ...(isBuilt ? [] : ['--import', 'tsx', '--conditions=@wayquest/source']),
  ...['--import', '@wayquest/platform/traces'],
];
const main = isBuilt ? 'infra/local/dist/main.js' : 'infra/local/src/main.ts';

const children: ChildProcess[] = [];
// Those of a test that failed half way.
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

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
  children.push(child);
  return child;
};

const ended = (child: ChildProcess) =>
  new Promise<number | NodeJS.Signals>((resolve) => {
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 0));
  });

/** Runs the all-in-one process until it says where it is. */
export async function startAllInOne(env: NodeJS.ProcessEnv): Promise<AllInOneProcess> {
  const child = start(env);
  const gone = ended(child);
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const address = /Wayquest is at (\S+)/.exec(output)?.[1];
      if (address) resolve(address);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    void gone.then((code) => reject(new Error(`it ended with ${code}: ${output}`)));
  });
  return {
    url,
    output: () => output,
    async end(signal) {
      child.kill(signal);
      return gone;
    },
  };
}

/** Runs the all-in-one process until it ends by itself. */
export async function runAllInOne(env: NodeJS.ProcessEnv): Promise<Ended> {
  const child = start(env);
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  return { code: await ended(child), output };
}
