import { type DestinationStream, type Logger, pino } from 'pino';
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

export interface LoggerOptions {
  name: string;
  level: string;
  /** Standard output if not said. */
  destination?: DestinationStream;
}

/** JSON lines, on standard output, each with the request id of the call it belongs to; secrets are redacted. */
export const createLogger = ({ name, level, destination }: LoggerOptions): Logger => {
  const options = {
    name,
    level,
    mixin: () => {
      const requestId = currentRequestId();
      return requestId ? { requestId } : {};
    },
    redact: secrets.flatMap((secret) => [secret, `*.${secret}`, `*.*.${secret}`]),
  };
  return destination ? pino(options, destination) : pino(options);
};
