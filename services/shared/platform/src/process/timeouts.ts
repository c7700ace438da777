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

/** Defaults of services: no call waits longer than two seconds for an unavailable store. */
export const productionTimeouts: Timeouts = { storeCallMs: 2_000, redisCommandMs: 500 };
