import { type ServiceName, serviceNames } from '@wayquest/contracts';
import { settingsOrExit } from '@wayquest/platform/process';
import {
  amqpUrlSetting,
  installationSetting,
  mongoUrlSetting,
  publicUrlSetting,
} from '@wayquest/platform/settings';
import { z } from 'zod';

/** Settings of the commands. */
export const adminSettings = z.object({
  MONGO_URL: mongoUrlSetting.optional(),
  AMQP_URL: amqpUrlSetting.optional(),
  DATA_DIR: z.string().default('.data'),
  INSTALLATION: installationSetting,
  /** For links; without it they are paths. */
  PUBLIC_URL: publicUrlSetting.optional(),
  JWT_PRIVATE_KEY_FILE: z.string().optional(),
  JWT_PUBLIC_KEY_FILE: z.string().optional(),
});
export type AdminSettings = z.output<typeof adminSettings>;

export const printLine = (sentence: string): void => {
  process.stdout.write(`${sentence}\n`);
};

/** Exits with a sentence. */
export function fail(sentence: string, code = 1): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(code);
}

/** Returns the service of that name. Exits with a sentence if there is none. */
export const serviceNamed = (name: string): ServiceName =>
  serviceNames.find((one) => one === name) ??
  fail(`There is no service ${name}. There are ${serviceNames.join(', ')}.`, 2);

/** Runs a command; errors are printed as sentences. */
export async function runCommand(command: (settings: AdminSettings) => Promise<void>): Promise<void> {
  const settings = settingsOrExit(adminSettings);
  try {
    await command(settings);
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error));
  }
}
