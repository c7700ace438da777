const duplicateKeyCode = 11_000;
const writeConflictCode = 112;

const hasCode = (error: unknown, code: number): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

/** Whether a write was refused because a unique index already holds its key. */
export const isDuplicateKey = (error: unknown): boolean => hasCode(error, duplicateKeyCode);

/**
 * Whether a write lost against another one for the same unique key: it holds the key, or the server could not tell
 * yet (MongoDB waits and tries again, DocumentDB leaves that to the client). Whoever made it looks again.
 */
export const lostTheRace = (error: unknown): boolean =>
  isDuplicateKey(error) || hasCode(error, writeConflictCode);
