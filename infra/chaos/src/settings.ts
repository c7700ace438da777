import { loadSettings } from '@wayquest/platform';
import { z } from 'zod';

const count = (usual: number) => z.coerce.number().int().positive().default(usual);

/** How much of everything. */
export const settings = loadSettings(
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
