import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** The environment does not hold what a process needs. The message names every wrong variable. */
export class SettingsError extends Error {}

/**
 * Reads settings from the environment. `NAME_FILE` stands for a file that holds NAME (for mounted secrets);
 * an empty variable counts as absent. Throws SettingsError.
 */
export function loadSettings<S extends z.ZodObject>(
  schema: S,
  env: NodeJS.ProcessEnv = process.env,
): z.output<S> {
  const values: Record<string, string> = {};
  for (const name of Object.keys(schema.shape)) {
    const file = env[`${name}_FILE`];
    const value = file ? readFileSync(file, 'utf8') : env[name];
    if (value) values[name] = value;
  }
  const result = schema.safeParse(values);
  if (result.success) return result.data;
  const wrong = result.error.issues.map(({ path, message, code }) => {
    const name = path.join('.');
    const absent = code === 'invalid_type' && !(name in values);
    return `  ${name}: ${absent ? 'must be set' : message}`;
  });
  throw new SettingsError(`These settings are wrong or missing:\n${wrong.join('\n')}`);
}

export const portSetting = z.coerce.number().int().min(0).max(65_535);

export const logLevelSetting = z
  .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
  .default('info');

/** What every service process is told. */
export const serviceSettings = z.object({
  PORT: portSetting.default(8080),
  MANAGEMENT_PORT: portSetting.default(9090),
  LOG_LEVEL: logLevelSetting,
  MONGO_URL: z.string().startsWith('mongodb', 'must be a mongodb:// address'),
  AMQP_URL: z.string().startsWith('amqp', 'must be an amqp:// address'),
  REDIS_URL: z.string().startsWith('redis', 'must be a redis:// address').optional(),
  JWT_PUBLIC_KEY: z.string().includes('PUBLIC KEY', { error: 'must be a public key in PEM' }),
});
