import { settingsOrExit, wholeNumber } from '@wayquest/platform/process';
import { z } from 'zod';

const count = (usual: number) => wholeNumber({ min: 1_000 }).default(usual);

/** Sizes and targets of the measurements. */
export const settings = settingsOrExit(
  z.object({
    FEW: count(1_000),
    MANY: count(100_000),
    /** Tabs of each of the 200 people in a chat. */
    TABS: wholeNumber({ min: 1 }).default(2),
    /** Sockets that reconnect at the same time. */
    SOCKETS: wholeNumber({ min: 1 }).default(5_000),
    ROUNDS: wholeNumber({ min: 1 }).default(60),
    STORE: z.enum(['mongodb', 'embedded-store']).optional(),
  }),
);

export const printLine = (sentence: string): void => {
  process.stdout.write(`${sentence}\n`);
};
