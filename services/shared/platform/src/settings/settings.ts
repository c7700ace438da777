import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { productionTimeouts, type Timeouts } from '../async/deadline.ts';
import { type Limit, limits, windowOf } from '../core/limits.ts';
import { publicKeysOf } from './public-keys.ts';

/** Invalid or unusable settings. The message is for the operator, and names them. */
export class SettingsError extends Error {}

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Returns each setting of a schema by name. Schemas can be combined: `users.and(gateway)`. */
export function settingsIn(schema: z.core.$ZodType): Record<string, z.core.$ZodType> {
  if (schema instanceof z.ZodIntersection)
    return { ...settingsIn(schema.def.left), ...settingsIn(schema.def.right) };
  if (schema instanceof z.ZodObject) return schema.shape;
  throw new TypeError('settings must be a z.object, or several joined by .and()');
}

const fieldOf = (error: unknown, field: 'code' | 'message'): unknown =>
  typeof error === 'object' && error !== null && field in error ? Reflect.get(error, field) : undefined;

/**
 * Returns a setting's value, or the content of the file that `NAME_FILE` names; undefined if empty. Throws
 * SettingsError.
 */
function readValue(name: string, env: Environment): string | undefined {
  const value = env[name]?.trim() || undefined;
  const file = env[`${name}_FILE`];
  if (!file) return value;
  if (value) throw new SettingsError(`is set, and so is ${name}_FILE; set only one of them`);
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch (error) {
    throw new SettingsError(
      `${name}_FILE names ${file}, which cannot be read (${fieldOf(error, 'code') ?? error})`,
    );
  }
}

/**
 * Reads settings. `NAME_FILE` names a file that contains NAME (for mounted secrets). Values are trimmed, and empty ones
 * are absent. Throws SettingsError, which names all invalid settings.
 */
export function loadSettings<Settings>(
  schema: z.ZodType<Settings>,
  env: Environment = process.env,
): Settings {
  const values: Record<string, string> = {};
  const invalid = new Map<string, string>();
  for (const name of Object.keys(settingsIn(schema))) {
    try {
      const value = readValue(name, env);
      if (value !== undefined) values[name] = value;
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      invalid.set(name, error.message);
    }
  }
  const result = schema.safeParse(values);
  for (const { path, message, code } of result.error?.issues ?? []) {
    const name = String(path[0]);
    const isMissing = code === 'invalid_type' && !(name in values);
    if (!invalid.has(name)) invalid.set(name, isMissing ? 'must be set' : message);
  }
  if (result.success && invalid.size === 0) return result.data;
  const lines = [...invalid].map(([name, sentence]) => `  ${name}: ${sentence}`);
  throw new SettingsError(`These settings are invalid or missing:\n${lines.join('\n')}`);
}

/**
 * Awaits the connection that a setting names.
 *
 * @throws SettingsError which names the setting, if the connection fails.
 */
export async function connectOrFail<T>(setting: string, connection: Promise<T>): Promise<T> {
  try {
    return await connection;
  } catch (error) {
    // The error of several refused addresses of one name has no message.
    const reason = fieldOf(error, 'message') || fieldOf(error, 'code') || error;
    throw new SettingsError(`cannot connect to ${setting} (${reason})`, { cause: error });
  }
}

/** A whole number in digits. */
export function wholeNumber({ min, max = Number.MAX_SAFE_INTEGER }: { min: number; max?: number }) {
  const range = max === Number.MAX_SAFE_INTEGER ? `${min} or more` : `from ${min} to ${max}`;
  return z
    .string()
    .refine(
      (text) => /^\d{1,16}$/.test(text) && Number(text) >= min && Number(text) <= max,
      `must be a whole number, ${range}`,
    )
    .transform(Number);
}

/** A port to listen on. */
export const portSetting = wholeNumber({ min: 0, max: 65_535 });

export const logLevelSetting = z
  .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
  .describe('The minimum log level: `fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.');

