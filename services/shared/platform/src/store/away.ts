/** The store did not answer in time, or has not answered others and is not asked before it does. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';
}

const awayNames: ReadonlySet<string> = new Set([
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

/** A server that steps down, starts or ends says so by a code: it is there, but no part to work with. */
const awayCodes: ReadonlySet<unknown> = new Set([
  6, 7, 89, 91, 189, 9_001, 10_107, 11_600, 11_602, 13_435, 13_436,
]);

/** Whether an operation failed because the store is away, and not because of what was asked of it. */
export function isStoreAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (awayNames.has(error.name) || error.message.includes('buffering timed out')) return true;
  // Writes in bulk wrap whatever ended them.
  if ('errorResponse' in error && isStoreAway(error.errorResponse)) return true;
  return error.name.startsWith('Mongo') && 'code' in error && awayCodes.has(error.code);
}

/** Errors of calls that waited in vain, be it for an answer, a connection or a server. */
const timeoutNames: ReadonlySet<string> = new Set([
  'StoreUnavailableError',
  'MongoNetworkTimeoutError',
  'MongoServerSelectionError',
  'MongoWaitQueueTimeoutError',
  'MongoOperationTimeoutError',
]);

/** Whether a call to the store failed because it got no answer in time. */
export const isStoreTimeout = (error: unknown): boolean =>
  error instanceof Error && timeoutNames.has(error.name);
