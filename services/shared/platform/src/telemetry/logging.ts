import { types } from 'node:util';
import { type DestinationStream, type Logger, pino } from 'pino';
import { requestContext } from './request-context.ts';

export type { Logger } from 'pino';

/** What is never logged, in whatever case it is written. */
const secrets = [
  'authorization',
  'cookie',
  'set-cookie',
  'password',
  'newPassword',
  'currentPassword',
  'token',
  'clientSecret',
];
const lowered = new Set(secrets.map((secret) => secret.toLowerCase()));

const censored = '[Redacted]';

/** As deep as pino writes. */
const deepest = 5;

const isSecret = (key: string): boolean => lowered.has(key.toLowerCase());

/** What is to be logged, with its secrets censored; what holds none is not copied. */
function withoutSecrets<T>(value: T, depth?: number): T;
function withoutSecrets(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth > deepest) return value;
  if (types.isNativeError(value)) return withoutSecrets(pino.stdSerializers.err(value), depth);
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, depth + 1));
  if ('toJSON' in value && typeof value.toJSON === 'function')
    return withoutSecrets(value.toJSON(), depth + 1);
  let kept: Record<string, unknown> | undefined;
  for (const [key, inner] of Object.entries(value)) {
    const shown = isSecret(key) ? censored : withoutSecrets(inner, depth + 1);
    if (shown === inner) continue;
    kept ??= { ...value };
    kept[key] = shown;
  }
  return kept ?? value;
}

function lineOf(fields: Record<string, unknown>): Record<string, unknown> {
  const { requestId, step } = requestContext.getStore() ?? {};
  if (!requestId) return withoutSecrets(fields);
  const traceId = step?.traceId;
  return withoutSecrets(traceId ? { requestId, traceId, ...fields } : { requestId, ...fields });
}

export interface LoggerOptions {
  name: string;
  level: string;
  /** Standard output if not said. */
  destination?: DestinationStream;
}

/**
 * JSON lines, on standard output, each with the ids of the request, and of the trace, that it belongs to; secrets are censored. Pino's own
 * `redact` costs ten times as much as the rest of a line where it has to look below the first level.
 */
export const createLogger = ({ name, level, destination = pino.destination(1) }: LoggerOptions): Logger =>
  pino(
    {
      name,
      level,
      formatters: { log: lineOf },
      serializers: {
        // It has been written out already.
        err: (error: object) => error,
        // What a child logger is given does not come by the formatter.
        ...Object.fromEntries(secrets.map((secret) => [secret, () => censored])),
      },
    },
    destination,
  );
