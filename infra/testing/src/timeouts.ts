import type { Timeouts } from '@wayquest/platform/process';

/** For tests that are not about outages, so that they do not fail on a busy machine. */
export const longTimeouts: Timeouts = { storeCallMs: 30_000, redisCommandMs: 30_000 };
