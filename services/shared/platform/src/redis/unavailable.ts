/** Messages of ioredis and Redis for an unavailable server, where the error has no name of its own. */
const unavailableMessages =
  /^(Stream isn't writeable|Connection is closed|Command timed out|Command aborted|LOADING |MASTERDOWN )/;

/** Whether a command failed because Redis is unavailable, not because of the command itself. */
export const isRedisUnavailable = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'MaxRetriesPerRequestError' ||
    error.name === 'ClusterAllFailedError' ||
    unavailableMessages.test(error.message));
