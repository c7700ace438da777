import { settingsOrExit, wholeNumber } from '@wayquest/platform/process';
import { z } from 'zod';

const positiveInteger = (defaultValue: number) => wholeNumber({ min: 1_000 }).default(defaultValue);

/** Sizes and targets of the measurements. */
export const settings = settingsOrExit(
  z.object({
    FEW: positiveInteger(1_000),
    MANY: positiveInteger(100_000),
    /** Tabs of each of the 200 people in a chat. */
    TABS: wholeNumber({ min: 1 }).default(2),
    /** Sockets that reconnect at the same time. */
    SOCKETS: wholeNumber({ min: 1 }).default(5_000),
    ROUNDS: wholeNumber({ min: 1 }).default(60),
    STORE: z.enum(['mongodb', 'embedded-store']).optional(),
  }),
);

export const printLine = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
