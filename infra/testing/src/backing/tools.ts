import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { type BackingService, BuildError, type FindOptions, type Provider } from './backing-service.ts';
import { defaultProviders, isDockerAvailable } from './default-providers.ts';
import { findProgram } from './program.ts';

/** Returns the providers of a program that tests run themselves; its address is its path. */
export const findToolProviders =
  (name: string, debianPackage: string) =>
  (options: FindOptions): Promise<Provider[]> =>
    defaultProviders(
      {
        program: {
          // The folder of servers is not in everybody's PATH.
          find: () => findProgram([name], ['/usr/sbin']),
          start: async (command) => ({ address: command, stop: async () => {} }),
        },
        debianPackage,
      },
      options,
    );

/** Older versions, such as that of Debian 12, have no components and labels. */
const minKustomizeVersion = 5;

export const findKubectlProviders = (options: FindOptions): Promise<Provider[]> =>
  defaultProviders(
    {
      program: {
        find: () => findProgram(['kubectl']),
        async start(command) {
          const { stdout } = await promisify(execFile)(command, ['version', '--client']);
          const [, kustomize = '0'] = /Kustomize Version: v(\d+)/.exec(stdout) ?? [];
          if (Number(kustomize) < minKustomizeVersion) throw new Error('it is too old');
          return { address: command, stop: async () => {} };
        },
      },
      debianPackage: 'kubernetes-client',
    },
    options,
  );

const fullBrowsers = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const chromiumProviders =
  (debianPackage: string, programs: string[]) =>
  (options: FindOptions): Promise<Provider[]> =>
    defaultProviders(
      {
        variable: 'CHROMIUM_URL',
        program: {
          find: () => findProgram(programs) ?? [chromium.executablePath()].find(existsSync),
          start: async (command) => ({ address: command, stop: async () => {} }),
        },
        debianPackage,
      },
      options,
    );

/** Any browser that renders pages. The headless shell does nothing else, and is a quarter faster. */
export const findChromiumProviders = chromiumProviders('chromium-headless-shell', [
  'chromium-headless-shell',
  ...fullBrowsers,
]);

/** A browser that can also install apps and show notifications. */
export const findFullChromiumProviders = chromiumProviders('chromium', fullBrowsers);

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
