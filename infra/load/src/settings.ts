import { loadSettings } from '@wayquest/platform';
import { z } from 'zod';

const count = (usual: number) => z.coerce.number().int().min(1_000).default(usual);

/** How much of everything, and on what. */
export const settings = loadSettings(
  z.object({
    FEW: count(1_000),
    MANY: count(100_000),
    ROUNDS: z.coerce.number().int().positive().default(60),
    STORE: z.enum(['mongodb', 'embedded-store']).optional(),
  }),
);

export const say = (sentence: string): void => {
  process.stdout.write(`${sentence}\n`);
};
