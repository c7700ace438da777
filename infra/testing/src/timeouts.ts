import type { Timeouts } from '@wayquest/platform/process';

/** For tests that are not about outages: a machine that is busy for a second must not fail them. */
export const patientTimeouts: Timeouts = {
  mongoHeartbeatMs: 10_000,
  mongoConnectMs: 30_000,
  mongoServerSelectionMs: 30_000,
  mongoWaitQueueMs: 30_000,
  redisCommandMs: 30_000,
};
