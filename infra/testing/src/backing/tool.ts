import type { FindOptions, Way } from './backing-service.ts';
import { findProgram } from './program.ts';
import { usualWays } from './usual-ways.ts';

/** The ways to get a program that tests run themselves: its address is its path. */
export const waysToTool =
  (name: string, debianPackage: string) =>
  (options: FindOptions): Promise<Way[]> =>
    usualWays(
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
