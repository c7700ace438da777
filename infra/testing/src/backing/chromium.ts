import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { FindOptions, Provider } from './backing-service.ts';
import { defaultProviders } from './default-providers.ts';
import { findProgram } from './program.ts';

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
