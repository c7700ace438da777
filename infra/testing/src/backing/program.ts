import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { accessSync, constants } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { eventually } from '../eventually.ts';

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    );
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

/**
 * Returns a free port for something that is started later. Not an ephemeral port (from 32768 on in Linux), which an
 * outgoing connection could take in between; nor one that `fetch` refuses, of which 10080 is the highest (Fetch standard, bad
 * ports).
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_081, 32_000);
    if (await isFree(port)) return port;
  }
}

/** Returns the path of the first of these programs in PATH or in the extra folders. */
export function findProgram(names: string[], extraFolders: string[] = []): string | undefined {
  const folders = [...extraFolders, ...(process.env.PATH ?? '').split(delimiter)];
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

const acceptsConnections = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

export interface Program {
  /** Its working directory, which is deleted when it stops. */
  folder: string;
  shutDown(): Promise<void>;
  kill(): Promise<void>;
  restart(): Promise<void>;
  pause(): Promise<void>;
  resume(): Promise<void>;
  stop(): Promise<void>;
}

interface ProgramOptions {
  command: string;
  args: (folder: string) => string[];
  /** Writes files into its folder before it starts. */
  prepare?: (folder: string) => Promise<void>;
  env?: (folder: string) => NodeJS.ProcessEnv;
  port: number;
}

/** Runs a program with its own port and folder until it is stopped or this process exits. */
export async function startProgram({ command, args, prepare, env, port }: ProgramOptions): Promise<Program> {
  const folder = await mkdtemp(join(tmpdir(), 'wayquest-test-'));
  await prepare?.(folder);
  let child: ChildProcess | undefined;
  const killOnExit = () => child?.kill('SIGKILL');

  const terminate = async (signal: NodeJS.Signals = 'SIGTERM') => {
    const running = child;
    child = undefined;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    const exited = new Promise((resolve) => running.once('exit', resolve));
    running.kill(signal);
    // A paused process receives the signal only now.
    running.kill('SIGCONT');
    await exited;
  };

  const launch = async () => {
    const starting = spawn(command, args(folder), {
      env: { ...process.env, ...env?.(folder) },
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = starting;
    let output = '';
    const collect = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-2_000);
    };
    starting.stdout.on('data', collect);
    starting.stderr.on('data', collect);
    const failed = new Promise<never>((_, reject) => {
      starting.once('error', reject);
      starting.once('exit', (code) => reject(new Error(`${command} ended with ${code}: ${output.trim()}`)));
    });
    failed.catch(() => {});
    await Promise.race([
      failed,
      eventually(async () => starting.exitCode !== null || (await acceptsConnections(port)), {
        withinMs: 60_000,
        everyMs: 50,
      }),
    ]);
  };

  const program: Program = {
    folder,
    shutDown: () => terminate(),
    kill: () => terminate('SIGKILL'),
    restart: launch,
    pause: async () => void child?.kill('SIGSTOP'),
    resume: async () => void child?.kill('SIGCONT'),
    async stop() {
      process.off('exit', killOnExit);
      await terminate();
      await rm(folder, { recursive: true, force: true });
    },
  };
  process.once('exit', killOnExit);
  try {
    await launch();
  } catch (error) {
    await program.stop();
    throw error;
  }
  return program;
}
