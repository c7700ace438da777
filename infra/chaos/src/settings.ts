import { settingsOrExit } from '@wayquest/platform/process';
import { z } from 'zod';
import { count } from './command.ts';

/** Sizes of the run. */
export const settings = settingsOrExit(
  z.object({
    MESSAGES: count(20_000),
    /** Messages per second. */
    RATE: count(100),
    SOCKETS: count(500),
    CONVERSATIONS: count(100),
    SETTLE_SECONDS: count(90),
  }),
);
