/** How long calls to a dependency may take before they fail; all in milliseconds. */
export interface Timeouts {
  /** Timeout of one call to the store, including the wait for a server and a connection, and the driver's retry. */
  storeCallMs: number;
  /** Timeout of one Redis command. */
  redisCommandMs: number;
}

/** Defaults of services: no call waits longer than two seconds for an unavailable store. */
export const productionTimeouts: Timeouts = { storeCallMs: 2_000, redisCommandMs: 500 };
