import { randomInt } from 'node:crypto';

const isLongRun = process.env.WAYQUEST_TEST_RUN === 'long';

/** `make test-long` generates this many times as many inputs. */
const longFactor = 20;

/** The seed of this run; `FUZZ_SEED` repeats one that was printed. */
const seed = isLongRun ? Number(process.env.FUZZ_SEED || randomInt(1, 2 ** 31)) : 7;
if (isLongRun) process.stdout.write(`FUZZ_SEED=${seed}\n`);

/**
 * The parameters of a property that is tested with fast-check. `make test` generates the same few inputs in every run;
 * `make test-long` many, with a new seed that it prints.
 *
 * @param numRuns - The number of inputs in `make test`.
 */
export const fuzzing = (numRuns: number): { numRuns: number; seed: number } => ({
  numRuns: isLongRun ? numRuns * longFactor : numRuns,
  seed,
});
