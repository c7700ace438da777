import { settingsOrExit, wholeNumber } from '@wayquest/platform/process';
import { z } from 'zod';

const count = (usual: number) => wholeNumber({ min: 1 }).default(usual);

/** How much of everything. */
export const settings = settingsOrExit(
  z.object({
    MESSAGES: count(20_000),
    /** Messages a second. */
    RATE: count(100),
    SOCKETS: count(500),
    CONVERSATIONS: count(100),
    SETTLE_SECONDS: count(90),
  }),
);

export const say = (sentence: string): void => {
  process.stdout.write(`${sentence}\n`);
};
