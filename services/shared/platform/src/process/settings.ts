import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { publicKeysOf } from './public-keys.ts';
import { productionTimeouts, type Timeouts } from './timeouts.ts';

/** Invalid or unusable settings. The message is for the operator, and names them. */
export class SettingsError extends Error {}

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Returns each setting of a schema by name. Schemas can be combined: `users.and(gateway)`. */
export function settingsIn(schema: z.core.$ZodType): Record<string, z.core.$ZodType> {
  if (schema instanceof z.ZodIntersection)
    return { ...settingsIn(schema.def.left), ...settingsIn(schema.def.right) };
  if (schema instanceof z.ZodObject) return schema.shape;
  throw new TypeError('settings are an object, or several put together by and()');
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
  if (value) throw new SettingsError(`is set, and so is ${name}_FILE: only one of them can count`);
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
  const wrong = new Map<string, string>();
  for (const name of Object.keys(settingsIn(schema))) {
    try {
      const value = readValue(name, env);
      if (value !== undefined) values[name] = value;
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      wrong.set(name, error.message);
    }
  }
  const result = schema.safeParse(values);
  for (const { path, message, code } of result.error?.issues ?? []) {
    const name = String(path[0]);
    const absent = code === 'invalid_type' && !(name in values);
    if (!wrong.has(name)) wrong.set(name, absent ? 'must be set' : message);
  }
  if (result.success && wrong.size === 0) return result.data;
  const lines = [...wrong].map(([name, sentence]) => `  ${name}: ${sentence}`);
  throw new SettingsError(`These settings are wrong or missing:\n${lines.join('\n')}`);
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
    throw new SettingsError(`${setting}: what it names cannot be used (${reason})`, { cause: error });
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
  .describe('How much is logged: `fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.');

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
  'Where browsers find Wayquest; Google sign-in, passkeys and the links in mails need it anywhere but on localhost, and previews of pages name it.';

const brokerAddress = (protocol: RegExp, example: string) =>
  z.url({ protocol, hostname: /./, error: `must be an address like ${example}` });

/** Not parsed as a URL: it may contain several hosts. */
export const mongoUrlSetting = z
  .string()
  .regex(
    /^mongodb(\+srv)?:\/\/([^/?#\s@]+@)?[^/?#\s,:@]+(:\d{1,5})?(,[^/?#\s,:@]+(:\d{1,5})?)*(\/\S*)?$/,
    'must be an address like mongodb://localhost:27017',
  )
  .describe('The MongoDB, or what speaks its protocol; each service has a database of its own there.');

export const amqpUrlSetting = brokerAddress(/^amqps?$/, 'amqp://localhost:5672').describe(
  'The RabbitMQ that events go through.',
);

export const redisUrlSetting = brokerAddress(/^rediss?$/, 'redis://localhost:6379')
  .optional()
  .describe('The Redis that ties several instances together; without it each counts for itself alone.');

/** Fixed by the image, so operators do not set it in containers. */
export const fixedByTheImage = { fixedByTheImage: true };

/** The host that a process listens on; in a container, as its image says. */
export const hostSetting = z
  .string()
  .default('0.0.0.0')
  .meta({ ...fixedByTheImage, description: 'The address of this machine that it listens on.' });

/** Prefix of databases, queues and keys. */
export const installationSetting = z
  .string()
  .regex(/^[a-z][a-z0-9_-]{0,31}$/, 'must be up to 32 small letters, digits, - and _, a letter first')
  .default('wayquest')
  .describe(
    'The name of this installation: its databases, queues and keys begin with it, so that several can share their servers.',
  );

/** Settings of tracing, by OpenTelemetry's names. */
export const traceSettings = z.object({
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, hostname: /./, error: 'must be an http:// or https:// address' })
    .optional()
    .describe(
      'The OpenTelemetry collector that traces are sent to, by OTLP over HTTP, as `http://otel-collector:4318`. Without it nothing is traced.',
    ),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0(\.\d{1,9})?|1(\.0{1,9})?)$/, 'must be a number from 0 to 1')
    .transform(Number)
    .default(1)
    .describe('How many of the actions are traced: 1 is all of them, 0.01 one of a hundred.'),
});

/** Settings of every process that serves HTTP. */
export const processSettings = z.object({
  HOST: hostSetting,
  PORT: portSetting.default(8080).describe('Where it listens.'),
  MANAGEMENT_PORT: portSetting
    .default(9090)
    .describe('Where `/healthz`, `/readyz` and `/metrics` are, which are not for everybody.'),
  LOG_LEVEL: logLevelSetting.default('info'),
  INSTALLATION: installationSetting,
  ...traceSettings.shape,
});

/** Settings of every service. */
export const limitSettings = z.object({
  RATE_LIMIT_PER_ACCOUNT: wholeNumber({ min: 1 })
    .default(600)
    .describe(
      'Maximum requests of one account to one service per 60 s; expensive requests count several times.',
    ),
  NEW_ACCOUNT_HOURS: wholeNumber({ min: 0 })
    .default(24)
    .describe(
      'For how many hours an account is new: its challenges, friend requests and messages count for several against their limits.',
    ),
  NEW_ACCOUNT_WEIGHT: wholeNumber({ min: 1 }).default(2).describe('For how many each of them counts.'),
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
      'How many milliseconds one call to the store may take. When several in a row take longer, calls fail at once until the store answers again.',
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
      'Tokens are verified with it: an RSA key in PEM, or several one after the other, while one takes the place of another.',
    ),
});
