import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import type { BackingService, Provider } from './backing-service.ts';
import { isDockerAvailable } from './containers.ts';

const run = promisify(execFile);

const composeFile = resolve(import.meta.dirname, '../../../../docker-compose.yml');

/** Docker may respond without having the images that the build and the run need. */
async function fetchImages(): Promise<BackingService> {
  const defaults = (await readFile(composeFile, 'utf8')).matchAll(/\$\{(\w+):-([^}]+@sha256:[^}]+)\}/g);
  for (const [, variable = '', official = ''] of defaults) {
    const image = process.env[variable] || official;
    await run('docker', ['image', 'inspect', image]).catch(() => run('docker', ['pull', '--quiet', image]));
  }
  return { address: 'docker compose', stop: async () => {} };
}

export async function findComposeProviders(): Promise<Provider[]> {
  if (!(await isDockerAvailable())) return [];
  const version = await run('docker', ['compose', 'version', '--short']).catch(() => undefined);
  return version ? [{ description: `docker compose ${version.stdout.trim()}`, start: fetchImages }] : [];
}
