import type { Timeouts } from '@wayquest/platform/process';

/** For tests that are not about outages: they must not fail on a machine that is busy for a second. */
export const patientTimeouts: Timeouts = { storeCallMs: 30_000, redisCommandMs: 30_000 };
