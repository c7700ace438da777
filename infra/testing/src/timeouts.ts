import type { Timeouts } from '@wayquest/platform/process';

/** For tests that are not about outages: a machine that is busy for a second must not fail them. */
export const patientTimeouts: Timeouts = { storeCallMs: 30_000, redisCommandMs: 30_000 };
