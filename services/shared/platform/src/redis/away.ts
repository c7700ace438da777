/** How ioredis and Redis itself say that nobody answers just now, where they have no name for it. */
const awayMessages =
  /^(Stream isn't writeable|Connection is closed|Command timed out|Command aborted|LOADING |MASTERDOWN )/;

/** Whether a command failed because Redis is away, and not because of what was asked of it. */
export const isRedisAway = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'MaxRetriesPerRequestError' ||
    error.name === 'ClusterAllFailedError' ||
    awayMessages.test(error.message));
