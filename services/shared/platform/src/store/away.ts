const awayNames: ReadonlySet<string> = new Set([
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
