/** The store did not respond in time, or the circuit breaker is open. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';
}

const unavailableNames: ReadonlySet<string> = new Set([
  'StoreUnavailableError',
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoServerSelectionError',
  'MongooseServerSelectionError',
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
  'MongoServerClosedError',
  'MongoClientClosedError',
  'MongoPoolClosedError',
  'MongoPoolClearedError',
  'PoolClearedOnNetworkError',
  'MongoWaitQueueTimeoutError',
  'MongoOperationTimeoutError',
]);

/** Error codes of a server that steps down, starts or shuts down. */
const unavailableCodes: ReadonlySet<unknown> = new Set([
  6, 7, 89, 91, 189, 9_001, 10_107, 11_600, 11_602, 13_435, 13_436,
]);

/** Whether an operation failed because MongoDB is unavailable, not because of the operation itself. */
export function isMongoUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (unavailableNames.has(error.name) || error.message.includes('buffering timed out')) return true;
  // A bulk write error wraps its cause.
  if ('errorResponse' in error && isMongoUnavailable(error.errorResponse)) return true;
  return error.name.startsWith('Mongo') && 'code' in error && unavailableCodes.has(error.code);
}

/** Errors of calls that timed out waiting for a response, a connection or a server. */
const timeoutNames: ReadonlySet<string> = new Set([
  'StoreUnavailableError',
  'MongoNetworkTimeoutError',
  'MongoServerSelectionError',
  'MongoWaitQueueTimeoutError',
  'MongoOperationTimeoutError',
]);

/** Whether a call to the store timed out. */
export const isStoreTimeout = (error: unknown): boolean =>
  error instanceof Error && timeoutNames.has(error.name);

/** Messages of ioredis and Redis for an unavailable server, where the error has no name of its own. */
const redisMessages =
  /^(Stream isn't writeable|Connection is closed|Command timed out|Command aborted|LOADING |MASTERDOWN )/;

/** Whether a command failed because Redis is unavailable, not because of the command itself. */
export const isRedisUnavailable = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'MaxRetriesPerRequestError' ||
    error.name === 'ClusterAllFailedError' ||
    redisMessages.test(error.message));

/** Publishing failed because the broker is unavailable. The event was not accepted; the caller still owns it and may retry. */
export class BusUnavailableError extends Error {}

/**
 * A subscriber of the event has not started yet, or has stopped, in this process. The event stays in its outbox; this
 * is not an error.
 */
export class SubscriberUnavailableError extends BusUnavailableError {}

/** Whether something failed only because a dependency (store, Redis, broker) is unavailable, so that it may be retried without limit. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof BusUnavailableError || isMongoUnavailable(error) || isRedisUnavailable(error))
    return true;
  return error instanceof Error && error.cause !== undefined && isUnavailable(error.cause);
}
