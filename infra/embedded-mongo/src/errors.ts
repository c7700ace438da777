import type { Doc } from './values.ts';

/** An error in MongoDB's terms: the code and message of the real server. */
export class ServerError extends Error {
  readonly code: number;
  readonly extra: Doc;

  constructor(code: number, message: string, extra: Doc = {}) {
    super(message);
    this.code = code;
    this.extra = extra;
  }
}

export const badValue = (message: string) => new ServerError(2, message);
export const failedToParse = (message: string) => new ServerError(9, message);
export const typeMismatch = (message: string) => new ServerError(14, message);
/** For what the real server supports and this one does not. */
export const notSupported = (feature: string) =>
  new ServerError(115, `${feature} is not supported by this server`);