/** Origin of a service or the gateway, without a path. */
export const originSetting = z
  .string()
  .regex(/^https?:\/\/[^/?#\s]+\/?$/, 'must be an http:// or https:// address without a path')
  .refine((url) => URL.canParse(url), 'must be an http:// or https:// address without a path')
  .transform((url) => new URL(url).origin);

const isOrigin = (url: string) => URL.canParse(url) && new URL(url).href === `${new URL(url).origin}/`;

/** The public URL of Wayquest, for browsers. */
export const publicUrlSetting = z
  .url({ protocol: /^https?$/, error: 'must be an http:// or https:// address', abort: true })
  .refine(isOrigin, 'must be an origin, without a path')
  .transform((url) => new URL(url).origin);

export const publicUrlDescription =
  'The URL of Wayquest in browsers. Required for sign-in with Google or OpenID Connect, passkeys and links in mails, except on localhost. Also used in previews of pages.';

const serverUrl = (protocol: RegExp, example: string) =>
  z.url({ protocol, hostname: /./, error: `must be an address like ${example}` });

/** Not parsed as a URL: it may contain several hosts. */
export const mongoUrlSetting = z
  .string()
  .regex(
    /^mongodb(\+srv)?:\/\/([^/?#\s@]+@)?[^/?#\s,:@]+(:\d{1,5})?(,[^/?#\s,:@]+(:\d{1,5})?)*(\/\S*)?$/,
    'must be an address like mongodb://localhost:27017',
  )
  .describe('The URL of MongoDB, or of a server with its protocol. Each service has its own database there.');

export const amqpUrlSetting = serverUrl(/^amqps?$/, 'amqp://localhost:5672').describe(
  'The URL of RabbitMQ, the event bus.',
);

export const redisUrlSetting = serverUrl(/^rediss?$/, 'redis://localhost:6379')
  .optional()
  .describe(
    'The URL of Redis, which several instances need to share limits and connections. Without it, each instance counts for itself.',
  );

/** Fixed by the image, so operators do not set it in containers. */
export const setByImage = { setByImage: true };

/** The host that a process listens on; in a container, as its image says. */
export const hostSetting = z
  .string()
  .default('0.0.0.0')
  .meta({ ...setByImage, description: 'The network address to listen on.' });

/** Prefix of databases, queues and keys. */
export const installationSetting = z
  .string()
  .regex(
    /^[a-z][a-z0-9_-]{0,31}$/,
    'must be up to 32 lowercase letters, digits, - and _, starting with a letter',
  )
  .default('wayquest')
  .describe(
    'The name of this installation: the prefix of its databases, queues and keys, so that several installations can share servers.',
  );

/** Settings of tracing, by OpenTelemetry's names. */
export const traceSettings = z.object({
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, hostname: /./, error: 'must be an http:// or https:// address' })
    .optional()
    .describe(
      'The URL of the OpenTelemetry collector (OTLP over HTTP), as `http://otel-collector:4318`. Without it, nothing is traced.',
    ),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0(\.\d{1,9})?|1(\.0{1,9})?)$/, 'must be a number from 0 to 1')
    .transform(Number)
    .default(1)
    .describe('The share of requests that are traced, from 0 to 1.'),
});

/** The setting of the maximum of one or several limits. */
export function limitSetting(limit: Limit, ...others: Limit[]) {
  const counts = [limit, ...others].map((each) => each.counts).join(', and of ');
  const window = windowOf(limit);
  const description = `Maximum number of ${counts}${window ? ` per ${window}` : ''}, for each ${limit.per}.`;
  return wholeNumber({ min: 1 }).default(limit.max).describe(description);
}

/** Where security events are kept. */
export const securityLogSetting = z
  .string()
  .optional()
  .describe(
    'The folder in which security events are also kept, in files of their own: `<program>.log`, and nine before it, of 10 MB each.',
  );

/** Settings of every process that serves HTTP. */
export const processSettings = z.object({
  HOST: hostSetting,
  PORT: portSetting.default(8080).describe('The port to listen on.'),
  MANAGEMENT_PORT: portSetting
    .default(9090)
    .describe('The port of `/healthz`, `/readyz` and `/metrics`, which should not be public.'),
  LOG_LEVEL: logLevelSetting.default('info'),
  SECURITY_LOG_DIR: securityLogSetting,
  INSTALLATION: installationSetting,
  ...traceSettings.shape,
});

/** Settings of every service. */
export const limitSettings = z.object({
  RATE_LIMIT_PER_ACCOUNT: limitSetting(limits.requestsPerAccount),
  NEW_ACCOUNT_HOURS: wholeNumber({ min: 0 })
    .default(24)
    .describe(
      'For how many hours after sign-up an account is new, and has lower limits for challenges, friend requests and messages.',
    ),
  NEW_ACCOUNT_WEIGHT: wholeNumber({ min: 1 })
    .default(2)
    .describe('How many times each of these actions of a new account counts.'),
});

/** These settings as a service receives them. */
export const limitsFrom = ({
  RATE_LIMIT_PER_ACCOUNT: callsPerAccount,
  NEW_ACCOUNT_HOURS: hours,
  NEW_ACCOUNT_WEIGHT: weight,
}: z.output<typeof limitSettings>) => ({ callsPerAccount, newAccounts: { hours, weight } });

const arePublicKeys = (text: string): boolean => {
  try {
    return publicKeysOf(text).size > 0;
  } catch {
    return false;
  }
};
/** Timeouts of a service from its settings. */
export const timeoutSettings = z.object({
  STORE_TIMEOUT_MS: wholeNumber({ min: 100 })
    .default(productionTimeouts.storeCallMs)
    .describe(
      'The timeout of a call to the store, in milliseconds; all calls for one request have a tenth more. While answers take more than an eighth of it, fewer calls are made at a time. If nothing is answered at all, calls fail immediately until the store responds again.',
    ),
});

/** Returns the timeouts of production with those that settings override. */
export const timeoutsFrom = ({ STORE_TIMEOUT_MS }: z.output<typeof timeoutSettings>): Timeouts => ({
  ...productionTimeouts,
  storeCallMs: STORE_TIMEOUT_MS,
});

/** Settings of a service in a process of its own. */
export const serviceSettings = processSettings.extend({
  ...limitSettings.shape,
  ...timeoutSettings.shape,
  MONGO_URL: mongoUrlSetting,
  AMQP_URL: amqpUrlSetting,
  JWT_PUBLIC_KEY: z
    .string()
    .refine(arePublicKeys, 'must be public RSA keys of at least 2048 bits in PEM, one after the other')
    .describe(
      'The RSA public key that verifies tokens, in PEM. Several concatenated keys are accepted while a key is being replaced.',
    ),
});
