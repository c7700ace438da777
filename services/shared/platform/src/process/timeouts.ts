/** How long calls to a dependency may take before they fail; all in milliseconds. */
export interface Timeouts {
  /**
   * How long one call to the store may take, with everything that it waits for: a server, a connection, an answer, and the
   * driver's second attempt.
   */
  storeCallMs: number;
  /** How long Redis may take to answer a command. */
  redisCommandMs: number;
}

/** What services use unless they are given others: nobody waits longer than two seconds for a store that is unavailable. */
export const productionTimeouts: Timeouts = { storeCallMs: 2_000, redisCommandMs: 500 };
