import { type Logger, pino } from 'pino';
import { currentRequestId } from './request-context.ts';

export type { Logger } from 'pino';

const secrets = [
  'authorization',
  'cookie',
  'password',
  'newPassword',
  'currentPassword',
  'token',
  'clientSecret',
];

/** JSON lines on standard output, each with the request id of the call it belongs to; secrets are redacted. */
export const createLogger = ({ name, level }: { name: string; level: string }): Logger =>
  pino({
    name,
    level,
    mixin: () => {
      const requestId = currentRequestId();
      return requestId ? { requestId } : {};
    },
    redact: secrets.flatMap((secret) => [secret, `*.${secret}`, `*.*.${secret}`]),
  });
