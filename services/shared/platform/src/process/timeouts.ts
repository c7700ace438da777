/** How long calls to a dependency may take before they fail; all in milliseconds. */
export interface Timeouts {
  /** How often the MongoDB driver checks that a server answers. */
  mongoHeartbeatMs: number;
  /** How long a MongoDB server may take to accept a connection or to answer a heartbeat. */
  mongoConnectMs: number;
  /** How long a call waits for a MongoDB server to become available. */
  mongoServerSelectionMs: number;
  /** How long a call waits for a free connection of the pool. */
  mongoWaitQueueMs: number;
  /** How long Redis may take to answer a command. */
  redisCommandMs: number;
}

/**
 * What services use unless they are given others: nobody waits longer than two seconds for a store that is unavailable.
 * It is asked for a heartbeat every half second; when it has not answered one for another second, everything that waits
 * for it fails, also where its connections stay open.
 */
export const productionTimeouts: Timeouts = {
  mongoHeartbeatMs: 500,
  mongoConnectMs: 1_000,
  mongoServerSelectionMs: 400,
  mongoWaitQueueMs: 5_000,
  redisCommandMs: 500,
};
