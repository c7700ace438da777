import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { type BackingService, BuildError, type Provider } from './backing-service.ts';
import { findComposeProviders } from './compose.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../../../..');

/** The names of images that tests build, so that they are not mistaken for those of `make up`. */
const image = 'wayquest-test';

async function build(compose: Provider): Promise<BackingService> {
  const { stop } = await compose.start();
  const env = { ...process.env, WAYQUEST_IMAGE: image };
  await run('docker', ['compose', 'build', '--quiet'], { cwd: root, env }).catch((cause) => {
    throw new BuildError('the images cannot be built', { cause });
  });
  return { address: image, stop };
}

/** Wayquest's own images: those that `WAYQUEST_IMAGE` names, otherwise built from this checkout. */
export async function findImagesProviders(): Promise<Provider[]> {
  const imageName = process.env.WAYQUEST_IMAGE;
  if (imageName) {
    const start = async () => ({ address: imageName, stop: async () => {} });
    return [{ description: 'WAYQUEST_IMAGE', isExternal: true, start }];
  }
  return (await findComposeProviders()).map((compose) => ({
    description: `built by ${compose.description}`,
    start: () => build(compose),
  }));
}
