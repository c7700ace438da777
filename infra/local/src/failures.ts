import type { AllInOneSettings } from './settings.ts';
import { DataFolderError } from './store.ts';

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;

/** Returns a sentence for a failed start, if its cause is something that the person can change. */
export function sentenceFor(error: unknown, { PORT, DATA_DIR }: AllInOneSettings): string | undefined {
  const code = codeOf(error);
  if (error instanceof DataFolderError) return error.message;
  if (code === 'ENAMETOOLONG') return `The path ${DATA_DIR} is too long. Set DATA_DIR to a shorter one.`;
  if (code === 'EADDRINUSE') return `Port ${PORT} is in use. Try another: PORT=${PORT + 1} make start`;
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return `${DATA_DIR} cannot be written to, or port ${PORT} not be listened on. Set DATA_DIR or PORT to others.`;
  }
  if (error instanceof Error && error.message.includes('in use by process')) {
    return `${error.message}. Stop that one first, or set DATA_DIR to another folder.`;
  }
  return undefined;
}
