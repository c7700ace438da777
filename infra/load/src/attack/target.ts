import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from '@wayquest/testing';
import { eventually } from '@wayquest/testing/eventually';

/** The attacked installation. */
export interface Target {
  url: string;
  /** Resident memory in MiB; undefined for an external installation. */
  memory(): Promise<number | undefined>;
  stop(): Promise<void>;
}

const root = resolve(import.meta.dirname, '../../../..');

/** Starts the all-in-one process with its default limits, behind a proxy, which this process acts as. */
export async function startAllInOne(): Promise<Target> {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'wayquest-attack-'));
  const program = spawn(process.execPath, [join(root, 'infra/local/dist/main.js')], {
    env: { ...process.env, PORT: String(port), DATA_DIR: folder, TRUSTED_PROXIES: '1', LOG_LEVEL: 'error' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  await eventually(async () => (await fetch(`${url}/api/leaderboard`)).ok, { withinMs: 120_000 });
  return {
    url,
    async memory() {
      const status = await readFile(`/proc/${program.pid}/status`, 'utf8').catch(() => '');
      const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
      return kilobytes === undefined ? undefined : Number(kilobytes) / 1_024;
    },
    async stop() {
      program.kill();
      await once(program, 'exit');
      await rm(folder, { recursive: true });
    },
  };
}

/** An installation that is running already, such as that of `make up` with `TRUSTED_PROXIES=1`. */
export const targetAt = (url: string): Target => ({
  url,
  memory: async () => undefined,
  stop: async () => {},
});
