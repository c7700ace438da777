import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Whether packages can be installed: on Debian and its derivatives, as root. */
export const canInstall = (): boolean => existsSync('/etc/debian_version') && process.getuid?.() === 0;

let installing: Promise<unknown> = Promise.resolve();

/** Installs packages one after the other, since apt-get locks. */
export function install(name: string): Promise<void> {
  const installed = installing.then(async () => {
    const timeout = 180_000;
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    await run('apt-get', ['update', '-qq'], { env, timeout });
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name], { env, timeout });
  });
  installing = installed.catch(() => {});
  return installed;
}
