import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { BackingService, Way } from './backing-service.ts';
import { dockerAnswers } from './containers.ts';

const run = promisify(execFile);

const images = {
  NODE_IMAGE: 'node:24-bookworm-slim',
  MONGO_IMAGE: 'mongo:8',
  RABBITMQ_IMAGE: 'rabbitmq:4',
  REDIS_IMAGE: 'redis:7',
};

/** Docker may answer and still have no images to build and run with. */
async function fetchImages(): Promise<BackingService> {
  for (const [variable, official] of Object.entries(images)) {
    const image = process.env[variable] || official;
    await run('docker', ['image', 'inspect', image]).catch(() => run('docker', ['pull', '--quiet', image]));
  }
  return { address: 'docker compose', stop: async () => {} };
}

export async function waysToCompose(): Promise<Way[]> {
  if (!(await dockerAnswers())) return [];
  const version = await run('docker', ['compose', 'version', '--short']).catch(() => undefined);
  return version ? [{ how: `docker compose ${version.stdout.trim()}`, start: fetchImages }] : [];
}
