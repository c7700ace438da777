import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { FindOptions, Way } from './backing-service.ts';
import { findProgram } from './program.ts';
import { usualWays } from './usual-ways.ts';

/** The first draws pages and has no windows: tests take a quarter less time with it. */
const names = [
  'chromium-headless-shell',
  ...['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
];

export const waysToChromium = (options: FindOptions): Promise<Way[]> =>
  usualWays(
    {
      variable: 'CHROMIUM_URL',
      program: {
        find: () => findProgram(names) ?? [chromium.executablePath()].find(existsSync),
        start: async (command) => ({ address: command, stop: async () => {} }),
      },
      debianPackage: 'chromium-headless-shell',
    },
    options,
  );
