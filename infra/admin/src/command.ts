import { parseArgs } from 'node:util';
import { type ServiceName, serviceNames } from '@wayquest/contracts';
import { settingsOrExit } from '@wayquest/platform/process';
import {
  amqpUrlSetting,
  installationSetting,
  mongoUrlSetting,
  publicUrlSetting,
  wholeNumber,
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

/** Reads the options of a command, each with a value. Returns undefined if there is another one, or one without a value. */
export function optionsOf(
  args: string[],
  names: string[],
): { options: { [name: string]: string | undefined }; rest: string[] } | undefined {
  try {
    const { values: options, positionals: rest } = parseArgs({
      ...{ args, allowPositionals: true },
      options: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
    });
    return { options, rest };
  } catch {
    return undefined;
  }
}

/** A number of an option, from 1. Exits with a sentence if it is none. */
export function numberOf(option: string, text: string, max: number): number {
  const { data, error } = wholeNumber({ min: 1, max }).safeParse(text);
  return data ?? fail(`--${option} ${error?.issues[0]?.message}.`, 2);
}

/** A note of `--note`. Exits with a sentence if it is too long. */
export function noteOf(note: string, maxLength: number): string {
  if (note.length > maxLength) fail(`--note must have at most ${maxLength} characters.`, 2);
  return note;
}

/** Runs a command; errors are printed as sentences. */
export async function runCommand(command: (settings: AdminSettings) => Promise<void>): Promise<void> {
  const settings = settingsOrExit(adminSettings);
  try {
    await command(settings);
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error));
  }
}
