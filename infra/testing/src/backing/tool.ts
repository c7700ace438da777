import type { FindOptions, Provider } from './backing-service.ts';
import { defaultProviders } from './default-providers.ts';
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
