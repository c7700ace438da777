import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { FindOptions, Provider } from './backing-service.ts';
import { defaultProviders } from './default-providers.ts';
import { findProgram } from './program.ts';

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
