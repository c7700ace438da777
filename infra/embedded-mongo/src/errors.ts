import type { Doc } from './values.ts';

/** The names that clients look at; others are `Location` and the code, as on the real server. */
const NAMES = new Map(
  `2 BadValue,9 FailedToParse,14 TypeMismatch,20 IllegalOperation,22 InvalidBSON,26 NamespaceNotFound,
  27 IndexNotFound,28 PathNotViable,40 ConflictingUpdateOperators,43 CursorNotFound,48 NamespaceExists,
  59 CommandNotFound,66 ImmutableField,67 CannotCreateIndex,73 InvalidNamespace,85 IndexOptionsConflict,
  86 IndexKeySpecsConflict,115 CommandNotSupported,11000 DuplicateKey,14031 OutOfDiskSpace`
    .split(',')
    .map((entry) => entry.trim().split(' '))
    .map(([code, name]) => [Number(code), name]),
);

/** An answer in MongoDB's terms: the code and message that a client of the real server would see. */
export class ServerError extends Error {
  readonly code: number;
  readonly extra: Doc;

  constructor(code: number, message: string, extra: Doc = {}) {
    super(message);
    this.code = code;
    this.extra = extra;
  }

  get codeName(): string {
    return NAMES.get(this.code) ?? `Location${this.code}`;
  }
}

export const badValue = (message: string) => new ServerError(2, message);
export const failedToParse = (message: string) => new ServerError(9, message);
export const typeMismatch = (message: string) => new ServerError(14, message);
/** For what the real server can do and this one does not. */
export const notSupported = (what: string) => new ServerError(115, `${what} is not supported by this server`);
