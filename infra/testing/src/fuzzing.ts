/** `make test-long` generates this many times as many inputs. */
const longFactor = 20;

/**
 * The parameters of a property that is tested with fast-check. `make test` generates the same few inputs in every run;
 * `make test-long` many, with a new seed that the global setup prints.
 *
 * @param numRuns - The number of inputs in `make test`.
 */
export const fuzzing = (numRuns: number): { numRuns: number; seed: number } => ({
  numRuns: process.env.WAYQUEST_TEST_RUN === 'long' ? numRuns * longFactor : numRuns,
  seed: Number(process.env.FUZZ_SEED || 7),
});
