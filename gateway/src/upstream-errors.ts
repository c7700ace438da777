import { Problem } from '@wayquest/platform/core';

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : '';

const resets = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);
const absences = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Whether a connection broke that had been good: the service may never have seen the call. */
export const isReset = (error: unknown): boolean => resets.has(codeOf(error));

/** Whether a service had a call and said nothing for too long. */
export const isSilence = (error: unknown): boolean => codeOf(error) === 'UND_ERR_HEADERS_TIMEOUT';

/** What a client is told when its service could not be asked. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const code = codeOf(error);
  if (absences.has(code)) return new Problem('service-unavailable', { cause: error });
  if (isSilence(error)) return new Problem('gateway-timeout', { cause: error });
  if (code === 'UND_ERR_INVALID_ARG') {
    return new Problem('invalid-request', {
      cause: error,
      errors: [{ field: 'headers', reason: 'are not well-formed' }],
    });
  }
  return new Problem('bad-gateway', { cause: error });
}
