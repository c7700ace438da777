import { Problem } from '@wayquest/platform/core';

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : '';

const connectionResetCodes = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);
const unavailableCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Whether an established connection was closed: the service may not have received the call. */
export const isConnectionReset = (error: unknown): boolean => connectionResetCodes.has(codeOf(error));

/** Whether a service received a call and did not respond in time. */
export const isResponseTimeout = (error: unknown): boolean => codeOf(error) === 'UND_ERR_HEADERS_TIMEOUT';

/** The problem for a failed call to a service. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const code = codeOf(error);
  if (unavailableCodes.has(code)) return new Problem('service-unavailable', { cause: error });
  if (isResponseTimeout(error)) return new Problem('gateway-timeout', { cause: error });
  if (code === 'UND_ERR_INVALID_ARG') {
    return new Problem('invalid-request', {
      cause: error,
      errors: [{ field: 'headers', reason: 'are not well-formed' }],
    });
  }
  return new Problem('bad-gateway', { cause: error });
}
