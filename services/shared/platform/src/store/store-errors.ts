const duplicateKeyCode = 11_000;
const writeConflictCode = 112;
const namespaceNotFoundCode = 26;
const indexNotFoundCode = 27;

const hasCode = (error: unknown, code: number): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

/** Whether a write was refused because a unique index already holds its key. */
export const isDuplicateKey = (error: unknown): boolean => hasCode(error, duplicateKeyCode);

/**
 * Whether a write lost against a concurrent one for the same unique key: a duplicate key, or a write conflict (MongoDB
 * retries these itself, DocumentDB leaves it to the client). The caller has to read again.
 */
export const isWriteConflict = (error: unknown): boolean =>
  isDuplicateKey(error) || hasCode(error, writeConflictCode);

/** Whether a command failed because its collection or index does not exist. */
export const isNotFound = (error: unknown): boolean =>
  hasCode(error, namespaceNotFoundCode) || hasCode(error, indexNotFoundCode);
